// Cases as tables write them, and what is filled in.
#include <gtest/gtest.h>

#include "error_of.h"
#include "sextant/llm/step_model.h"
#include "sextant/llm/step_rows.h"

namespace sextant::llm {
namespace {

const catalog::Catalog& known_gpus() {
  static const catalog::Catalog catalog = catalog::builtin_catalog();
  return catalog;
}

StepCase one_case(const std::string& header, const std::string& row) {
  const CsvTable table = CsvTable::parse(header + "\n" + row + "\n", "cases.csv");
  return StepTable(table, known_gpus()).step(0);
}

TEST(StepCase, FillsInWhatIsUsual) {
  const StepCase step = one_case("model,gpu,gpus,seq_len,tp", "llama-3-8b,h100-sxm-80gb,16,4096,2");
  EXPECT_EQ(step.layout.dp, 8);
  EXPECT_EQ(step.layout.pp, 1);
  EXPECT_EQ(step.layout.sharding, Sharding::zero_1);
  EXPECT_FALSE(step.layout.recompute.has_value());
  EXPECT_EQ(step.micro_batches(), 1);
  EXPECT_EQ(step.tokens(), 8 * 4096);
  check(step);
}

TEST(StepCase, KnowsSoftwareByItsText) {
  StepCase step = one_case("model,gpu,gpus,seq_len", "llama-3-8b,a100-sxm4-80gb,8,2048");
  EXPECT_EQ(stack_of("Megatron-Bridge, NeMo container 26.04", step).release, "26.04");
  EXPECT_TRUE(stack_of("llm-foundry/Composer FSDP, FlashAttention (Triton)", step).early_attention);
  EXPECT_TRUE(stack_of("DeepSpeed 0.19; optimizer offloaded to CPU", step).offloads_optimizer);
  EXPECT_FALSE(stack_of("Megatron-DeepSpeed", step).fused_attention);
  EXPECT_EQ(stack_of("something new", step).family, "megatron");
  step.format = Format::fp16;
  EXPECT_EQ(stack_of("Megatron-LM", step).family, "legacy");
}

TEST(StepCase, InfersLayoutsOfMlperf) {
  // 16 sequences at a time on 512 devices: 32 devices for one.
  const StepCase step = one_case(
      "round,submitter,benchmark,model,task,gpu,accelerators,accelerators_per_node,seq_len,global_batch,"
      "grad_accumulation",
      "v4.1,X,gpt3,gpt3-175b,pretrain,h100-sxm-80gb,512,8,2048,2048,128");
  EXPECT_EQ(step.layout.tp * step.layout.pp * step.layout.cp, 32);
  EXPECT_EQ(step.layout.dp, 16);
  EXPECT_EQ(step.micro_batches(), 128);
  EXPECT_EQ(step.format, Format::fp8);
}

TEST(StepCase, ReadsFineTuningOfLitgpt) {
  const StepCase step =
      one_case("size_b,model,method,quantization,micro_batch,trainable,gpu,gpus,tokens_longest",
               "7,llama-2,lora,bnb.nf4,2,4194304,a100-sxm4-40gb,1,1304");
  EXPECT_EQ(step.model.name, "llama-2-7b");
  EXPECT_EQ(step.sequence, 1304);
  EXPECT_EQ(step.global_batch, 2);
  EXPECT_EQ(step.tuning.frozen, FrozenWeights::nf4);
  EXPECT_EQ(step.tuning.added_parameters, 4194304);
  check(step);
}

TEST(StepCase, ReadsPartsOfMegatronsMemory) {
  const CsvTable table = CsvTable::parse(
      "model,gpu,gpus,tp,pp,vp,micro_batch,seq_len,recompute,sequence_parallel,state_gib,activations_gib,"
      "activations_percent_of_none\n"
      "megatron-22b,a100-sxm4-80gb,8,8,1,1,4,2048,none,0,,,\n",
      "cases.csv");
  StepTable rows(table, known_gpus());
  const StepCase step = rows.step(0);
  EXPECT_EQ(step.format, Format::fp16);
  EXPECT_FALSE(step.stack.fused_attention);
  // 18 bytes for each of 22.1 billion parameters over 8 devices (Korthikanti et al. 2022, figure 1: 45.6
  // GiB).
  const TrainingMemory memory = training_memory(rows.memory(0, step), usable_memory(step.gpu));
  EXPECT_NEAR(memory.state().value, 18 * 22.0e9 / 8, 0.02 * 18 * 22.0e9 / 8);
}

// As Megatron lays out 126 layers on 16 stages, each in eight parts.
TEST(StepCase, EmbeddingAndLossMayTakeThePlaceOfLayers) {
  const std::string header = "model,gpu,gpus,seq_len,dp,tp,pp,vp,precision";
  check(one_case(header, "llama-3.1-405b,h100-sxm-80gb,128,8192,1,8,16,8,bf16"));
  EXPECT_NE(sextant::test::error_of([&] {
              check(one_case(header, "llama-3.1-405b,h100-sxm-80gb,128,8192,1,8,16,9,bf16"));
            }).find("144 stages"),
            std::string::npos);
}

// What nobody says is the same in a file as on the command line.
TEST(StepCase, EmptyCellsTakeWhatIsUsual) {
  const std::string header = "model,gpu,gpus,seq_len,precision,framework";
  const StepCase named = one_case(header, "llama-3-8b,h100-sxm-80gb,8,,,");
  EXPECT_EQ(named.sequence, 8192);  // as it was trained
  EXPECT_EQ(named.format, Format::bf16);
  EXPECT_EQ(named.stack.name, "megatron-bridge");
  EXPECT_EQ(one_case(header, "gpt3-175b,h100-sxm-80gb,8,,,").sequence, 2048);
  const CsvTable table = CsvTable::parse(header + "\nllama-3-8b,,8,,,\n", "cases.csv");
  const StepCase told = StepTable(table, known_gpus(), {"b200", Format::fp8, 1024, "llm-foundry"}).step(0);
  EXPECT_EQ(told.gpu.id, "b200");
  EXPECT_EQ(told.format, Format::fp8);
  EXPECT_EQ(told.sequence, 1024);
  EXPECT_EQ(told.stack.name, "llm-foundry");
}

TEST(StepCase, ExpertsAreSharedOutEvenly) {
  const auto message = [](const std::string& row) {
    return sextant::test::error_of(
        [&] { check(one_case("model,gpu,gpus,seq_len,dp,tp,pp,ep,precision", row)); });
  };
  check(one_case("model,gpu,gpus,seq_len,dp,tp,pp,ep,precision",
                 "qwen3-30b-a3b,h100-sxm-80gb,16,4096,8,2,1,16,bf16"));
  EXPECT_NE(
      message("qwen3-30b-a3b,h100-sxm-80gb,24,4096,24,1,1,24,bf16").find("use a divisor of the experts"),
      std::string::npos);
  EXPECT_NE(
      message("qwen3-30b-a3b,h100-sxm-80gb,16,4096,4,1,4,16,bf16").find("use a divisor of dp x cp x tp"),
      std::string::npos);
}

TEST(StepCase, SaysWhatIsWrong) {
  const auto message = [](const std::string& header, const std::string& row) {
    return sextant::test::error_of([&] { check(one_case(header, row)); });
  };
  const std::string header = "model,gpu,gpus,seq_len,dp,tp,pp,ep,precision";
  EXPECT_NE(message(header, "llama-3-8b,h100-sxm-80gb,8,4096,4,1,1,1,bf16").find("dp x tp x pp x cp"),
            std::string::npos);
  EXPECT_NE(message(header, "llama-3-8b,h100-sxm-80gb,3,4096,1,3,1,1,bf16").find("divisor"),
            std::string::npos);
  EXPECT_NE(message(header, "llama-3-8b,h100-sxm-80gb,8,4096,8,1,1,8,bf16").find("experts"),
            std::string::npos);
  EXPECT_NE(message(header, "llama-3-8b,h100-sxm-80gb,8,4096,8,1,1,1,int3").find("cases.csv:2"),
            std::string::npos);
  EXPECT_NE(message(header, "llama-3-8b,h100-sxm-80gb,8,0,8,1,1,1,bf16").find("cases.csv:2:28"),
            std::string::npos);
}

}  // namespace
}  // namespace sextant::llm
