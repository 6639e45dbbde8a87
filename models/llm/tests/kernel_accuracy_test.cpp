// Errors on timed kernels of devices that the laws did not see.
#include <gtest/gtest.h>

#include <filesystem>

#include "error_of.h"
#include "sextant/llm/kernel_fit.h"
#include "shared_data.h"

namespace sextant::llm {
namespace {

TEST(LlmKernelAccuracy, StaysWhereItIs) {
  SEXTANT_NEEDS_DATA(file, "llm-kernels/gemm.csv.gz");
  NoProgress quiet;
  const auto root = std::filesystem::path(file).parent_path().parent_path().string();
  const auto lines = kernel_accuracy(root, catalog::builtin_catalog(), quiet);
  ASSERT_EQ(lines.size(), 5U);
  for (const std::size_t met : {0U, 3U}) {
    EXPECT_LE(lines[met].mean_error(), *lines[met].target) << lines[met].data;
    EXPECT_GE(lines[met].coverage(), 0.85) << lines[met].data;
    EXPECT_LE(lines[met].coverage(), 0.95) << lines[met].data;
  }
  // The targets of the others are not met (docs/models/llm-kernels.md says why); they should not get worse.
  EXPECT_LE(lines[1].mean_error(), 0.22);
  EXPECT_LE(lines[2].mean_error(), 0.22);
  EXPECT_LE(lines[4].mean_error(), 0.28);
}

TEST(LlmKernelAccuracy, NamesTheFileThatIsMissing) {
  NoProgress quiet;
  const auto message = test::error_of([&] { kernel_accuracy("nowhere", catalog::builtin_catalog(), quiet); });
  EXPECT_NE(message.find("nowhere/llm-kernels/gemm.csv.gz"), std::string::npos);
}

}  // namespace
}  // namespace sextant::llm
