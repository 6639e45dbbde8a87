// Memory by hand, and how times move with what they should move with.
#include "sextant/llm/generation.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "error_of.h"
#include "sextant/catalog/catalog.h"
#include "sextant/nets/network.h"

namespace sextant::llm {
namespace {

GenerationCase written_by(const std::string& network, const std::string& gpu) {
  static const catalog::Catalog catalog = catalog::builtin_catalog();
  GenerationCase at;
  at.model = *nets::zoo().find(network)->decoder;
  at.gpu = catalog.gpus.get(gpu);
  at.engine = "tensorrt-llm";
  return at;
}

GenerationTime time_of(const GenerationCase& at) {
  return generation_time(builtin_kernel_model(), builtin_generation_model(), at);
}

// 32 layers x 2 x 4096 values of 2 bytes: half a MiB for a token.
TEST(Generation, CacheIsThatOfAllTokens) {
  GenerationCase at = written_by("llama-2-7b", "a100-sxm4-80gb");
  at.batch = 32;
  at.prompt = 4000;
  at.generate = 96;
  EXPECT_DOUBLE_EQ(generation_memory(at).cache.value, 32.0 * 4096 * 524288);
  at.fp8_cache = true;
  EXPECT_DOUBLE_EQ(generation_memory(at).cache.value, 16.0 * 4096 * 524288);
  EXPECT_EQ(generation_verdict(generation_memory(at), Bytes{80e9}).fit, Fit::fits);
  EXPECT_EQ(generation_verdict(generation_memory(at), Bytes{40e9}).fit, Fit::does_not_fit);
}

TEST(Generation, KeysOfFewHeadsAreNotSharedFurther) {
  GenerationCase at = written_by("llama-2-70b", "h100-sxm-80gb");  // 8 heads of keys
  const double one = generation_memory(at).cache.value;
  at.tensor = 8;
  EXPECT_DOUBLE_EQ(generation_memory(at).cache.value, one / 8);
  at.tensor = 16;
  EXPECT_DOUBLE_EQ(generation_memory(at).cache.value, one / 8);
}

// 6.74 billion parameters, of which embedding and head (2 x 32000 x 4096) and norms stay in 16 bits.
TEST(Generation, WeightsOfFewerBits) {
  GenerationCase at = written_by("llama-2-7b", "a100-sxm4-80gb");
  EXPECT_NEAR(generation_memory(at).weights.value, 2 * 6.738e9, 0.01e9);
  at.weights = WeightFormat::int8;
  EXPECT_NEAR(generation_memory(at).weights.value, 6.738e9 + 2 * 32000 * 4096, 0.01e9);
  EXPECT_LT(weight_bytes(WeightFormat::int4).value, weight_bytes(WeightFormat::nvfp4).value);
}

// Published for TensorRT-LLM 0.9 on an A100: 132 ms; a row of the fit, so this only holds the wiring.
TEST(Generation, PromptOfLlama7bOnAnA100) {
  GenerationCase at = written_by("llama-2-7b", "a100-sxm4-80gb");
  at.prompt = 2048;
  at.generate = 1;
  const GenerationTime time = time_of(at);
  EXPECT_NEAR(time.first_token.time.value, 0.132, 0.15 * 0.132);
  EXPECT_DOUBLE_EQ(time.first_token.time.value, time.total.time.value);
}

TEST(Generation, TokenIsNeverFasterThanTheMemory) {
  GenerationCase at = written_by("llama-3-8b", "h100-sxm-80gb");
  const double bytes = generation_memory(at).weights.value;
  EXPECT_GT(time_of(at).token.time.value, bytes / at.gpu.memory_bandwidth.value);
}

TEST(Generation, WhatDoesNotFindRoomWaits) {
  GenerationCase at = written_by("llama-2-7b", "a100-sxm4-40gb");
  at.prompt = 4096;
  at.batch = 8;
  const GenerationTime few = time_of(at);
  EXPECT_DOUBLE_EQ(few.at_once, 8);
  at.batch = 64;
  const GenerationTime many = time_of(at);
  EXPECT_LT(many.at_once, 16);
  EXPECT_GT(many.total.time.value, 4 * few.total.time.value);
}

TEST(Generation, StrangersHaveWiderIntervals) {
  const auto width = [](const GenerationCase& at) {
    const GenerationTime time = time_of(at);
    return time.total.high.value / time.total.low.value;
  };
  GenerationCase known = written_by("llama-3-8b", "h100-sxm-80gb");
  const double narrow = width(known);
  EXPECT_LT(narrow, width(written_by("qwen3-8b", "h100-sxm-80gb")));
  EXPECT_LT(width(written_by("qwen3-8b", "h100-sxm-80gb")), width(written_by("qwen3-8b", "b200")));
  known.gpu.vendor = "Nobody";
  EXPECT_LT(2 * narrow, width(known));
}

TEST(Generation, RefusesDegreesThatDoNotDivideTheHeads) {
  GenerationCase at = written_by("llama-3-8b", "h100-sxm-80gb");
  at.tensor = 3;
  EXPECT_NE(test::error_of([&] { time_of(at); }).find("32 heads"), std::string::npos);
}

TEST(Generation, ModelSurvivesItsFile) {
  const Json json = to_json(builtin_generation_model());
  EXPECT_EQ(to_json(generation_model_from_json(json, "again.json")), json);
}

}  // namespace
}  // namespace sextant::llm
