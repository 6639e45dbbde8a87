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
  EXPECT_NE(message(header, "llama-3-8b,h100-sxm-80gb,8,0,8,1,1,1,bf16").find("cases.csv:2:27"), std::string::npos);
}

}  // namespace
}  // namespace sextant::llm
