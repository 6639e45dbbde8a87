#include "sextant/predict/per_layer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "builtin.h"
#include "error_of.h"
#include "layer_line.h"
#include "op_roofline.h"
#include "sextant/nets/builder.h"

namespace sextant::predict {
namespace {

using sextant::test::error_of;
using test::catalog;

struct Counted {
  jobs::Job job;
  nets::Graph graph;
  nets::GraphCost cost;

  [[nodiscard]] Query on(const char* gpu) const { return {job, graph, cost, catalog().gpus.get(gpu)}; }
};

Counted counted(const std::string& net, std::int64_t batch, jobs::Mode mode = jobs::Mode::train) {
  Counted c;
  c.job.net = net;
  c.job.sizes.batch = batch;
  c.job.mode = mode;
  c.graph = build(nets::zoo().get(net), c.job.sizes);
  c.cost = cost(c.graph);
  return c;
}

// Counts of the nth layer of a type, per sample, forward and backward.
std::pair<double, double> nth(const Counted& net, const std::string& type, std::size_t n) {
  std::vector<double> forward;
  std::vector<double> backward;
  for (const auto& layer : layer_counts(net.graph, net.cost, net.job)) {
    if (layer.type != type) continue;
    (layer.direction == Direction::forward ? forward : backward)
        .push_back(layer.count / static_cast<double>(net.job.sizes.batch));
  }
  return {forward.at(n), backward.at(n)};
}

TEST(LayerCounts, AlexNetByHand) {
  const Counted alexnet = counted("alexnet", 4);
  // conv2: 5x5 over 64 channels, 192x27x27 = 139968 outputs; 25 * 64 * 139968, (2 * 25 * 64 + 1) * 139968.
  EXPECT_EQ(nth(alexnet, "conv", 1), std::pair(223948800.0, 448037568.0));
  // pool2: 3x3, 192x13x13 = 32448 outputs; 9 and 10 each.
  EXPECT_EQ(nth(alexnet, "pool", 1), std::pair(292032.0, 324480.0));
  EXPECT_EQ(nth(alexnet, "relu", 1), std::pair(419904.0, 559872.0));    // 3 and 4 on 139968
  EXPECT_EQ(nth(alexnet, "fc", 0), std::pair(37748736.0, 75497472.0));  // 6 * 6 * 256 * 4096, twice
  EXPECT_EQ(nth(alexnet, "loss", 0), std::pair(3999.0, 1001.0));        // 4 * 1000 - 1, 1000 + 1
}

TEST(LayerCounts, LocalResponseNorm) {
  Counted c;
  nets::GraphBuilder g("norm");
  c.graph = g.finish(g.add(nets::LocalResponseNorm{5}, {g.image(1, 96, 27, 27)}));
  c.cost = cost(c.graph);
  // 96 * 27 * 27 = 69984 outputs over a window of 5: 5 C + 5 - 2 and 8 C + 5 - 1.
  EXPECT_EQ(nth(c, "norm", 0), std::pair(349923.0, 559876.0));
}

TEST(LayerCounts, DataLoadAndOptimizerAreLayersToo) {
  const Counted alexnet = counted("alexnet", 2);
  double load = 0;
  double update = 0;
  for (const auto& layer : layer_counts(alexnet.graph, alexnet.cost, alexnet.job)) {
    if (layer.type == "data-load") load = layer.count;
    if (layer.type == "optimizer") update = layer.count;
  }
  EXPECT_EQ(load, 2 * 3 * 224 * 224);
  EXPECT_EQ(update, 61100840);  // parameters, whatever the batch
}

TEST(LayerCounts, InferenceHasNoWayBack) {
  const Counted alexnet = counted("alexnet", 2, jobs::Mode::infer);
  for (const auto& layer : layer_counts(alexnet.graph, alexnet.cost, alexnet.job)) {
    EXPECT_EQ(layer.direction, Direction::forward) << layer.type;
    EXPECT_NE(layer.type, "loss");
  }
}

TEST(LayerLine, WorkedFit) {
  // GFLOP and ms; least squares by hand gives these, and both coefficients are positive.
  const std::vector<double> counts = {.2, .5, 1, 2, 4};
  const std::vector<double> times = {.35, .61, 1.04, 1.93, 3.68};
  const LayerLine line = fit_layer_line(counts, times);
  EXPECT_NEAR(line.beta0, .170810, 5e-7);
  EXPECT_NEAR(line.beta1, .877396, 5e-7);
  EXPECT_NEAR(std::sqrt(line.var0), .003896, 5e-7);
  EXPECT_NEAR(std::sqrt(line.var1), .001888, 5e-7);
  EXPECT_NEAR(line.s2, 3.3616e-5, 5e-10);
  EXPECT_EQ(line.samples, 5U);
}

TEST(LayerLine, CoefficientsAreNeverNegative) {
  // Steeper than proportional: the best line would start below 0, so it is held at 0.
  const std::vector<double> counts = {1, 2, 3, 4};
  const LayerLine steep = fit_layer_line(counts, std::vector<double>{.5, 2, 3.5, 5});
  EXPECT_EQ(steep.beta0, 0);
  EXPECT_NEAR(steep.beta1, 35.0 / 30, 1e-12);  // sum ct / sum c^2
  EXPECT_GT(steep.var1, 0);
  // Falling: only the mean is left.
  const LayerLine falling = fit_layer_line(counts, std::vector<double>{4, 3, 2, 1});
  EXPECT_NEAR(falling.beta0, 2.5, 1e-12);
  EXPECT_EQ(falling.beta1, 0);
}

TEST(LayerLine, EqualCountsGiveTheirMean) {
  const std::vector<double> counts(4, 1e9);
  const LayerLine line = fit_layer_line(counts, std::vector<double>{1, 2, 3, 4});
  EXPECT_NEAR(line.at(1e9), 2.5, 1e-9);
  EXPECT_TRUE(std::isfinite(line.variance_at(1e9)));
}

// Layers of AlexNet at several batch sizes, timed on a device that follows a line exactly.
std::vector<LayerRecord> layers_of(const std::string& net, const catalog::Gpu& gpu) {
  std::vector<LayerRecord> records;
  for (const std::int64_t batch : {1, 4, 16, 64}) {
    const Counted c = counted(net, batch);
    for (const auto& layer : layer_counts(c.graph, c.cost, c.job)) {
      records.push_back(
          {gpu.id, layer.type, layer.direction, layer.count, Seconds{2e-5 + 1e-12 * layer.count}});
    }
  }
  return records;
}

Prediction predict(const Json& model, const Counted& c, const char* gpu) {
  Setup setup;
  setup.model = model.dump();
  return predictors().get("per-layer").make(setup)->predict(c.on(gpu));
}

TEST(PerLayer, ALineThatHoldsIsFoundAgain) {
  const catalog::Gpu& gpu = catalog().gpus.get("v100");
  const Json model = fit_per_layer(layers_of("alexnet", gpu), {}, catalog());
  const Counted net = counted("alexnet", 32);
  double expected = 0;
  for (const auto& layer : layer_counts(net.graph, net.cost, net.job)) expected += 2e-5 + 1e-12 * layer.count;
  for (std::size_t node = 0; node < net.graph.nodes.size(); ++node) {
    if (!std::holds_alternative<nets::Dropout>(net.graph.nodes[node].op)) continue;  // has no rule
    expected += (forward_roofline(net.on("v100"), node) + backward_roofline(net.on("v100"), node)).value;
  }
  const Prediction p = predict(model, net, "v100");
  EXPECT_NEAR(p.iteration.value, expected, 1e-6 * expected);
  EXPECT_TRUE(p.extrapolating) << "dropout was not timed";
  ASSERT_EQ(p.warnings.size(), 1U);
  EXPECT_NE(p.warnings[0].find("dropout"), std::string::npos);
}

TEST(PerLayer, WholeStepsGiveACommonFactor) {
  const catalog::Gpu& gpu = catalog().gpus.get("v100");
  const auto layers = layers_of("vgg16", gpu);
  const Json plain = fit_per_layer(layers, {}, catalog());
  std::vector<Measurement> steps;
  for (const auto& [batch, ratio] : {std::pair(8, 1.1), std::pair(16, 1.3)}) {
    const Counted c = counted("vgg16", batch);
    steps.push_back({c.job, gpu.id, ratio * predict(plain, c, "v100").iteration});
  }
  const Json scaled = fit_per_layer(layers, steps, catalog());
  const Counted c = counted("vgg16", 32);
  const Prediction p = predict(scaled, c, "v100");
  const double before = predict(plain, c, "v100").iteration.value;
  EXPECT_NEAR(p.iteration.value, 1.2 * before, 1e-6 * before);
  // Ratios 1.1 and 1.3: variance 0.02, times 1 + 1/2 for the next; lines are exact and add nothing.
  EXPECT_NEAR(p.interval.high->value - p.iteration.value, 1.6448536 * std::sqrt(0.03) * before,
              1e-4 * before);
}

TEST(PerLayer, FewerThanFourRecordsAreLeftToTheRoofline) {
  const catalog::Gpu& gpu = catalog().gpus.get("v100");
  const std::vector<LayerRecord> three(3, {gpu.id, "conv", Direction::forward, 1e9, Seconds{1}});
  const Prediction p = predict(fit_per_layer(three, {}, catalog()), counted("resnet18", 8), "v100");
  const Counted net = counted("resnet18", 8);
  EXPECT_NEAR(p.iteration.value, step_roofline(net.on("v100")).value, 1e-12);
}

TEST(PerLayer, BadInputIsRefused) {
  const Counted net = counted("resnet18", 8);
  EXPECT_NE(error_of([] { predictors().get("per-layer").make({}); }).find("`model`"), std::string::npos);
  EXPECT_NE(error_of([&] { predict(Json::parse("{}"), net, "v100"); }).find("schema"), std::string::npos);
  const catalog::Gpu& t4 = catalog().gpus.get("t4");
  EXPECT_NE(error_of([&] {
              predict(fit_per_layer(layers_of("alexnet", t4), {}, catalog()), net, "v100");
            }).find("it knows t4"),
            std::string::npos);
  const auto fit_one = [](double count, double time) {
    const std::vector<LayerRecord> one = {{"t4", "conv", Direction::forward, count, Seconds{time}}};
    return error_of([&] { fit_per_layer(one, {}, catalog()); });
  };
  EXPECT_NE(fit_one(0, 1).find("above 0"), std::string::npos);
  EXPECT_NE(fit_one(1, -1).find("above 0"), std::string::npos);
  EXPECT_NE(fit_one(std::nan(""), 1).find("above 0"), std::string::npos);
}

}  // namespace
}  // namespace sextant::predict
