// The contract of every strategy, run over the registry.
#include <gtest/gtest.h>

#include <cmath>

#include "sextant/parallel/oracle.h"
#include "synthetic.h"

namespace sextant::parallel {
namespace {

class StrategyContract : public testing::TestWithParam<ParallelStrategyInfo> {
 protected:
  // The defaults, and everything that the oracle would try.
  static std::vector<ParallelChoice> choices(const ParallelQuery& query) {
    const ParallelStrategyInfo& strategy = GetParam();
    std::vector<ParallelChoice> list = {{&strategy, Parameters(strategy)}};
    if (strategy.variants == nullptr) return list;
    for (const auto& values : strategy.variants(query, Parameters(strategy))) {
      list.push_back({&strategy, values});
    }
    return list;
  }

  // Networks of two kinds; no strategy refuses both.
  static std::vector<Workload> networks() {
    std::vector<Workload> list;
    for (std::uint64_t i = 0; i < 6; ++i) {
      list.push_back(random_cnn(Rng(7).stream("cnn", i)));
      list.push_back(random_transformer(Rng(7).stream("transformer", i)));
    }
    return list;
  }
};

TEST_P(StrategyContract, StatesItsParametersWithinTheirBounds) {
  const ParallelStrategyInfo& strategy = GetParam();
  EXPECT_FALSE(strategy.summary.empty());
  EXPECT_TRUE(strategy.reference.starts_with("docs/models/"));
  const Workload load = equal_layers(64);
  for (const ParallelChoice& choice : choices(query_of(load, 8, 64))) {
    for (std::size_t i = 0; i < strategy.parameters.size(); ++i) {
      EXPECT_GE(choice.parameters.value(i), strategy.parameters[i].low) << strategy.parameters[i].name;
      EXPECT_LE(choice.parameters.value(i), strategy.parameters[i].high) << strategy.parameters[i].name;
    }
    const ParallelChoice again = parse_strategy(to_string(choice));
    EXPECT_EQ(again.strategy->id, strategy.id);
    for (std::size_t i = 0; i < strategy.parameters.size(); ++i) {
      EXPECT_EQ(again.parameters.value(i), choice.parameters.value(i)) << to_string(choice);
    }
  }
}

// Layers that take less time never make a longer step, whatever joins the devices: cuts of pipelines do not
// run after the fastest balance into messages that are slower.
TEST_P(StrategyContract, FasterDevicesAreNeverSlower) {
  Rng rng(11);
  for (const Workload& drawn : networks()) {
    std::vector<LayerLoad> layers = drawn.layers();
    for (LayerLoad& layer : layers) layer.work = 1e12 * layer.forward.value;
    const Workload slow(layers, drawn.terms());
    for (LayerLoad& layer : layers) {
      const double factor = log_uniform(rng, 0.1, 1);
      layer.forward = factor * layer.forward;
      layer.backward = factor * layer.backward;
    }
    const Workload fast(layers, drawn.terms());
    const ParallelQuery asked = query_of(slow, 8, 64);
    for (const ParallelChoice& choice : choices(asked)) {
      const ParallelResult before = strategy_cost(choice, asked);
      const ParallelResult after = strategy_cost(choice, query_of(fast, 8, 64));
      if (!before || !after || before->fill > 1) continue;
      EXPECT_LE(after->step().value, before->step().value * (1 + 1e-9)) << to_string(choice);
    }
  }
}

TEST_P(StrategyContract, OneDeviceIsNoStrategy) {
  for (const Workload& load : networks()) {
    const ParallelQuery query = query_of(load, 1, 24);
    for (const ParallelChoice& choice : choices(query)) {
      const ParallelResult result = strategy_cost(choice, query);
      ASSERT_TRUE(result) << result.why().reason;
      EXPECT_DOUBLE_EQ(result->step().value, load.step(24).value);
      EXPECT_EQ(result->communication, Seconds{});
      EXPECT_EQ(result->exposed, Seconds{});
      EXPECT_EQ(result->degrees, ParallelDegrees{});
    }
  }
}

TEST_P(StrategyContract, IsUsableFiniteAndDeterministic) {
  int usable = 0;
  for (const Workload& load : networks()) {
    for (const std::int64_t devices : {2, 4, 8, 16}) {
      const ParallelQuery query = query_of(load, devices, 64);
      for (const ParallelChoice& choice : choices(query)) {
        const ParallelResult a = strategy_cost(choice, query);
        const ParallelResult b = strategy_cost(choice, query);
        ASSERT_EQ(static_cast<bool>(a), static_cast<bool>(b));
        if (!a) {
          EXPECT_TRUE(a.why().reason.starts_with(choice.strategy->id + ":")) << a.why().reason;
          continue;
        }
        ++usable;
        EXPECT_EQ(a->step(), b->step());
        for (const Seconds part : {a->compute, a->communication, a->exposed, a->bubble, a->input}) {
          EXPECT_TRUE(std::isfinite(part.value)) << to_string(choice);
          EXPECT_GE(part.value, -1e-12) << to_string(choice);
        }
        EXPECT_GT(a->compute.value, 0);
        EXPECT_GT(a->memory.total().value, 0);
        EXPECT_TRUE(std::isfinite(a->memory.total().value));
        EXPECT_DOUBLE_EQ(a->batch, 64);
        EXPECT_GT(a->efficiency, 0);
        EXPECT_LE(a->efficiency, 1);
      }
    }
  }
  EXPECT_GT(usable, 10);
}

// Nodes of unequal size, some of them empty, batches of any size: an answer or a reason.
TEST_P(StrategyContract, AnswersForOddPlacements) {
  Rng rng = Rng(13).stream("placements");
  const Workload load = random_cnn(rng.stream("net"));
  for (int round = 0; round < 200; ++round) {
    ParallelQuery query = query_of(load, 1, 1 + static_cast<double>(rng.below(64)));
    query.placement.gpus.clear();
    for (std::uint64_t node = 1 + rng.below(5); node > 0; --node) {
      query.placement.gpus.push_back(static_cast<std::int64_t>(rng.below(6)));
    }
    if (query.placement.nodes() < 2 && rng.uniform() < 0.5) query.fabric.across.reset();
    for (const ParallelChoice& choice : choices(query)) {
      const ParallelResult result = strategy_cost(choice, query);
      if (result) {
        EXPECT_TRUE(std::isfinite(result->step().value)) << to_string(choice);
        EXPECT_GT(result->step().value, 0) << to_string(choice);
      } else {
        EXPECT_FALSE(result.why().reason.empty());
      }
    }
  }
}

TEST_P(StrategyContract, NeverBeatsAsManyDevices) {
  for (const Workload& load : networks()) {
    for (const std::int64_t devices : {2, 4, 8, 32}) {
      const ParallelQuery query = query_of(load, devices, 128);
      for (const ParallelChoice& choice : choices(query)) {
        const ParallelResult result = strategy_cost(choice, query);
        if (!result) continue;
        const double share = load.step(128).value / static_cast<double>(devices);
        EXPECT_GE(result->step().value, share * (1 - 1e-9)) << to_string(choice) << " on " << devices;
      }
    }
  }
}

TEST_P(StrategyContract, FasterLinksAreNeverSlower) {
  Rng rng = Rng(11).stream("links");
  for (const Workload& load : networks()) {
    for (const std::int64_t devices : {4, 8, 16}) {
      ParallelQuery slow = query_of(load, devices, 64);
      slow.fabric.inside = {Seconds{log_uniform(rng, 1e-6, 1e-4)}, Bandwidth{log_uniform(rng, 1e9, 1e12)}};
      slow.fabric.across =
          collectives::Path{Seconds{log_uniform(rng, 1e-6, 1e-4)}, Bandwidth{log_uniform(rng, 1e8, 1e11)}};
      ParallelQuery fast = slow;
      const double inside = 1 + 3 * rng.uniform();
      const double across = 1 + 3 * rng.uniform();
      fast.fabric.inside = {slow.fabric.inside.latency / inside, slow.fabric.inside.bandwidth * inside};
      fast.fabric.across =
          collectives::Path{slow.fabric.across->latency / across, slow.fabric.across->bandwidth * across};
      for (const ParallelChoice& choice : choices(slow)) {
        const ParallelResult a = strategy_cost(choice, slow);
        const ParallelResult b = strategy_cost(choice, fast);
        ASSERT_EQ(static_cast<bool>(a), static_cast<bool>(b)) << to_string(choice);
        if (!a) continue;
        EXPECT_LE(b->step().value, a->step().value * (1 + 1e-9)) << to_string(choice) << " on " << devices;
      }
    }
  }
}

TEST_P(StrategyContract, NeedsNoMoreMemoryThanOneDevice) {
  for (const Workload& load : networks()) {
    const double alone = cost_of("data", query_of(load, 1, 128))->memory.total().value;
    for (const std::int64_t devices : {2, 4, 8, 32}) {
      const ParallelQuery query = query_of(load, devices, 128);
      for (const ParallelChoice& choice : choices(query)) {
        const ParallelResult result = strategy_cost(choice, query);
        if (!result) continue;
        EXPECT_LE(result->memory.total().value, alone * (1 + 1e-9)) << to_string(choice) << " on " << devices;
      }
    }
  }
}

// With equal layers, since a pipeline that is cut for balance may hold heavy layers together.
TEST_P(StrategyContract, MoreDevicesNeedNoMoreMemoryEach) {
  const Workload load = equal_layers(64);
  double before = INFINITY;
  for (const std::int64_t devices : {1, 2, 4, 8, 16, 32}) {
    const ParallelResult result = cost_of(GetParam().id, query_of(load, devices, 128, 32));
    ASSERT_TRUE(result) << result.why().reason;
    EXPECT_LE(result->memory.total().value, before * (1 + 1e-9)) << devices;
    before = result->memory.total().value;
  }
}

TEST_P(StrategyContract, SaysWhatKeepsItFromBeingUsed) {
  const Workload load = equal_layers(3);
  ParallelQuery query = query_of(load, 8, 64);
  query.fabric.across.reset();
  const std::string id = GetParam().id;
  const ParallelResult unjoined = cost_of(id, query);
  ASSERT_FALSE(unjoined);
  EXPECT_EQ(unjoined.why().limit, Limit::link);
  EXPECT_EQ(unjoined.why().reason, id + ": no network joins the 2 nodes");
  const ParallelResult empty = cost_of(id, query_of(load, 0, 64));
  ASSERT_FALSE(empty);
  EXPECT_EQ(empty.why().limit, Limit::device);
  for (const double batch : {0.0, -3.0, std::nan(""), HUGE_VAL}) {
    const ParallelResult result = cost_of(id, query_of(load, 2, batch));
    ASSERT_FALSE(result);
    EXPECT_EQ(result.why().limit, Limit::batch);
  }
}

INSTANTIATE_TEST_SUITE_P(Strategies, StrategyContract, testing::ValuesIn(parallel_strategies().all()),
                         [](const testing::TestParamInfo<ParallelStrategyInfo>& test) {
                           std::string name = test.param.id;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace sextant::parallel
