// Prompts of large language models, by the laws of kernels.
#include "sextant/llm/prompt.h"

#include <gtest/gtest.h>

#include "error_of.h"
#include "sextant/catalog/catalog.h"
#include "sextant/nets/network.h"

namespace sextant::llm {
namespace {

const catalog::Catalog& prompt_catalog() {
  static const catalog::Catalog catalog = catalog::builtin_catalog();
  return catalog;
}

PromptPass pass_of(const char* net, const char* gpu, double length, double ranks) {
  return {.model = *nets::zoo().get(net).decoder,
          .gpu = prompt_catalog().gpus.get(gpu),
          .prompts = 1,
          .length = length,
          .ranks = ranks};
}

// TensorRT-LLM 0.6.1 needs 132 ms for the first token (its documentation, docs/source/performance.md).
TEST(Prompt, ALlamaOnAnA100TakesAsLongAsWasPublished) {
  const PromptTime time =
      prompt_time(builtin_kernel_model(), pass_of("llama-2-7b", "a100-sxm4-80gb", 2048, 1));
  EXPECT_NEAR(time.time.value, 0.132, 0.15 * 0.132);
  EXPECT_LT(time.low, time.time);
  EXPECT_GT(time.high, time.time);
  // 2 FLOP for each parameter outside of the words and token, at no more than 312 TFLOP/s.
  EXPECT_GT(time.products.value, 2 * 6.47e9 * 2048 / 312e12);
}

TEST(Prompt, RanksShareTheLayers) {
  const PromptTime one =
      prompt_time(builtin_kernel_model(), pass_of("llama-3-70b", "h100-sxm-80gb", 2048, 1));
  const PromptTime four =
      prompt_time(builtin_kernel_model(), pass_of("llama-3-70b", "h100-sxm-80gb", 2048, 4));
  EXPECT_EQ(one.collectives.value, 0);
  EXPECT_GT(four.collectives.value, 0);
  EXPECT_LT(four.time, 0.5 * one.time);
  EXPECT_GT(four.time, 0.25 * one.time);
  EXPECT_NE(sextant::test::error_of([] {
              prompt_time(builtin_kernel_model(), pass_of("llama-3-70b", "h100-sxm-80gb", 2048, 5));
            }).find("64 heads"),
            std::string::npos);
}

TEST(Prompt, KnowsDenseDecoders) {
  const auto known = [](const char* net) { return knows_prompts(*nets::zoo().get(net).decoder); };
  EXPECT_TRUE(known("llama-3-8b"));
  EXPECT_TRUE(known("gemma-2-9b"));
  EXPECT_FALSE(known("mixtral-8x7b"));
  EXPECT_FALSE(known("deepseek-v3"));
}

}  // namespace
}  // namespace sextant::llm
