#include "sextant/predict/calibrated_device.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "builtin.h"
#include "error_of.h"
#include "sextant/nets/builder.h"
#include "synthetic_device.h"

namespace sextant::predict {
namespace {

using sextant::test::error_of;
using test::synthetic_device;
using testing::HasSubstr;

struct Asked {
  jobs::Job job;
  nets::Graph graph;
  nets::GraphCost cost;
};

Asked asked(const std::string& net, std::int64_t batch, std::optional<std::int64_t> image = {}) {
  Asked a;
  a.job.net = net;
  a.job.sizes = {.batch = batch, .image = image};
  a.job.optimizer = jobs::Optimizer::momentum;
  a.graph = build(nets::zoo().get(net), a.job.sizes);
  a.cost = cost(a.graph);
  return a;
}

DeviceStep step_of(const Asked& a) {
  return device_step(synthetic_device(), a.graph, a.cost, a.job);
}

TEST(CalibratedDevice, PredictsNetworksThatItHasNotSeen) {
  double sum = 0;
  int rows = 0;
  for (const char* net :
       {"resnet18", "alexnet", "squeezenet1-1", "mobilenet-v2", "googlenet", "densenet121"}) {
    for (const std::int64_t batch : {1, 4, 16}) {
      const double truth = test::timed_network(net, batch).step->total_s;
      const double error = std::abs(step_of(asked(net, batch)).total_s() / truth - 1);
      EXPECT_LT(error, 0.15) << net << ' ' << batch;
      sum += error;
      ++rows;
    }
  }
  EXPECT_LT(sum / rows, 0.05);
}

TEST(CalibratedDevice, KnowsItsOwnError) {
  EXPECT_LT(synthetic_device().mean_error, 0.05);
  EXPECT_GE(synthetic_device().half_width, 0.05);
  EXPECT_EQ(synthetic_device().networks, 25U);
  EXPECT_EQ(synthetic_device().most_samples, 16);
}

TEST(CalibratedDevice, NeverTakesLessForALargerBatch) {
  for (const char* net : {"resnet18", "alexnet", "shufflenet-v2-x1-0", "mnasnet1-0"}) {
    double before = 0;
    for (const std::int64_t batch : {1, 2, 4, 8, 16, 32, 64, 128}) {
      const double now = step_of(asked(net, batch)).total_s();
      EXPECT_GT(now, before) << net << ' ' << batch;
      before = now;
    }
  }
}

TEST(CalibratedDevice, PartsAndNodesAddUp) {
  const Asked a = asked("resnet18", 4, 64);
  const DeviceStep step = step_of(a);
  double nodes = 0;
  for (const OpTime& time : step.nodes) nodes += (time.forward + time.backward + time.update).value;
  ASSERT_EQ(step.nodes.size(), a.graph.nodes.size());
  EXPECT_GT(nodes, 0.8 * step.total_s());
  EXPECT_LT(nodes, step.total_s());
  EXPECT_DOUBLE_EQ(step.total_s(), step.forward_s + step.backward_s + step.optimizer_s + step.rest_s);
}

TEST(CalibratedDevice, InferenceIsTheForwardPassAlone) {
  Asked a = asked("resnet18", 4);
  const DeviceStep train = step_of(a);
  a.job.mode = jobs::Mode::infer;
  const DeviceStep infer = step_of(a);
  EXPECT_DOUBLE_EQ(infer.forward_s, train.forward_s);
  EXPECT_EQ(infer.backward_s, 0);
  EXPECT_EQ(infer.optimizer_s, 0);
}

TEST(CalibratedDevice, AnOptimizerWithMoreStateTakesLonger) {
  Asked a = asked("alexnet", 1);
  double before = -1;
  for (const jobs::Optimizer optimizer :
       {jobs::Optimizer::none, jobs::Optimizer::sgd, jobs::Optimizer::momentum, jobs::Optimizer::adam}) {
    a.job.optimizer = optimizer;
    EXPECT_GT(step_of(a).optimizer_s, before);
    before = step_of(a).optimizer_s;
  }
}

TEST(CalibratedDevice, SaysWhatItHasNotTimed) {
  const Asked a = asked("bert-base", 1);
  const DeviceStep step = step_of(a);
  EXPECT_NE(std::ranges::find(step.untimed, "layer-norm"), step.untimed.end());
  const Prediction p = predict_calibrated(synthetic_device(), {a.job, a.graph, a.cost, test::gpu("t4")});
  EXPECT_TRUE(p.extrapolating);
  EXPECT_THAT(p.warnings.back(), HasSubstr("layer-norm"));
  EXPECT_GT(step.untimed_share, 0);
  // Half a width for what was timed, 1.5 times that outside, and a factor of 3 for what was not timed at all.
  const double half = 1.5 * synthetic_device().half_width + 1.1 * step.untimed_share;
  EXPECT_NEAR(std::log(p.interval.high->value / p.iteration.value), half, 1e-9);
}

TEST(CalibratedDevice, RecurrentLayersThatWereNotTimedLeaveNoUpperEnd) {
  nets::GraphBuilder g("lstm");
  const nets::Tensor x = g.add(nets::Input{{2, 10, 6}}, {});
  const nets::Graph graph = g.finish(g.add(nets::Recurrent{nets::Cell::lstm, 8}, {x}));
  const nets::GraphCost counted = cost(graph);
  const jobs::Job job;
  const Prediction p = predict_calibrated(synthetic_device(), {job, graph, counted, test::gpu("t4")});
  EXPECT_FALSE(p.interval.high);
  EXPECT_THAT(p.warnings.back(), HasSubstr("timed no lstm"));
}

TEST(CalibratedDevice, MarksWhatLiesOutside) {
  const auto outside = [](const Asked& a) {
    return predict_calibrated(synthetic_device(), {a.job, a.graph, a.cost, test::gpu("t4")}).extrapolating;
  };
  EXPECT_FALSE(outside(asked("resnet18", 4, 64)));
  EXPECT_TRUE(outside(asked("resnet18", 1024, 64)));
  Asked half = asked("resnet18", 4, 64);
  half.job.precision = Precision::fp16;
  EXPECT_TRUE(outside(half));
}

TEST(CalibratedDevice, IsTheSameAfterAFile) {
  const std::string text = to_json(CalibratedDevices{{"local", synthetic_device()}}).dump();
  const CalibratedDevices read = calibrated_devices_from_json(text, "local.json");
  EXPECT_EQ(to_json(read).dump(), text);
  const Asked a = asked("googlenet", 2);
  const double there = device_step(read.at("local"), a.graph, a.cost, a.job).total_s();
  EXPECT_NEAR(there / step_of(a).total_s(), 1, 1e-3);
}

TEST(CalibratedDevice, TheSameTimesGiveTheSameBytes) {
  NoProgress none;
  const auto fitted = [&] {
    return to_json(CalibratedDevices{{"local", fit_calibrated_device(test::timed_networks(6), none)}}).dump();
  };
  EXPECT_EQ(fitted(), fitted());
}

TEST(CalibratedDevice, TooLittleIsRefused) {
  NoProgress none;
  EXPECT_THAT(error_of([&] { fit_calibrated_device({}, none); }), HasSubstr("too little was timed"));
  TimedNetwork wrong = test::timed_network("lenet5", 1);
  wrong.forward_s.pop_back();
  const std::vector<TimedNetwork> networks = {wrong};
  EXPECT_THAT(error_of([&] { fit_calibrated_device(networks, none); }), HasSubstr("lenet5"));
}

TEST(CalibratedDevice, FilesThatAreNoneAreRefused) {
  const Json good = to_json(CalibratedDevices{{"local", synthetic_device()}});
  const auto refused = [&](const auto& change) {
    Json bad = good;
    change(bad);
    return error_of([&] { calibrated_devices_from_json(bad.dump(), "local.json"); });
  };
  EXPECT_THAT(refused([](Json& j) { j["schema"] = "other/1"; }), HasSubstr("sextant calibrate"));
  EXPECT_THAT(refused([](Json& j) { j.erase("devices"); }), HasSubstr("'devices' is missing"));
  EXPECT_THAT(refused([](Json& j) { j["devices"]["local"]["threads"] = 0; }),
              HasSubstr("'devices.local.threads' is not above 0"));
  EXPECT_THAT(refused([](Json& j) { j["devices"]["local"]["forward"]["scale"] = -1; }),
              HasSubstr("'devices.local.forward.scale' is negative"));
  EXPECT_THAT(refused([](Json& j) { j["devices"]["local"]["operators"][0]["weights"].push_back(1); }),
              HasSubstr("as many points as there are weights"));
  EXPECT_THAT(refused([](Json& j) { j["devices"]["local"]["operators"][0]["points"][0].push_back(1); }),
              HasSubstr("number of coordinates"));
  EXPECT_THAT(refused([](Json& j) { j["devices"]["local"]["operators"][0]["direction"] = "up"; }),
              HasSubstr("'devices.local.operators[0].direction'"));
}

// What a catalogue's entry names is used without being asked for.
TEST(CalibratedDevice, TheUsualPredictorTakesTheCatalogsFile) {
  const auto file = std::filesystem::path(testing::TempDir()) / "calibrated_device_test.json";
  std::ofstream(file) << to_json(CalibratedDevices{{"local", synthetic_device()}}).dump();
  catalog::Gpu local = test::gpu("t4");
  local.id = "local";
  local.calibration = file.string();
  const Asked a = asked("resnet18", 4);
  const sextant::predict::Setup setup{.catalog = &test::catalog()};
  for (const char* id : {"kernel", "calibrated"}) {
    const auto predictor = predictors().get(id).make(setup);
    const Prediction p = predictor->predict({a.job, a.graph, a.cost, local});
    EXPECT_EQ(p.model, "calibrated");
    EXPECT_NEAR(p.iteration.value / step_of(a).total_s(), 1, 1e-3);
    EXPECT_EQ(predictor->op_times({a.job, a.graph, a.cost, local}).size(), a.graph.nodes.size());
  }
  std::filesystem::remove(file);
}

TEST(CalibratedDevice, ADeviceWithoutCalibrationIsAnError) {
  const auto predictor = predictors().get("calibrated").make({.catalog = &test::catalog()});
  const Asked a = asked("lenet5", 1);
  EXPECT_THAT(error_of([&] {
                (void)predictor->predict({a.job, a.graph, a.cost, test::gpu("t4")});
              }),
              HasSubstr("'t4' is not calibrated"));
}

}  // namespace
}  // namespace sextant::predict
