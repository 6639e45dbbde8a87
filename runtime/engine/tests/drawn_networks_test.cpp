// What calibrations time besides random networks can be trained, and every operator of it shows a time.
#include <gtest/gtest.h>

#include <cmath>

#include "sextant/engine/executor.h"
#include "sextant/measure/drawn_network.h"

namespace sextant::engine {
namespace {

class DrawnNetworks : public testing::TestWithParam<std::uint64_t> {};

TEST_P(DrawnNetworks, AreTimedOperatorByOperator) {
  const nets::Graph graph = build(measure::drawn_network(GetParam()), {.batch = 2});
  const auto timings = profile_operators(graph, {.engine = {}, .warmup = 0, .repetitions = 1});
  double backward = 0;
  for (const measure::OperatorTiming& timing : timings) {
    EXPECT_TRUE(std::isfinite(timing.forward_s) && timing.forward_s >= 0) << timing.name;
    EXPECT_TRUE(std::isfinite(timing.backward_s) && timing.backward_s >= 0) << timing.name;
    backward += timing.backward_s;
  }
  EXPECT_GT(timings.size(), 10U);
  EXPECT_GT(backward, 0);
}

TEST_P(DrawnNetworks, HaveALossWithAValue) {
  const auto replica = make_replica(build(measure::drawn_network(GetParam()), {.batch = 2}), {.seed = 3});
  EXPECT_TRUE(std::isfinite(replica->forward({})));
  replica->backward([](std::size_t) {});
}

INSTANTIATE_TEST_SUITE_P(Families, DrawnNetworks, testing::Range<std::uint64_t>(0, measure::kDrawnFamilies));

}  // namespace
}  // namespace sextant::engine
