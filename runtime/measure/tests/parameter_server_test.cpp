// Staleness: what the bound promises, with workers whose speed is drawn anew at every iteration.
#include <gmock/gmock.h>

#include <atomic>
#include <chrono>

#include "ps_server.h"
#include "strategy_runs.h"

namespace sextant::measure {
namespace {

// Watches who is where. A worker has finished an iteration at the latest when its server counts it, and at
// the earliest when its backward pass begins; so a lead measured here is never larger than the real one.
struct Race {
  explicit Race(std::size_t workers) : started(workers), computed(workers) {}
  std::vector<std::atomic<std::int64_t>> started;
  std::vector<std::atomic<std::int64_t>> computed;
  std::atomic<std::int64_t> largest_lead = 0;
  std::int64_t held_until = 0;  // worker 0 computes its first step until somebody has this lead

  void hold() const {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (largest_lead < held_until && std::chrono::steady_clock::now() < end) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }

  void begin(std::size_t worker) {
    const std::int64_t clock = started[worker]++;
    std::int64_t least = clock;
    for (const auto& other : computed) least = std::min(least, other.load());
    std::int64_t seen = largest_lead;
    while (clock - least > seen && !largest_lead.compare_exchange_weak(seen, clock - least)) {
    }
  }
};

RunOptions race_options(Race& race, const std::string& strategy, std::uint64_t seed, bool slow_one) {
  const auto workers = static_cast<std::int64_t>(race.started.size());
  RunOptions options{.trial = small_trial(strategy, workers, 2), .steps = 12};
  options.replicas = [&race, seed, slow_one](std::int64_t rank) -> ReplicaFactory {
    return [&race, seed, slow_one, rank](std::int64_t) {
      const auto worker = static_cast<std::size_t>(rank);
      auto rng = std::make_shared<Rng>(Rng(seed).stream("delay", static_cast<std::uint64_t>(rank)));
      return std::make_unique<LeastSquares>(1, [&race, rng, worker, slow_one] {
        race.begin(worker);
        const double mean_us = slow_one && worker == 0 ? 3000 : 300;
        std::this_thread::sleep_for(std::chrono::microseconds(static_cast<int>(rng->exponential(mean_us))));
        if (worker == 0 && race.computed[worker] == 0) race.hold();
        ++race.computed[worker];
      });
    };
  };
  return options;
}

TEST(StaleSynchronous, NobodyIsFurtherAheadThanTheBound) {
  for (const std::int64_t bound : {0, 1, 3}) {
    for (std::uint64_t seed = 0; seed < 4; ++seed) {
      Race race(4);
      run_strategy(race_options(race, "ps-ssp:bound=" + std::to_string(bound), seed, seed % 2 == 0));
      EXPECT_LE(race.largest_lead, bound) << "seed " << seed;
    }
  }
}

TEST(StaleSynchronous, FastWorkersUseTheBoundAndWithoutOneGoBeyond) {
  Race bounded(3);
  bounded.held_until = 3;
  run_strategy(race_options(bounded, "ps-ssp:bound=3", 5, false));
  EXPECT_EQ(bounded.largest_lead, 3) << "while one computes, the others get as far as they may";
  Race free(3);
  free.held_until = 4;
  run_strategy(race_options(free, "ps-async", 5, false));
  EXPECT_GT(free.largest_lead, 3);
}

TEST(Asynchronous, AppliesEveryPush) {
  for (const char* strategy : {"ps-async", "ps-ssp:bound=2"}) {
    for (const std::int64_t workers : {1, 2, 5}) {
      RunOptions options{.trial = small_trial(strategy, workers, 2), .steps = 8, .global_batch = 20};
      options.trial.job.optimizer = jobs::Optimizer::none;
      const auto runs = run_strategy(options);
      // Rank 0 asks when it has pushed all of its own; the others may be behind, by the bound at most.
      EXPECT_GE(runs[0].checkpoint.updates, 8) << strategy;
      EXPECT_LE(runs[0].checkpoint.updates, 8 * workers) << strategy;
    }
  }
}

// Gradients that do not depend on the parameters: then the order of updates does not matter, and plain SGD
// ends at start - rate * (sum of all pushes), whoever came first.
class ConstantGradient final : public Replica {
 public:
  explicit ConstantGradient(float slope) : slope_(slope) {}
  [[nodiscard]] const std::vector<TensorPart>& tensors() const override { return parts_; }
  std::span<float> parameters() override { return parameters_; }
  std::span<float> gradients() override { return gradients_; }
  std::span<float> statistics() override { return {}; }
  double forward(const input::Batch&) override { return 0; }
  void backward(const std::function<void(std::size_t)>& ready) override {
    std::ranges::fill(gradients_, slope_);
    ready(0);
    ready(1);
  }
  TestScore evaluate(const input::Batch&) override { return {}; }
  std::vector<float> outputs(const input::Batch&) override { return {}; }

 private:
  float slope_;
  std::vector<TensorPart> parts_ = {{"a", 0, 50}, {"b", 50, 14}};
  std::vector<float> parameters_ = std::vector<float>(64, 1.0F);
  std::vector<float> gradients_ = std::vector<float>(64);
};

TEST(Asynchronous, LosesNoUpdate) {
  constexpr std::int64_t kWorkers = 4;
  constexpr std::int64_t kSteps = 50;
  RunOptions options{.trial = small_trial("ps-async", kWorkers, 2), .steps = kSteps};
  options.trial.learning_rate = 1.0 / 1024;  // sums of these are exact
  options.replicas = [](std::int64_t rank) -> ReplicaFactory {
    return [rank](std::int64_t) { return std::make_unique<ConstantGradient>(static_cast<float>(1 << rank)); };
  };
  // The parameters that the last worker to finish pulled contain every push.
  const auto runs = run_strategy(options);
  const float expected = 1.0F - static_cast<float>(kSteps * (1 + 2 + 4 + 8)) / 1024;
  for (std::size_t i = 0; i < runs[0].parameters.size(); ++i) {
    float least = 1;
    for (const RankRun& run : runs) {
      if (!run.parameters.empty()) least = std::min(least, run.parameters[i]);
    }
    EXPECT_EQ(least, expected) << i;
  }
}

TEST(ParameterServer, AMessageThatIsNoneEndsTheServer) {
  ThreadHub hub(1, 1);
  ThreadTransport worker(hub, 0);
  ThreadTransport server(hub, 1);
  const Trial trial = small_trial("ps-sync", 1, 1);
  StrategySetup setup = setup_for(trial, 1, {});
  setup.transport = &server;
  ServerHead nonsense;
  nonsense.magic = 7;
  worker.send(1, kServerTag, bytes_of(nonsense));
  EXPECT_THROW(PsServer(setup, {}).serve(), SystemError);
  ServerHead beyond;
  beyond.call = ServerCall::push;
  beyond.index = 1000;
  worker.send(1, kServerTag, bytes_of(beyond));
  EXPECT_THROW(PsServer(setup, {}).serve(), SystemError);
  ServerHead huge;
  huge.call = ServerCall::hello;
  huge.index = std::int64_t{1} << 60;
  worker.send(1, kServerTag, bytes_of(huge));
  EXPECT_THROW(PsServer(setup, {}).serve(), SystemError);
}

}  // namespace
}  // namespace sextant::measure
