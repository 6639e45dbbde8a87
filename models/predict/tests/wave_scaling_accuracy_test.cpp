// Wave scaling between every pair of GPUs of the measured tables. The model that does the scaling is
// fitted without the destination, so that nothing measured there is known.
#include <gtest/gtest.h>

#include <cmath>
#include <iostream>
#include <nlohmann/json.hpp>

#include "builtin.h"
#include "sextant/predict/accuracy.h"
#include "sextant/predict/case_file.h"
#include "sextant/predict/recipe.h"
#include "shared_data.h"

namespace sextant::predict {
namespace {

using test::catalog;

struct Steps {
  Recipe recipe;
  std::vector<Observation> rows;
  std::vector<Measurement> measured;  // of the same rows
};

Steps read_steps(const std::string& name, const std::string& folder) {
  Steps steps{.recipe = find_recipe(name), .rows = {}, .measured = {}};
  steps.rows = read_observations(steps.recipe, folder, catalog());
  CaseDefaults defaults;
  defaults.job.stack = steps.recipe.stack;
  for (const DataRecipe& data : steps.recipe.data) {
    const CsvTable table = map_columns(CsvTable::read_file(folder + "/" + data.file), data);
    for (auto& m : read_measured(table, catalog(), defaults)) steps.measured.push_back(std::move(m));
  }
  return steps;
}

std::string model_without(const Steps& steps, const std::string& gpu) {
  std::vector<const Observation*> others;
  for (const Observation& row : steps.rows) {
    if (row.labels.gpu != gpu) others.push_back(&row);
  }
  Stack stack{.id = steps.recipe.stack,
              .traits = steps.recipe.traits,
              .shared = fit_shared(others, {}),
              .effects = {},
              .shared_effects = {},
              .spread = {},
              .range = range_of(others),
              .rows = others.size()};
  return to_json(stack).dump();
}

void scale(const Predictor& predictor, const Measurement& asked, const std::string& origin,
           stats::AccuracyLine& line) {
  const nets::Graph graph = build(nets::find_network(asked.job.net), asked.job.sizes);
  const nets::GraphCost counted = cost(graph, asked.job.precision);
  const Prediction p = predictor.predict({asked.job, graph, counted, catalog().gpus.get(asked.gpu)});
  if (p.extrapolating) return;  // not measured on the origin
  line.cases.push_back({.group = origin + " to " + asked.gpu,
                        .mode = to_string(asked.job.mode),
                        .error = std::abs(p.iteration / asked.step - 1),
                        .covered = p.interval.low <= asked.step && asked.step <= *p.interval.high,
                        .half_width = 0});
}

stats::AccuracyLine every_pair(const Steps& steps, Precision precision) {
  std::map<std::string, std::vector<Measurement>> by_gpu;
  for (const auto& m : steps.measured) {
    if (m.job.precision == precision) by_gpu[m.gpu].push_back(m);
  }
  stats::AccuracyLine line{.data = steps.recipe.stack, .left_out = "destination"};
  for (const auto& [destination, asked] : by_gpu) {
    Setup setup;
    setup.catalog = &catalog();
    setup.model = model_without(steps, destination);
    for (const auto& [origin, measured] : by_gpu) {
      if (origin == destination) continue;
      setup.from = origin;
      setup.measured = measured;
      const auto predictor = predictors().get("wave-scaling").make(setup);
      for (const auto& one : asked) scale(*predictor, one, origin, line);
    }
  }
  return line;
}

void report(const stats::AccuracyLine& line) {
  std::cout << line.data << ": " << line.cases.size() << " pairs, mean error " << line.mean_error()
            << ", median " << line.median_error() << ", inside the interval " << line.coverage() << "\n";
  for (const auto& [pair, error] : line.by_group()) std::cout << "  " << pair << ": " << error << "\n";
}

TEST(WaveScalingAccuracy, TensorFlow) {
  SEXTANT_NEEDS_DATA(folder, "cnn-training-times/profet_tf.csv");
  const std::string root = folder.substr(0, folder.find("/cnn-training-times"));
  const stats::AccuracyLine line = every_pair(read_steps("tensorflow-2.5", root), Precision::fp32);
  report(line);
  EXPECT_LT(line.mean_error(), 0.25);
  EXPECT_GT(line.coverage(), 0.85);
}

TEST(WaveScalingAccuracy, PyTorch) {
  SEXTANT_NEEDS_DATA(folder, "cnn-training-times/pytorch_gpu_benchmark.csv");
  const std::string root = folder.substr(0, folder.find("/cnn-training-times"));
  const stats::AccuracyLine line = every_pair(read_steps("pytorch-1.x", root), Precision::fp32);
  report(line);
  EXPECT_LT(line.mean_error(), 0.27);
  EXPECT_GT(line.coverage(), 0.85);
}

TEST(WaveScalingAccuracy, Transformers) {
  SEXTANT_NEEDS_DATA(folder, "neusight/e2e_labels.csv");
  const std::string root = folder.substr(0, folder.find("/neusight"));
  const stats::AccuracyLine line = every_pair(read_steps("pytorch-2.1", root), Precision::fp32);
  report(line);
  EXPECT_LT(line.mean_error(), 0.15);
  EXPECT_GT(line.coverage(), 0.9);
}

}  // namespace
}  // namespace sextant::predict
