// Layouts in words, and the search for the fastest.
#include "sextant/llm/layouts.h"

#include <gtest/gtest.h>

#include "error_of.h"
#include "sextant/llm/step_rows.h"

namespace sextant::llm {
namespace {

StepCase job_of(const std::string& row) {
  static const catalog::Catalog catalog = catalog::builtin_catalog();
  const std::string header = "model,gpu,gpus,seq_len,global_batch,precision,framework\n";
  const CsvTable table = CsvTable::parse(header + row + "\n", "jobs.csv");
  return StepTable(table, catalog).step(0);
}

TEST(Layouts, AreReadAndWritten) {
  const LayoutText text = parse_layout("tp=8, pp=4,dp=16,zero=1,recompute=selective,micro=2");
  EXPECT_EQ(text.layout.tp, 8);
  EXPECT_EQ(text.layout.pp, 4);
  EXPECT_TRUE(text.layout.sequence_parallel);
  EXPECT_EQ(text.layout.recompute, Recompute::selective);
  EXPECT_EQ(layout_text(text.layout, *text.micro_batch),
            "dp=16,tp=8,pp=4,zero=1,recompute=selective,micro=2");
  EXPECT_FALSE(parse_layout("tp=2,sp=0").layout.sequence_parallel);
  const StepCase step =
      with_layout(job_of("llama-3-8b,h100-sxm-80gb,16,4096,64,bf16,"), parse_layout("tp=2,pp=2"));
  EXPECT_EQ(step.layout.dp, 4);
}

TEST(Layouts, AccumulationSetsTheBatch) {
  const StepCase job = job_of("llama-3-8b,h100-sxm-80gb,16,4096,64,bf16,");
  const StepCase step = with_layout(job, parse_layout("tp=2,micro=2,accum=6"));
  EXPECT_EQ(step.global_batch, 8 * 2 * 6);
  EXPECT_EQ(step.micro_batches(), 6);
}

TEST(Layouts, SplitAllStateWhereTheSoftwareDoes) {
  const StepCase fsdp = job_of("llama-3-8b,h100-sxm-80gb,16,4096,64,bf16,torchtitan compile");
  EXPECT_EQ(with_layout(fsdp, parse_layout("dp=16")).layout.sharding, Sharding::zero_3);
  EXPECT_EQ(with_layout(fsdp, parse_layout("dp=16,zero=1")).layout.sharding, Sharding::zero_1);
  const LayoutText hsdp = parse_layout("dp=16,shard=8");
  EXPECT_EQ(with_layout(fsdp, hsdp).state_members(), 8);
  EXPECT_EQ(layout_text(with_layout(fsdp, hsdp).layout, 1), "dp=16,shard=8,zero=3,micro=1");
}

TEST(Layouts, SayWhatIsWrong) {
  const auto message = [](const std::string& text) {
    return sextant::test::error_of([&] { parse_layout(text, at_field("layout")); });
  };
  EXPECT_NE(message("tp").find("KEY=VALUE"), std::string::npos);
  EXPECT_NE(message("tp=0").find("number of parts"), std::string::npos);
  EXPECT_NE(message("qp=2").find("known are"), std::string::npos);
  EXPECT_NE(message("zero=7").find("3 weights too"), std::string::npos);
}

TEST(LayoutSearch, FindsOneThatFitsAndIsAllowed) {
  const StepCase job = job_of("llama-3.1-405b,h100-sxm-80gb,1024,8192,512,bf16,Megatron-Bridge");
  const LayoutChoices found = search_layouts(builtin_step_model(), {memory_question(job, "Megatron-Bridge")});
  ASSERT_EQ(found.best.size(), 2U);
  EXPECT_LE(found.best[0].time.step, found.best[1].time.step);
  for (const auto& choice : found.best) {
    EXPECT_NE(choice.memory.fit, Fit::does_not_fit);
    check(choice.step);
    // Weights and gradients of 405 B in 16 and 32 bits fill 30 devices of 80 GB without anything else.
    EXPECT_GT(choice.step.layout.tp * choice.step.layout.pp *
                  (choice.step.layout.sharding == Sharding::zero_3 ? 1024 : 1),
              30);
  }
}

// 17 layers of an MLP of 4,097: no interleaving, and no tensor parallelism.
TEST(LayoutSearch, KeepsToWhatSoftwareRuns) {
  StepCase job = job_of("llama-3-8b,a100-sxm4-80gb,8,4096,7,bf16,Megatron-Bridge");
  job.model.layers = job.model.dense_layers = 17;
  job.model.ffn = 4097;
  const LayoutChoices found =
      search_layouts(builtin_step_model(), {.job = memory_question(job, "Megatron-Bridge"), .most = 1000});
  ASSERT_FALSE(found.best.empty());
  for (const auto& choice : found.best) {
    EXPECT_EQ(choice.step.layout.tp, 1);
    EXPECT_EQ(choice.step.layout.vp, 1);
    EXPECT_EQ(why_not_run(choice.step), "");
  }
  const auto why = [&](const char* layout) { return why_not_run(with_layout(job, parse_layout(layout))); };
  EXPECT_NE(why("tp=2,pp=4").find("4097"), std::string::npos);
  EXPECT_NE(why("pp=4,vp=4,dp=2").find("17 layers"), std::string::npos);
  job.model.layers = 16;
  EXPECT_NE(why("pp=8,vp=2").find("8 at a time"), std::string::npos);
}

TEST(LayoutSearch, SaysWhatLacksWhereNothingFits) {
  const StepCase job = job_of("llama-3.1-405b,l40s,8,8192,8,bf16,Megatron-Bridge");
  const LayoutChoices found = search_layouts(builtin_step_model(), {memory_question(job, "Megatron-Bridge")});
  EXPECT_TRUE(found.best.empty());
  ASSERT_TRUE(found.closest.has_value());
  EXPECT_GT(found.closest->memory.need, found.closest->memory.capacity);
}

}  // namespace
}  // namespace sextant::llm
