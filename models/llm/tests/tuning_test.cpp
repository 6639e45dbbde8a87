// Parameters that fine-tuning adds, against counts that were published; what it takes in time and memory.
#include "sextant/llm/tuning.h"

#include <gtest/gtest.h>

#include "error_of.h"
#include "sextant/llm/memory.h"
#include "sextant/llm/step_model.h"
#include "sextant/llm/step_rows.h"
#include "sextant/nets/network.h"

namespace sextant::llm {
namespace {

const nets::Decoder& llama_7b() {
  return *nets::zoo().get("llama-2-7b").decoder;
}

double added(const std::string& text) {
  return parse_tuning(text, llama_7b()).added_parameters;
}

// litgpt's documentation names these counts for Llama 2 of 7 billion (tutorials/resource-tables.md).
TEST(Tuning, AddsWhatLitgptCounts) {
  EXPECT_EQ(added("lora"), 4'194'304);
  EXPECT_EQ(added("adapter"), 1'229'760);
  EXPECT_EQ(added("adapter-v2"), 4'279'744);
  EXPECT_EQ(added("full"), 0);
}

TEST(Tuning, GrowsWithRankAndProducts) {
  EXPECT_EQ(added("lora:rank=16"), 2 * added("lora:rank=8"));
  EXPECT_EQ(added("lora:on=attention"), 2 * added("lora:on=qv")) << "all four matrices are square here";
  // Three more matrices of the MLP, each hidden + ffn wide.
  EXPECT_EQ(added("lora:rank=1,on=all") - added("lora:rank=1,on=attention"), 32 * 3 * (4096 + 11008));
}

TEST(Tuning, KeepsFrozenWeightsAsTold) {
  EXPECT_EQ(parse_tuning("lora:quant=nf4", llama_7b()).frozen, FrozenWeights::nf4);
  EXPECT_EQ(parse_tuning("qlora", llama_7b()).frozen, FrozenWeights::nf4_double);
  EXPECT_EQ(parse_tuning("qlora:quant=int8", llama_7b()).frozen, FrozenWeights::int8);
  EXPECT_EQ(parse_tuning("lora", llama_7b()).frozen, FrozenWeights::plain);
}

TEST(Tuning, SaysWhatIsWrong) {
  const auto message = [](const std::string& text) {
    return sextant::test::error_of([&] { parse_tuning(text, llama_7b(), at_field("finetune")); });
  };
  EXPECT_NE(message("prefix").find("one of full, lora"), std::string::npos);
  EXPECT_NE(message("lora:rank=0").find("from 1 to 4096"), std::string::npos);
  EXPECT_NE(message("lora:rank").find("KEY=VALUE"), std::string::npos);
  EXPECT_NE(message("lora:bits=3").find("rank, on and quant"), std::string::npos);
  EXPECT_NE(message("lora:quant=int3").find("nf4-double"), std::string::npos);
  EXPECT_NE(message("full:quant=nf4").find("cannot be trained as a whole"), std::string::npos);
}

StepCase tuned(const std::string& finetune) {
  static const catalog::Catalog catalog = catalog::builtin_catalog();
  const CsvTable table = CsvTable::parse(
      "model,gpu,gpus,seq_len,micro_batch,global_batch,precision,finetune,framework\n"
      "llama-2-7b,a100-sxm4-80gb,1,2048,1,16,bf16,\"" +
          finetune + "\",torchtitan compile\n",
      "cases.csv");
  return StepTable(table, catalog).step(0);
}

TEST(Tuning, FourBitsTakeTimeAndSaveMemory) {
  const auto seconds = [](const std::string& how) {
    return predict_step(builtin_step_model(), tuned(how)).step.value;
  };
  const auto bytes = [](const std::string& how) {
    return training_memory(memory_question(tuned(how), "torchtitan compile"), Bytes{1e12}).total().value;
  };
  EXPECT_LT(seconds("lora"), seconds("full")) << "no products for the gradients of weights";
  EXPECT_GT(seconds("lora:quant=nf4"), seconds("lora"));
  EXPECT_LT(bytes("lora"), 0.5 * bytes("full"));
  EXPECT_LT(bytes("lora:quant=nf4"), bytes("lora"));
}

// Shards in a node: less to gather between nodes, more to keep.
TEST(Hsdp, TradesMemoryForTime) {
  static const catalog::Catalog catalog = catalog::builtin_catalog();
  const CsvTable table = CsvTable::parse(
      "model,gpu,gpus,seq_len,micro_batch,precision,sharding,shard\n"
      "llama-3-8b,a100-sxm4-80gb,64,2048,1,bf16,zero-3,\n"
      "llama-3-8b,a100-sxm4-80gb,64,2048,1,bf16,zero-3,8\n"
      "llama-3-8b,a100-sxm4-80gb,64,2048,1,bf16,hsdp,\n"
      "llama-3-8b,a100-sxm4-80gb,64,2048,1,bf16,zero-3,64\n"
      "llama-3-8b,a100-sxm4-80gb,64,2048,1,bf16,zero-3,7\n",
      "cases.csv");
  StepTable rows(table, catalog);
  const StepModel& law = builtin_step_model();
  const auto seconds = [&](std::size_t row) { return predict_step(law, rows.step(row)).step.value; };
  const auto state = [&](std::size_t row) {
    return training_memory(rows.memory(row, rows.step(row)), Bytes{1e12}).state().value;
  };
  EXPECT_LT(seconds(1), seconds(0));
  EXPECT_NEAR(state(1), 8 * state(0), 1e-6 * state(1)) << "an eighth of the shards";
  EXPECT_EQ(seconds(2), seconds(1)) << "a node is the usual group";
  EXPECT_EQ(seconds(3), seconds(0)) << "one group of all";
  EXPECT_NE(sextant::test::error_of([&] { check(rows.step(4)); }).find("divisor of dp x cp"),
            std::string::npos);
}

}  // namespace
}  // namespace sextant::llm
