// Networks of families that no stack has timed, against timm's published speeds (data outside the
// repository): the interval that strangers get is as wide as it has to be.
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "plain_stack.h"
#include "sextant/core/csv.h"
#include "shared_data.h"

namespace sextant::predict {
namespace {

const std::set<std::string> kStrangers = {"efficientnet", "convnext", "swin", "vit"};

// Batches are on the device already when timm starts its clock.
double log_error(const Prediction& p, double measured_s) {
  return std::abs(std::log((p.iteration - p.breakdown.input).value / measured_s));
}

Prediction predict_step(const nets::Network& network, const jobs::Job& job) {
  const nets::Graph graph = build(network, job.sizes);
  return predictors().get("kernel").make({})->predict(
      {job, graph, cost(graph, job.precision), test::gpu("rtx-3090")});
}

TEST(Strangers, IntervalsHoldNineTenthsOfTheMeasuredSteps) {
  SEXTANT_NEEDS_DATA(path, "timm-variants/train.csv");
  const CsvTable table = CsvTable::read_file(path);
  int rows = 0;
  int covered = 0;
  int by_usual_width = 0;  // of networks that are merely outside the fitted range
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const nets::Network* network = nets::zoo().find(table.text(row, table.column("model")));
    if (network == nullptr || !kStrangers.contains(family_of(network->id))) continue;
    if (table.text(row, table.column("layout")) != "nchw") continue;
    jobs::Job job;
    job.net = network->id;
    job.precision = Precision::fp16;
    job.sizes = {.batch = table.integer(row, table.column("batch_size")),
                 .image = table.integer(row, table.column("image_px"))};
    for (const char* stack : {"pytorch-1.x", "pytorch-2.1"}) {
      job.stack = stack;
      const Prediction p = predict_step(*network, job);
      const double error = log_error(p, 1e-3 * table.number(row, table.column("step_ms")));
      const Spread& spread = find_stack(stack).spread;
      ++rows;
      covered += static_cast<int>(error <= std::log(*p.interval.high / p.iteration));
      by_usual_width += static_cast<int>(error <= kOutsideFactor * anchored_spread(spread, 0, false));
    }
  }
  EXPECT_GE(rows, 30);
  EXPECT_GE(covered, std::ceil(0.9 * rows)) << rows;
  EXPECT_LT(by_usual_width, rows / 2) << "then strangers need no width of their own";
}

// Image networks answered by the newest PyTorch, which was fitted on transformers: the other stacks have
// timed such families, this one has not.
void expect_covered(const std::string& path, const std::string& mode) {
  const CsvTable table = CsvTable::read_file(path);
  const auto predictor = predictors().get("kernel").make({});
  int rows = 0;
  int covered = 0;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const auto cell = [&](const char* column) { return table.text(row, table.column(column)); };
    if (cell("mode") != mode || cell("precision") != "fp32" || cell("num_gpus") != "1") continue;
    const nets::Network* network = nets::zoo().find(cell("model"));
    ASSERT_NE(network, nullptr) << cell("model");
    jobs::Job job;
    job.net = network->id;
    job.mode = mode == "train" ? jobs::Mode::train : jobs::Mode::infer;
    job.optimizer = jobs::Optimizer::none;
    job.sizes = {.batch = table.integer(row, table.column("batch_per_gpu")),
                 .image = table.integer(row, table.column("image_size"))};
    const nets::Graph graph = build(*network, job.sizes);
    const Prediction p = predictor->predict({job, graph, cost(graph, job.precision), test::gpu(cell("gpu"))});
    const double measured_s = 1e-3 * table.number(row, table.column("mean_ms"));
    ++rows;
    covered += static_cast<int>(p.interval.low.value <= measured_s && measured_s <= p.interval.high->value);
  }
  EXPECT_GE(rows, 150) << mode;
  EXPECT_GE(covered, std::floor(0.9 * rows)) << mode << ", of " << rows;
}

TEST(Strangers, FamiliesThatOnlyOtherStacksTimedAreCoveredToo) {
  SEXTANT_NEEDS_DATA(path, "cnn-training-times/pytorch_gpu_benchmark.csv");
  expect_covered(path, "train");
  expect_covered(path, "inference");
}

}  // namespace
}  // namespace sextant::predict
