// Predicted against measured memory, on networks that were left out.
#include "sextant/llm/memory_accuracy.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "error_of.h"
#include "shared_data.h"

namespace sextant::llm {
namespace {

TEST(LlmMemoryAccuracy, StaysWithinItsTargets) {
  SEXTANT_NEEDS_DATA(file, "llm-training/finetune_memory.csv");
  NoProgress quiet;
  const auto root = std::filesystem::path(file).parent_path().parent_path().string();
  const auto lines = memory_accuracy(root, catalog::builtin_catalog(), quiet);
  ASSERT_EQ(lines.size(), 5U);
  for (const auto& line : lines) {
    ASSERT_FALSE(line.cases.empty()) << line.data;
    EXPECT_LE(line.mean_error(), *line.target) << line.data;
    EXPECT_GE(line.coverage(), 0.85) << line.data;
  }
}

TEST(LlmMemoryAccuracy, NamesTheFileThatIsMissing) {
  NoProgress quiet;
  const auto message = test::error_of([&] { memory_accuracy("nowhere", catalog::builtin_catalog(), quiet); });
  EXPECT_NE(message.find("nowhere/llm-training/steps.csv"), std::string::npos);
}

}  // namespace
}  // namespace sextant::llm
