// The published cost table on a network of four layers, and the strategies with the table's assumptions.
#include "paradl.h"

#include <gtest/gtest.h>

#include "sextant/parallel/parallel_strategy.h"
#include "synthetic.h"

namespace sextant::parallel {
namespace {

LayerLoad row(double x, double y, double w, double forward) {
  LayerLoad layer;
  layer.name = "layer of " + std::to_string(static_cast<int>(w));
  layer.input = x;
  layer.output = y;
  layer.weights = w;
  layer.forward = Seconds{forward * 1e-5};
  layer.backward = Seconds{2 * forward * 1e-5};
  layer.filters = 64;
  return layer;
}

// |x|, |y|, |w|, FW; BW is twice FW.
Workload four_layers() {
  std::vector<LayerLoad> layers = {row(3072, 65536, 1728, 2), row(65536, 32768, 36864, 6),
                                   row(32768, 8192, 147456, 4), row(8192, 10, 81920, 1)};
  const double updates[] = {1, 2, 3, 2};
  for (std::size_t i = 0; i < layers.size(); ++i) layers[i].update = Seconds{updates[i] * 1e-5};
  return Workload(std::move(layers));
}

ParadlRun epoch(double devices) {
  return {6400, 64, devices, 8, {Seconds{20e-6}, Bandwidth{12.5e9}}};
}

void expect(const ParadlCost& cost, double compute, double communication, double megabytes) {
  EXPECT_NEAR(cost.compute.value, compute, 5e-7);
  EXPECT_NEAR(cost.communication.value, communication, 5e-7);
  EXPECT_NEAR(cost.memory.value / 1e6, megabytes, 5e-4);
}

TEST(Paradl, Serial) {
  expect(paradl_serial(four_layers(), epoch(1)), 2.504, 0, 112.774);
}

// 6400/4 * 39e-5 + 100 * 8e-5 = 0.632; 100 * 6 * (20e-6 + 267968 * 4 / 4 / 12.5e9) = 0.024862.
TEST(Paradl, Data) {
  expect(paradl_data(four_layers(), epoch(4)), .632, .024862, 29.801);
}

TEST(Paradl, FilterAndChannel) {
  expect(paradl_filter(four_layers(), epoch(4)), .626, .544734, 111.166);
  expect(paradl_channel(four_layers(), epoch(4)), .626, .544734, 111.166);
}

TEST(Paradl, Pipeline) {
  const std::size_t firsts[] = {0, 2};
  expect(paradl_pipeline(four_layers(), epoch(2), firsts), 1.733, .166218, 85.768);
}

TEST(Paradl, DataAndFilter) {
  ParadlRun run = epoch(4);
  expect(paradl_data_filter(four_layers(), run, 2), .628, .189865, 56.387);
  run.contention = 4;
  expect(paradl_data_filter(four_layers(), run, 2), .628, .202728, 56.387);
}

// Maps of 16 by 16 and windows of 3: each layer's border is 1/16 of its input and of its output.
TEST(Paradl, SpatialAddsHalosToDataParallelism) {
  std::vector<LayerLoad> layers = four_layers().layers();
  double elements = 0;
  for (LayerLoad& layer : layers) {
    layer.height = layer.width = 16;
    layer.halo = 1;
    elements += (layer.input + layer.output) / 16;
  }
  const Workload load(layers);
  const double halos = 2 * 100 * (4 * 2 * 20e-6 + 64 * elements * 4 / 12.5e9);
  const ParadlCost data = paradl_data(load, epoch(4));
  expect(paradl_spatial(load, epoch(4)), .632, data.communication.value + halos, 29.801);
  const double half = 2 * 100 * (4 * 2 * 20e-6 + 32 * elements * 4 / 12.5e9);
  EXPECT_NEAR(paradl_data_spatial(load, epoch(4), 2).communication.value, data.communication.value + half,
              5e-7);
}

// With rings of no latency and one bucket, the strategies are the table: 100 steps of an epoch.
class SameAsStrategy : public testing::Test {
 protected:
  static ParallelCost per_epoch(std::string_view text, const Workload& load) {
    ParallelQuery query{{{&load, {}}}, jobs::Placement::packed(4, 4), {link().link}, 64};
    const ParallelResult result = cost_of(text, query);
    EXPECT_TRUE(result) << result.why().reason;
    return *result;
  }
  static ParadlRun link() {
    ParadlRun run = epoch(4);
    run.link.latency = {};
    return run;
  }
  static void same(const ParallelCost& step, const ParadlCost& epoch) {
    EXPECT_NEAR(100 * step.compute.value, epoch.compute.value, 1e-9);
    EXPECT_NEAR(100 * step.communication.value, epoch.communication.value, 1e-9);
    EXPECT_EQ(step.exposed, step.communication);
  }
};

TEST_F(SameAsStrategy, Data) {
  same(per_epoch("data:bucket=1e12:overlap=0", four_layers()), paradl_data(four_layers(), link()));
}

TEST_F(SameAsStrategy, Filter) {
  same(per_epoch("filter", four_layers()), paradl_filter(four_layers(), link()));
}

TEST_F(SameAsStrategy, DataAndFilter) {
  same(per_epoch("data-filter:group=2:bucket=1e12:overlap=0", four_layers()),
       paradl_data_filter(four_layers(), link(), 2));
}

TEST_F(SameAsStrategy, Spatial) {
  std::vector<LayerLoad> layers = four_layers().layers();
  for (LayerLoad& layer : layers) {
    layer.height = layer.width = 16;
    layer.halo = 1;
  }
  const Workload load(layers);
  same(per_epoch("spatial:bucket=1e12:overlap=0", load), paradl_spatial(load, link()));
}

// Stages of 24 and 15 (1e-5 s a sample, FW + BW), 8 micro-batches of 8: 8 * 8 * 24 + 8 * 15 and the
// larger update; the table takes the largest stage for all.
TEST_F(SameAsStrategy, PipelineFillsWithItsOwnStages) {
  const Workload load = four_layers();
  ParallelQuery query{{{&load, {}}}, jobs::Placement::packed(2, 2), {link().link}, 64};
  const ParallelResult result = cost_of("pipeline:micro=8", query);
  ASSERT_TRUE(result);
  EXPECT_NEAR(result->compute.value, (8 * 8 * 24 + 5) * 1e-5, 1e-9);
  EXPECT_NEAR(result->bubble.value, 8 * 15 * 1e-5, 1e-9);
  const std::size_t firsts[] = {0, 2};
  const ParadlCost table = paradl_pipeline(load, link(), firsts);
  EXPECT_LT(100 * (result->compute + result->bubble).value, table.compute.value + 1e-9);
  EXPECT_NEAR(100 * result->communication.value, 100 * 2 * 8 * 8 * 32768 * 4 / 12.5e9, 1e-9);
}

}  // namespace
}  // namespace sextant::parallel
