#include "sextant/predict/memory.h"

#include <gtest/gtest.h>

namespace sextant {
namespace {

GraphCost with_parameters(std::int64_t parameters) {
  GraphCost cost;
  cost.total.parameters = parameters;
  return cost;
}

Bytes state(const MemoryNeed& need) {
  return need.weights + need.gradients + need.optimizer;
}

TEST(Memory, BytesPerParameterFollowTheOptimizer) {
  const GraphCost one = with_parameters(1);
  TrainingJob job;
  job.optimizer = Optimizer::sgd;
  EXPECT_EQ(state(memory_need(one, job)), Bytes{8});
  job.optimizer = Optimizer::momentum;
  EXPECT_EQ(state(memory_need(one, job)), Bytes{12});
  job.optimizer = Optimizer::adam;
  EXPECT_EQ(state(memory_need(one, job)), Bytes{16});
  job.precision = Precision::fp16;  // 2 + 2 + 4 + 4 + 4
  EXPECT_EQ(state(memory_need(one, job)), Bytes{16});
}

TEST(Memory, ResNet50WithMomentumKeeps307MegabytesOfState) {
  TrainingJob job;
  job.optimizer = Optimizer::momentum;
  EXPECT_NEAR(state(memory_need(with_parameters(25557032), job)).value, 306.68e6, 0.01e6);
}

TEST(Memory, InferenceKeepsNeitherGradientsNorState) {
  TrainingJob job;
  job.mode = Mode::infer;
  job.optimizer = Optimizer::adam;
  GraphCost cost = with_parameters(10);
  cost.live_peak = Bytes{100};
  cost.total.saved = Bytes{1000};
  const MemoryNeed need = memory_need(cost, job);
  EXPECT_EQ(state(need), Bytes{40});
  EXPECT_EQ(need.activations, Bytes{100});
}

TEST(Memory, TrainingKeepsWhatTheBackwardPassNeeds) {
  TrainingJob job;
  GraphCost cost = with_parameters(0);
  cost.total.saved = Bytes{1000};
  EXPECT_EQ(memory_need(cost, job).activations, Bytes{1000});
}

}  // namespace
}  // namespace sextant
