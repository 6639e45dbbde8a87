// Contract of every predictor: laws that hold whatever the model.
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "builtin.h"
#include "sextant/nets/network.h"
#include "sextant/predict/per_layer.h"
#include "sextant/predict/predictor.h"
#include "synthetic_device.h"

namespace sextant::predict {
namespace {

using test::catalog;

// Lines for every GPU, as if layers ran at half of its peak after 10 us.
std::string layer_model() {
  std::vector<LayerRecord> records;
  for (const catalog::Gpu& gpu : catalog().gpus.all()) {
    for (const char* type : {"conv", "fc", "pool", "relu", "loss", "data-load", "optimizer"}) {
      for (const Direction direction : {Direction::forward, Direction::backward}) {
        for (const double count : {1e6, 1e7, 1e8, 1e9}) {
          records.push_back({gpu.id, type, direction, count, Seconds{1e-5} + 2 * Flops{count} / gpu.fp32});
        }
      }
    }
  }
  return fit_per_layer(records, {}, catalog()).dump();
}

// One device for all of them, from a few networks: the text holds it once for each.
std::string calibrated_model() {
  NoProgress none;
  const CalibratedDevice device = fit_calibrated_device(test::timed_networks(3), none);
  CalibratedDevices devices;
  for (const catalog::Gpu& gpu : catalog().gpus.all()) devices[gpu.id] = device;
  return to_json(devices).dump();
}

// What a predictor cannot do without, besides the question.
Setup setup_for(PredictorNeed need) {
  Setup setup;
  setup.catalog = &catalog();
  if (need == PredictorNeed::layer_model) setup.model = layer_model();
  if (need == PredictorNeed::device_model) setup.model = calibrated_model();
  if (need == PredictorNeed::measured_steps) {
    setup.from = "v100-sxm2-16gb";
    jobs::Job job;
    job.net = "resnet50";
    setup.measured = {{.job = job, .gpu = setup.from, .step = Seconds{0.02}}};
  }
  return setup;
}

class EveryPredictor : public testing::TestWithParam<std::string> {
 protected:
  [[nodiscard]] Prediction ask(const std::string& net, std::int64_t batch, const catalog::Gpu& gpu) const {
    jobs::Job job;
    job.net = net;
    job.sizes.batch = batch;
    const nets::Graph graph = build(nets::zoo().get(net), job.sizes);
    const nets::GraphCost counted = cost(graph);
    return predictor_->predict({job, graph, counted, gpu});
  }
  [[nodiscard]] StepParts parts(const std::string& net, std::int64_t batch, const catalog::Gpu& gpu) const {
    jobs::Job job;
    job.net = net;
    job.sizes.batch = batch;
    const nets::Graph graph = build(nets::zoo().get(net), job.sizes);
    const nets::GraphCost counted = cost(graph);
    return predictor_->parts({job, graph, counted, gpu});
  }

 private:
  const PredictorInfo& info_ = predictors().get(GetParam());
  std::unique_ptr<Predictor> predictor_ = info_.make(setup_for(info_.needs));
};

TEST_P(EveryPredictor, IsFiniteAndPositiveOnEveryGpu) {
  for (const catalog::Gpu& gpu : catalog().gpus.all()) {
    const Prediction p = ask("resnet18", 16, gpu);
    EXPECT_TRUE(std::isfinite(p.iteration.value) && p.iteration > Seconds{}) << gpu.id;
    EXPECT_LE(p.interval.low, p.iteration) << gpu.id;
    EXPECT_GE(p.interval.high.value_or(p.iteration), p.iteration) << gpu.id;
    EXPECT_NEAR(p.breakdown.total().value, p.iteration.value, 1e-9 * p.iteration.value) << gpu.id;
  }
}

TEST_P(EveryPredictor, AnswersTheSameTwice) {
  const catalog::Gpu& gpu = catalog().gpus.get("v100");
  EXPECT_EQ(ask("resnet50", 32, gpu).iteration, ask("resnet50", 32, gpu).iteration);
}

TEST_P(EveryPredictor, ALargerBatchNeverTakesLess) {
  const catalog::Gpu& gpu = catalog().gpus.get("t4");
  Seconds before;
  for (const std::int64_t batch : {1, 2, 4, 8, 16, 32, 64, 128}) {
    const Seconds now = ask("resnet18", batch, gpu).iteration;
    EXPECT_GE(now, before) << batch;
    before = now;
  }
}

TEST_P(EveryPredictor, AFasterDeviceNeverTakesLonger) {
  const catalog::Gpu slow = catalog().gpus.get("t4");
  catalog::Gpu fast = slow;
  fast.fp32 = 2 * slow.fp32;
  EXPECT_LE(ask("vgg16", 8, fast).iteration, ask("vgg16", 8, slow).iteration);
  fast.memory_bandwidth = 2 * slow.memory_bandwidth;
  EXPECT_LE(ask("vgg16", 8, fast).iteration, ask("vgg16", 8, slow).iteration);
}

Seconds sum_of(const std::vector<OpTime>& ops) {
  Seconds sum;
  for (const OpTime& op : ops) sum += op.forward + op.backward + op.update;
  return sum;
}

// 24 lies between batches that stacks were fitted on, where parts may differ a little from the step.
TEST_P(EveryPredictor, PartsAddUpToTheStep) {
  for (const char* net : {"resnet50", "vgg16", "alexnet"}) {
    for (const std::int64_t batch : {1, 16, 24}) {
      for (const char* id : {"t4", "v100", "a100"}) {
        const catalog::Gpu& gpu = catalog().gpus.get(id);
        const StepParts p = parts(net, batch, gpu);
        const double step = ask(net, batch, gpu).iteration.value;
        const double sum = (side_by_side(sum_of(p.device), sum_of(p.host)) + p.input).value;
        EXPECT_NEAR(sum, step, 0.05 * step) << net << " " << batch << " on " << id;
      }
    }
  }
}

// One network hardly fills the device, the other is all arithmetic: what the one waits for is no longer where
// the rest of the step is faster.
TEST_P(EveryPredictor, NoPartTakesLongerOnAFasterDevice) {
  const catalog::Gpu slow = catalog().gpus.get("t4");
  for (const char* net : {"alexnet", "mobilenet-v2"}) {
    for (const double factor : {2.0, 8.0}) {
      catalog::Gpu fast = slow;
      fast.fp32 = factor * slow.fp32;
      const StepParts before = parts(net, 8, slow);
      const StepParts after = parts(net, 8, fast);
      ASSERT_EQ(after.device.size(), before.device.size());
      for (std::size_t i = 0; i < after.device.size(); ++i) {
        for (const auto part : {&OpTime::forward, &OpTime::backward, &OpTime::update}) {
          EXPECT_LE((after.device[i].*part).value, (before.device[i].*part).value * (1 + 1e-9)) << net << i;
          if (i >= after.host.size()) continue;
          EXPECT_DOUBLE_EQ((after.host[i].*part).value, (before.host[i].*part).value) << net << i;
        }
      }
    }
  }
}

TEST_P(EveryPredictor, FitsExactlyWhenTheNeedIsWithinTheDevice) {
  catalog::Gpu gpu = catalog().gpus.get("v100");
  const Prediction p = ask("resnet50", 32, gpu);
  const double share = plannable_memory(gpu) / gpu.memory;
  gpu.memory = (p.memory.total() + Bytes{1}) / share;
  EXPECT_TRUE(ask("resnet50", 32, gpu).fits);
  gpu.memory = (p.memory.total() - Bytes{1}) / share;
  EXPECT_FALSE(ask("resnet50", 32, gpu).fits);
}

std::vector<std::string> ids() {
  std::vector<std::string> all;
  for (const auto& info : predictors().all()) all.push_back(info.id);
  return all;
}

INSTANTIATE_TEST_SUITE_P(Registry, EveryPredictor, testing::ValuesIn(ids()));

}  // namespace
}  // namespace sextant::predict
