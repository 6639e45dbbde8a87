#include "sextant/report/prediction_report.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "sextant/report/render.h"

namespace sextant::report {
namespace {

ask::Answer sample() {
  ask::Answer answer;
  answer.job.net = "resnet50";
  answer.job.sizes.batch = 32;
  answer.job.duration = jobs::Duration{.epochs = 2, .samples = 64};
  answer.gpu = "v100";
  answer.job.layout.machine = "aws/p3.2xlarge";
  answer.prediction.iteration = Seconds{0.5};
  answer.prediction.interval = {Seconds{0.5}, std::nullopt};
  answer.price = DollarRate{3.6 / 3600};
  answer.gpu_memory = Bytes{16e9};
  return answer;
}

Table table_of_one(const ask::Answer& answer) {
  return predictions_result({answer}).sections.at(0).table;
}

std::string on_screen_of(const std::vector<ask::Answer>& answers, int width) {
  std::ostringstream out;
  render_screen(out, predictions_result(answers).sections.at(0).table, {.color = false, .width = width});
  return out.str();
}

Json json_of(const ask::Answer& answer) {
  return to_json(predictions_result({answer})).at("predictions").at(0);
}

TEST(PredictionReport, TotalsFollowFromStepsAndPrice) {
  // 2 epochs of 64 / 32 = 2 steps: 4 steps of 0.5 s = 2 s at 0.001 USD/s.
  EXPECT_EQ(sample().total_time(), Seconds{2});
  EXPECT_DOUBLE_EQ(sample().total_cost()->value, 0.002);
}

TEST(PredictionReport, JsonHasTheAgreedFields) {
  EXPECT_EQ(to_json(predictions_result({sample()})).at("schema"), "sextant.predictions/2");
  const Json json = json_of(sample());
  EXPECT_EQ(json.at("low_s"), 0.5);
  EXPECT_TRUE(json.at("high_s").is_null());
  EXPECT_DOUBLE_EQ(json.at("usd_per_hour").get<double>(), 3.6);
  EXPECT_EQ(json.at("samples_per_s"), 64.0);
  for (const char* key : {"net", "gpu", "stack", "count", "batch", "iteration_s", "breakdown", "memory_bytes",
                          "fits", "total_s", "total_usd", "extrapolating", "model"}) {
    EXPECT_TRUE(json.contains(key)) << key;
  }
  for (const char* key : {"compute_s", "communication_s", "input_s", "overhead_s"}) {
    EXPECT_TRUE(json.at("breakdown").contains(key)) << key;
  }
}

TEST(PredictionReport, PartsOfMemoryAddUp) {
  ask::Answer answer = sample();
  answer.prediction.memory = {.weights = Bytes{1},
                              .gradients = Bytes{2},
                              .optimizer = Bytes{4},
                              .activations = Bytes{8},
                              .workspace = Bytes{16},
                              .context = Bytes{32}};
  const Json json = json_of(answer);
  double sum = 0;
  for (const auto& part : json.at("memory")) sum += part.get<double>();
  EXPECT_EQ(sum, 63);
  EXPECT_EQ(json.at("memory_bytes"), 63);
}

TEST(PredictionReport, APriceThatNobodyGaveIsNull) {
  ask::Answer bare = sample();
  bare.price.reset();
  EXPECT_TRUE(json_of(bare).at("usd_per_hour").is_null());
  EXPECT_TRUE(json_of(bare).at("total_usd").is_null());
}

TEST(PredictionReport, ALowerBoundIsMarkedOnScreen) {
  const Table table = table_of_one(sample());
  bool marked = false;
  for (const auto& cell : table.rows.at(0)) marked |= cell.shown.starts_with(">= ");
  EXPECT_TRUE(marked);
  const std::string below = on_screen_of({sample()}, 80);
  EXPECT_NE(below.find(">= : a lower bound"), std::string::npos);
  EXPECT_EQ(below.find("* : "), std::string::npos);
}

TEST(PredictionReport, AStepOutsideOfTheFitKeepsItsMarkWhereItIsShownAlone) {
  ask::Answer answer = sample();
  answer.prediction.interval.high = Seconds{0.7};
  answer.prediction.extrapolating = true;
  const Result result = predictions_result({answer});
  std::ostringstream step;
  render_screen(step, with_columns(result, {"step"}).sections.at(0).table, {});
  EXPECT_TRUE(step.str().starts_with("    step\n500 ms *\n* : outside what the model was fitted on"))
      << step.str();
  std::ostringstream gpu;
  render_screen(gpu, with_columns(result, {"gpu"}).sections.at(0).table, {});
  EXPECT_EQ(gpu.str().find("* : "), std::string::npos) << gpu.str();
}

TEST(PredictionReport, WhatDoesNotFitSaysByHowMuch) {
  ask::Answer answer = sample();
  answer.prediction.memory.activations = Bytes{32e9};
  answer.prediction.fits = false;
  const std::string screen = on_screen_of({answer, answer}, 50);
  EXPECT_NE(screen.find("29.8 GiB"), std::string::npos) << screen;
  EXPECT_NE(screen.find("14.9 GiB"), std::string::npos) << screen;
}

TEST(PredictionReport, TheBatchOfSeveralGpusIsThatOfEach) {
  ask::Answer answer = sample();
  EXPECT_EQ(on_screen_of({answer}, 0).find("batch/GPU"), std::string::npos);
  answer.job.layout.placement = jobs::parse_placement("4");
  EXPECT_NE(on_screen_of({answer}, 0).find("  batch/GPU  "), std::string::npos);
}

TEST(PredictionReport, WhatNobodyAskedForHasNoText) {
  ask::Answer bare = sample();
  bare.job.layout.machine.clear();
  bare.price.reset();
  bare.job.duration.reset();
  const Table table = table_of_one(bare);
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    const std::string& key = table.columns[c].key;
    if (key == "machine" || key == "usd_per_hour" || key == "total_s") {
      EXPECT_EQ(table.rows.at(0).at(c).shown, "") << key;
    }
  }
}

}  // namespace
}  // namespace sextant::report
