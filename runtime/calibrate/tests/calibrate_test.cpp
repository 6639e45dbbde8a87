#include "sextant/calibrate/calibrate.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>

#include "local_device.h"
#include "sextant/calibrate/local_accuracy.h"
#include "sextant/catalog/catalog.h"
#include "sextant/core/error.h"
#include "timed_networks.h"

namespace sextant::calibrate {
namespace {

TEST(Calibrate, RefusesOptionsThatMakeNoSense) {
  NoProgress none;
  const CalibrateOptions good{.folder = testing::TempDir()};
  const auto refuses = [&](auto change) {
    CalibrateOptions options = good;
    change(options);
    EXPECT_THROW(calibrate(options, none), InputError);
  };
  for (const char* id : {"", "Local", "a/b", "..", "a b"}) {
    refuses([&](CalibrateOptions& o) { o.id = id; });
  }
  for (const double budget :
       {0.0, -5.0, 1.0, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    refuses([&](CalibrateOptions& o) { o.budget_s = budget; });
  }
  refuses([](CalibrateOptions& o) { o.threads = 0; });
  refuses([](CalibrateOptions& o) { o.folder.clear(); });
}

TEST(Calibrate, WithoutAWorkerNothingIsWritten) {
  NoProgress none;
  CalibrateOptions options{.folder = std::filesystem::path(testing::TempDir()) / "never-made"};
  options.worker = "/nowhere/sextant-worker";
  EXPECT_THROW(calibrate(options, none), SystemError);
  EXPECT_FALSE(std::filesystem::exists(options.folder));
}

TEST(LocalDevice, IsReadAsItWasWritten) {
  catalog::Gpu gpu = describe_machine("local", 2, {});
  gpu.name = "a \"quoted\" \\ name";
  const catalog::CatalogFile file{"/home/me/local.toml", catalog_text(gpu, "local.json")};
  const catalog::Catalog catalog = overlay(catalog::builtin_catalog(), std::span(&file, 1));
  const catalog::Gpu& read = catalog.gpus.get("local");
  EXPECT_EQ(read.name, gpu.name);
  EXPECT_EQ(read.cores, 2);
  EXPECT_EQ(read.calibration, "/home/me/local.json");
  EXPECT_NEAR(read.memory / gpu.memory, 1, 1e-3);
  EXPECT_NEAR(read.fp32 / gpu.fp32, 1, 1e-3);
}

// A convolution of 1e9 FLOP in 10 ms: 100 GFLOP/s.
TEST(LocalDevice, RatesAreThoseThatWereReached) {
  predict::TimedNetwork network{.name = "one", .graph = build(nets::zoo().get("vgg11"), {})};
  const nets::GraphCost counted = cost(network.graph);
  network.forward_s.assign(network.graph.nodes.size(), 0);
  network.backward_s = network.forward_s;
  for (const predict::OperatorCall& call :
       predict::operator_calls(network.graph, counted, jobs::Mode::infer)) {
    network.forward_s[call.node] = call.kind == "conv" ? call.flop / 1e11 : call.bytes / 5e9;
  }
  const std::vector<predict::TimedNetwork> networks = {network};
  EXPECT_NEAR(describe_machine("local", 1, networks).fp32.value, 1e11, 1e6);
}

TEST(TimedNetworks, TimesGoToTheirNodes) {
  predict::TimedNetwork network{.name = "lenet5", .graph = build(nets::zoo().get("lenet5"), {})};
  set_operator_times(network, {{.node = 3, .name = "x", .type = "tanh", .forward_s = 1, .backward_s = 2}});
  EXPECT_EQ(network.forward_s.at(3), 1);
  EXPECT_EQ(network.backward_s.at(3), 2);
  EXPECT_EQ(network.forward_s.at(2), 0);
  EXPECT_THROW(set_operator_times(network, {{.node = 99, .name = "x", .type = "tanh"}}), SystemError);
  EXPECT_THROW(set_operator_times(network, {{.node = -1, .name = "x", .type = "tanh"}}), SystemError);
}

TEST(ErrorMeans, AreOverRowsAndOverNetworks) {
  const auto row = [](const char* net, double predicted) {
    AccuracyRow r;
    r.job.net = net;
    r.measured_s = 1;
    r.predicted_s = predicted;
    r.inside = predicted < 1.25;
    return r;
  };
  // Errors 10 % and 30 % of one network, 20 % of another: (10 + 30 + 20) / 3 and ((10 + 30) / 2 + 20) / 2.
  const ErrorMeans means = error_means({row("a", 1.1), row("a", 0.7), row("b", 1.2)});
  EXPECT_NEAR(means.rows, 0.2, 1e-12);
  EXPECT_NEAR(means.networks, 0.2, 1e-12);
  EXPECT_NEAR(means.inside, 1, 1e-12);
  EXPECT_EQ(error_means({}).rows, 0);
}

TEST(AccuracyCases, AreTenKnownNetworksAtLeast) {
  std::set<std::string> nets;
  for (const jobs::Job& job : usual_accuracy_cases()) {
    EXPECT_NO_THROW(build(nets::find_network(job.net), job.sizes)) << job.net;
    nets.insert(job.net);
  }
  EXPECT_GE(nets.size(), 10U);
}

}  // namespace
}  // namespace sextant::calibrate
