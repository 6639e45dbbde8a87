// Errors on static batches that the law did not see. The lines themselves take seconds; here is what they
// refuse.
#include <gtest/gtest.h>

#include "error_of.h"
#include "sextant/llm/generation_fit.h"

namespace sextant::llm {
namespace {

TEST(GenerationAccuracy, NamesTheFileThatIsMissing) {
  NoProgress quiet;
  const auto message =
      test::error_of([&] { generation_accuracy("nowhere", catalog::builtin_catalog(), quiet); });
  EXPECT_NE(message.find("nowhere/llm-serving/static_batches.csv"), std::string::npos);
}

}  // namespace
}  // namespace sextant::llm
