// What the law says: monotone where it must be, bounded by the hardware, the same after a file.
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "sextant/llm/step_fit.h"
#include "sextant/llm/step_rows.h"

namespace sextant::llm {
namespace {

StepCase llama_case(const std::string& gpu, const std::string& format) {
  static const catalog::Catalog catalog = catalog::builtin_catalog();
  const CsvTable table = CsvTable::parse(
      "model,gpu,gpus,seq_len,micro_batch,global_batch,precision,framework\n"
      "llama-3-8b," +
          gpu + ",8,4096,1,64," + format + ",Megatron-Bridge\n",
      "cases.csv");
  return StepTable(table, catalog).step(0);
}

double seconds(const StepCase& step) {
  return predict_step(builtin_step_model(), step).step.value;
}

TEST(StepModel, NothingBeatsThePeak) {
  static const catalog::Catalog catalog = catalog::builtin_catalog();
  StepCase step = llama_case("h100-sxm-80gb", "bf16");
  step.layout.recompute = Recompute::none;
  for (const catalog::Gpu& gpu : catalog.gpus.all()) {
    step.gpu = gpu;
    EXPECT_LT(predict_step(builtin_step_model(), step).mfu, 1) << gpu.id;
  }
}

TEST(StepModel, PartsAddUp) {
  StepCase step = llama_case("h100-sxm-80gb", "bf16");
  step.layout = {.dp = 1, .tp = 2, .pp = 2, .vp = 2, .cp = 2};
  const StepTime time = predict_step(builtin_step_model(), step);
  const StepParts& p = time.parts;
  const Seconds sum = p.matrices + p.attention + p.memory + p.launches + p.tensor + p.experts + p.context +
                      p.pipeline + p.replicas + p.optimizer;
  EXPECT_NEAR(sum.value, time.step.value, 1e-9 * time.step.value);
  EXPECT_GT(p.tensor.value, 0);
  EXPECT_GT(p.pipeline.value, 0);
  EXPECT_LT(time.low, time.step);
  EXPECT_GT(time.high, time.step);
}

TEST(StepModel, NeverFasterThanThePeak) {
  for (const char* gpu :
       {"a100-sxm4-80gb", "h100-sxm-80gb", "l40s", "mi300x", "v100-sxm2-16gb", "t4", "b200"}) {
    const StepTime time = predict_step(builtin_step_model(), llama_case(gpu, "bf16"));
    EXPECT_LT(time.mfu, 0.9) << gpu;
    EXPECT_GT(time.mfu, 0.05) << gpu;
  }
}

TEST(StepModel, MoreWorkTakesLonger) {
  const StepCase step = llama_case("h100-sxm-80gb", "bf16");
  StepCase longer = step;
  longer.global_batch *= 2;
  EXPECT_GT(seconds(longer), 1.8 * seconds(step));
  StepCase again = step;
  again.layout.recompute = Recompute::full;
  StepCase kept = step;
  kept.layout.recompute = Recompute::none;
  EXPECT_GT(seconds(again), 1.1 * seconds(kept));
  EXPECT_LT(seconds(again), 1.5 * seconds(kept));
  EXPECT_LT(seconds(llama_case("h100-sxm-80gb", "fp8")), seconds(step));
}

TEST(StepModel, ADeviceThatWasNotTimedIsLessCertain) {
  const StepTime known = predict_step(builtin_step_model(), llama_case("h100-sxm-80gb", "bf16"));
  const StepTime strange = predict_step(builtin_step_model(), llama_case("rtx-4090", "bf16"));
  EXPECT_TRUE(known.timed_gpu);
  EXPECT_FALSE(strange.timed_gpu);
  EXPECT_GT(strange.high / strange.step, known.high / known.step);
}

// Software of today was timed on Hopper and Blackwell, and the A100 with other software.
TEST(StepModel, SoftwareThatWasNotTimedOnAnArchitectureIsLessCertain) {
  const StepTime timed = predict_step(builtin_step_model(), llama_case("h100-sxm-80gb", "bf16"));
  const StepTime strange = predict_step(builtin_step_model(), llama_case("a100-sxm4-80gb", "bf16"));
  EXPECT_TRUE(timed.timed_pair);
  EXPECT_TRUE(strange.timed_gpu);
  EXPECT_TRUE(strange.timed_stack);
  EXPECT_FALSE(strange.timed_pair);
  EXPECT_GT(strange.high / strange.step, timed.high / timed.step);
}

// A layer of Nemotron 3 is one thing alone: 52 of them are as many norms and sums as 26 of others.
TEST(StepModel, LayersOfOneThingCountHalf) {
  static const catalog::Catalog catalog = catalog::builtin_catalog();
  const CsvTable table = CsvTable::parse(
      "model,gpu,gpus,seq_len,micro_batch,global_batch,precision,ep\n"
      "nemotron-3-nano,h100-sxm-80gb,8,8192,1,64,bf16,8\n"
      "qwen3-30b-a3b,h100-sxm-80gb,8,8192,1,64,bf16,8\n",
      "cases.csv");
  StepTable rows(table, catalog);
  const StepTime states = predict_step(builtin_step_model(), rows.step(0));
  const StepTime attends = predict_step(builtin_step_model(), rows.step(1));
  // As many active parameters, attention in 6 layers of 52 where the other has it in 48.
  EXPECT_LT(states.parts.attention.value, 0.5 * attends.parts.attention.value);
  EXPECT_LT(states.step, attends.step);
  EXPECT_GT(states.step.value, 0.3 * attends.step.value);
}

// MI300X was timed in fp8 alone.
TEST(StepModel, AFormatThatWasNotTimedIsLessCertain) {
  const StepTime timed = predict_step(builtin_step_model(), llama_case("mi300x", "fp8"));
  const StepTime strange = predict_step(builtin_step_model(), llama_case("mi300x", "bf16"));
  EXPECT_TRUE(timed.timed_gpu);
  EXPECT_FALSE(strange.timed_gpu);
  EXPECT_GT(strange.high / strange.step, 1.3);
}

TEST(StepModel, SurvivesAFile) {
  const Json json = to_json(builtin_step_model());
  EXPECT_EQ(to_json(step_model_from_json(json, "steps.json")).dump(), json.dump());
}

// Rows made by the law itself, with one efficiency changed: the fit finds it.
TEST(StepFit, FindsWhatMadeTheRows) {
  StepModel truth = builtin_step_model();
  truth.departures[{"matmul", "gpu:h100-sxm-80gb"}] -= 0.1;
  std::vector<MeasuredStep> rows;
  for (const char* gpu : {"h100-sxm-80gb", "a100-sxm4-80gb"}) {
    for (const char* format : {"bf16", "fp16"}) {
      for (const double micro : {1.0, 2.0, 4.0, 8.0}) {
        StepCase step = llama_case(gpu, format);
        step.micro_batch = micro;
        rows.push_back({step, predict_step(truth, step).step, "made"});
      }
    }
  }
  const StepModel fitted = fit_steps(rows);
  for (const auto& row : rows)
    EXPECT_NEAR(std::log(predict_step(fitted, row.at).step / row.step), 0, 0.05) << row.at.gpu.id;
}

}  // namespace
}  // namespace sextant::llm
