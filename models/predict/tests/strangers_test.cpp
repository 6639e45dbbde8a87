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

}  // namespace
}  // namespace sextant::predict
