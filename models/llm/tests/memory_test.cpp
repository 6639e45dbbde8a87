// Counts against the formulas of Korthikanti et al. (arXiv 2205.05198), and rules that hold for every layout.
#include "sextant/llm/memory.h"

#include <gtest/gtest.h>

#include "error_of.h"

namespace sextant::llm {
namespace {

constexpr double kTestGib = 1073741824;
const Bytes kBoard{79 * kTestGib};

// Megatron's network of 22 billion parameters.
nets::Decoder megatron_22b() {
  nets::Decoder d;
  d.name = "megatron-22b";
  d.layers = 48;
  d.hidden = 6144;
  d.heads = d.kv_heads = 64;
  d.head_dim = 96;
  d.ffn = 24576;
  d.vocab = 51200;
  d.tied = true;
  d.dense_layers = 48;
  d.positions = nets::Positions::learned;
  return d;
}

MemoryQuestion early_megatron(std::int64_t tp, Recompute recompute, bool sequence_parallel) {
  StepCase at;
  at.model = megatron_22b();
  at.format = Format::fp16;
  at.sequence = 2048;
  at.micro_batch = 4;
  at.global_batch = 4;
  at.gpus = tp;
  at.stack.fused_attention = false;
  at.layout = {
      .tp = tp, .sequence_parallel = sequence_parallel, .sharding = Sharding::none, .recompute = recompute};
  return memory_question(at, "Megatron-LM");
}

// s b h (shared + split / t) of a layer, in bytes, and the embedding's result.
double korthikanti(double shared, double split, double inputs) {
  const double sbh = 2048.0 * 4 * 6144;
  return sbh * (48 * (shared + split / 8) + inputs);
}

TEST(LlmMemory, CountsActivationsLikeThePaper) {
  const double scores = 5.0 * 64 * 2048 / 6144;
  const auto activations = [](Recompute recompute, bool sequence_parallel) {
    return training_memory(early_megatron(8, recompute, sequence_parallel), kBoard).activations.value;
  };
  EXPECT_NEAR(activations(Recompute::none, false), korthikanti(10, 24 + scores, 2), 1);
  EXPECT_NEAR(activations(Recompute::none, true), korthikanti(0, 34 + scores, 2.0 / 8), 1);
  EXPECT_NEAR(activations(Recompute::selective, false), korthikanti(10, 24, 2), 1);
  EXPECT_NEAR(activations(Recompute::selective, true), korthikanti(0, 34, 2.0 / 8), 1);
  EXPECT_NEAR(activations(Recompute::full, false), korthikanti(2, 0, 2), 1);
}

TEST(LlmMemory, KeepsEighteenBytesOfAParameterInMixedPrecision) {
  const MemoryQuestion question = early_megatron(8, Recompute::none, false);
  const auto parameters = static_cast<double>(nets::parameters(question.at.model).total());
  // 2 for the weight, 4 for its gradient, 4 for its copy in fp32, 8 for Adam.
  EXPECT_NEAR(training_memory(question, kBoard).state().value, 18 * parameters / 8, 1e-6 * parameters);
}

TEST(LlmMemory, ShardingSplitsWhatItNames) {
  MemoryQuestion question = early_megatron(1, Recompute::none, false);
  question.at.layout.dp = question.at.gpus = 64;
  const auto with = [&](Sharding sharding) {
    question.at.layout.sharding = sharding;
    return training_memory(question, kBoard);
  };
  const TrainingMemory none = with(Sharding::none);
  const TrainingMemory one = with(Sharding::zero_1);
  const TrainingMemory two = with(Sharding::zero_2);
  EXPECT_DOUBLE_EQ(one.optimizer.value, none.optimizer.value / 64);
  EXPECT_DOUBLE_EQ(one.gradients.value, none.gradients.value);
  EXPECT_DOUBLE_EQ(two.gradients.value, none.gradients.value / 64);
  EXPECT_EQ(two.gathered, Bytes{});
  EXPECT_GT(with(Sharding::zero_3).gathered, Bytes{});
}

TEST(LlmMemory, InterleavedStagesHoldMore) {
  MemoryQuestion question = early_megatron(8, Recompute::none, false);
  question.at.layout.pp = 8;
  question.at.gpus = 64;
  question.at.global_batch = 4 * 64;
  const Bytes plain = training_memory(question, kBoard).activations;
  question.at.layout.vp = 3;
  const Bytes interleaved = training_memory(question, kBoard).activations;
  // 1 + (p - 1) / (p v), but for the embedding's result.
  EXPECT_NEAR(interleaved / plain, 1 + 7.0 / 24, 0.001);
}

TEST(LlmMemory, RecomputesAsLittleAsFits) {
  MemoryQuestion question = early_megatron(8, Recompute::none, true);
  question.at.layout.recompute.reset();
  const TrainingMemory roomy = training_memory(question, Bytes{1000 * kTestGib});
  const TrainingMemory narrow = training_memory(question, Bytes{70 * kTestGib});
  EXPECT_EQ(roomy.recomputed_share, 0);
  EXPECT_GT(narrow.recomputed_share, 0);
  EXPECT_LT(narrow.recomputed_share, 1);
  EXPECT_LE(narrow.total(), Bytes{70 * kTestGib});
}

TEST(LlmMemory, FrozenWeightsInFourBitsNeedLess) {
  MemoryQuestion question = early_megatron(1, Recompute::full, false);
  question.at.tuning.trained = Trained::lora;
  const Bytes plain = training_memory(question, kBoard).weights;
  question.at.tuning.frozen = FrozenWeights::nf4;
  const Bytes nf4 = training_memory(question, kBoard).weights;
  question.at.tuning.frozen = FrozenWeights::nf4_double;
  const Bytes twice = training_memory(question, kBoard).weights;
  const nets::ParameterCount p = nets::parameters(question.at.model);
  const auto words = static_cast<double>(p.embedding);
  const double products = static_cast<double>(p.total()) - words;
  EXPECT_NEAR(nf4.value, 2 * words + (0.5 + 4.0 / 64) * products, 1);
  EXPECT_LT(twice, nf4);
  EXPECT_LT(nf4, plain);
}

// The weights that are added stand where their layers stand.
TEST(LlmMemory, AddedWeightsAreSharedOutAsLayersAre) {
  MemoryQuestion question = early_megatron(8, Recompute::full, false);
  question.at.tuning.trained = Trained::lora;
  question.at.tuning.added_parameters = 1e9;
  const StepLayout& layout = question.at.layout;
  const double share = 1e9 / static_cast<double>(layout.tp * layout.pp);
  EXPECT_NEAR(training_memory(question, kBoard).gradients / question.stack.gradient, share, 1e-6 * share);
}

TEST(LlmMemory, SaysTightNearTheCapacity) {
  TrainingMemory memory;
  memory.weights = Bytes{70 * kTestGib};
  EXPECT_EQ(memory_verdict(memory, Bytes{140 * kTestGib}).fit, Fit::fits);
  EXPECT_EQ(memory_verdict(memory, Bytes{72 * kTestGib}).fit, Fit::tight);
  const MemoryVerdict lacking = memory_verdict(memory, Bytes{40 * kTestGib});
  EXPECT_EQ(lacking.fit, Fit::does_not_fit);
  EXPECT_DOUBLE_EQ(lacking.margin().value, -30 * kTestGib);
}

TEST(LlmMemory, RefusesDegreesThatCannotBe) {
  const auto message = [](void (*spoil)(StepLayout&)) {
    MemoryQuestion question = early_megatron(8, Recompute::none, false);
    spoil(question.at.layout);
    return test::error_of([&] { training_memory(question, kBoard); });
  };
  EXPECT_NE(message([](StepLayout& l) { l.tp = 6; }).find("does not divide the heads"), std::string::npos);
  EXPECT_NE(message([](StepLayout& l) { l.pp = 49; }).find("more stages than layers"), std::string::npos);
  EXPECT_NE(message([](StepLayout& l) { l.ep = 2; }).find("above the experts"), std::string::npos);
  EXPECT_NE(message([](StepLayout& l) { l.cp = 0; }).find("at least 1"), std::string::npos);
}

}  // namespace
}  // namespace sextant::llm
