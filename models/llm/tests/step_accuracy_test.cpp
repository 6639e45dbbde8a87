// Errors on measured steps that the law did not see.
#include <gtest/gtest.h>

#include <filesystem>

#include "error_of.h"
#include "sextant/llm/step_fit.h"
#include "shared_data.h"

namespace sextant::llm {
namespace {

TEST(StepAccuracy, StaysWithinItsTargets) {
  SEXTANT_NEEDS_DATA(file, "llm-training/steps.csv");
  NoProgress quiet;
  const auto root = std::filesystem::path(file).parent_path().parent_path().string();
  const auto lines = step_accuracy(root, catalog::builtin_catalog(), quiet);
  ASSERT_EQ(lines.size(), 8U);
  for (const auto& line : lines) {
    EXPECT_LE(line.mean_error(), *line.target) << line.data << ", " << line.left_out;
    EXPECT_GE(line.coverage(), 0.85) << line.data << ", " << line.left_out;
    EXPECT_LE(line.coverage(), 0.96) << line.data << ", " << line.left_out;
  }
}

TEST(StepAccuracy, NamesTheFileThatIsMissing) {
  NoProgress quiet;
  EXPECT_NE(sextant::test::error_of([&] {
              step_accuracy("nowhere", catalog::builtin_catalog(), quiet);
            }).find("nowhere/llm-training/steps.csv"),
            std::string::npos);
}

}  // namespace
}  // namespace sextant::llm
