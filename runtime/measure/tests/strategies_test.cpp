// The contract of training strategies, over the whole table: what synchronous ones compute is what one worker
// with the same global batch computes.
#include <gmock/gmock.h>

#include <cmath>
#include <set>

#include "strategy_runs.h"

namespace sextant::measure {
namespace {

using testing::HasSubstr;

struct StrategyCase {
  std::string strategy;
  std::int64_t workers;
  std::int64_t servers;
  bool overlap = true;
  jobs::Optimizer optimizer = jobs::Optimizer::sgd;
};
std::string describe(const StrategyCase& c) {
  return c.strategy + " W" + std::to_string(c.workers) + " S" + std::to_string(c.servers) +
         (c.overlap ? " overlap " : " ") + to_string(c.optimizer);
}

Trial trial_of(const StrategyCase& c) {
  Trial trial = small_trial(c.strategy, c.workers, c.servers);
  trial.overlap = c.overlap;
  trial.job.optimizer = c.optimizer;
  return trial;
}

std::vector<StrategyCase> synchronous_cases() {
  std::vector<StrategyCase> cases;
  for (const jobs::Optimizer optimizer :
       {jobs::Optimizer::sgd, jobs::Optimizer::momentum, jobs::Optimizer::adam}) {
    for (const bool overlap : {false, true}) {
      for (const std::int64_t workers : {1, 2, 4}) {
        cases.push_back({"mirrored", workers, 0, overlap, optimizer});
        cases.push_back({"all-reduce", workers, 0, overlap, optimizer});
        // The mean of parameters is that of gradients where updates are linear in them.
        if (optimizer != jobs::Optimizer::adam)
          cases.push_back({"local-sgd", workers, 0, overlap, optimizer});
        cases.push_back({"ps-sync", workers, 1, overlap, optimizer});
        cases.push_back({"ps-sync", workers, 3, overlap, optimizer});
        cases.push_back({"ps-ssp:bound=0", 1, 2, overlap, optimizer});
        cases.push_back({"ps-async", 1, 2, overlap, optimizer});
      }
    }
  }
  return cases;
}

double mean_loss(const std::vector<RankRun>& runs, std::size_t step) {
  double sum = 0;
  std::size_t count = 0;
  for (const RankRun& run : runs) {
    if (run.losses.empty()) continue;
    sum += run.losses[step];
    ++count;
  }
  return sum / static_cast<double>(count);
}

TEST(TrainingStrategies, HaveTheDocumentedIds) {
  std::set<std::string> ids;
  for (const auto& info : training_strategies().all()) {
    ids.insert(info.id);
    EXPECT_FALSE(info.summary.empty());
    EXPECT_FALSE(info.reference.empty());
    EXPECT_TRUE(info.distributed || !info.servers) << info.id;
  }
  EXPECT_EQ(ids, (std::set<std::string>{"single", "mirrored", "all-reduce", "local-sgd", "ps-sync", "ps-ssp",
                                        "ps-async"}));
}

TEST(TrainingStrategies, SynchronousOnesFollowOneWorkerWithTheSameGlobalBatch) {
  for (const StrategyCase& c : synchronous_cases()) {
    const auto alone = run_strategy({.trial = trial_of({"single", 1, 0, true, c.optimizer})});
    const auto together = run_strategy({.trial = trial_of(c)});
    for (std::size_t step = 0; step < alone[0].losses.size(); ++step) {
      ASSERT_NEAR(mean_loss(together, step), alone[0].losses[step], 1e-5 * alone[0].losses[0])
          << describe(c) << " step " << step;
    }
    for (std::int64_t rank = 0; rank < static_cast<std::int64_t>(together.size()); ++rank) {
      const auto& parameters = together[static_cast<std::size_t>(rank)].parameters;
      if (parameters.empty()) continue;  // a server
      for (std::size_t i = 0; i < parameters.size(); ++i) {
        ASSERT_NEAR(parameters[i], alone[0].parameters[i], 2e-6) << describe(c) << " value " << i;
      }
      ASSERT_EQ(parameters, together[0].parameters) << describe(c) << ": ranks differ";
    }
  }
}

TEST(TrainingStrategies, LearnAndAreTheSameToTheBitAgain) {
  for (const StrategyCase& c : synchronous_cases()) {
    const auto first = run_strategy({.trial = trial_of(c)});
    const auto second = run_strategy({.trial = trial_of(c)});
    EXPECT_EQ(first[0].parameters, second[0].parameters) << describe(c);
    EXPECT_LT(first[0].losses.back(), first[0].losses.front()) << describe(c);
  }
}

TEST(TrainingStrategies, TimesAddUp) {
  for (const auto& info : training_strategies().all()) {
    const auto runs =
        run_strategy({.trial = small_trial(info.id, info.id == "single" ? 1 : 2, info.servers)});
    for (const RankRun& run : runs) {
      for (const IterationTimes& t : run.times) {
        for (const double part : {t.input_s, t.forward_s, t.backward_s, t.communication_s,
                                  t.exposed_communication_s, t.optimizer_s}) {
          EXPECT_GE(part, 0) << info.id;
        }
        EXPECT_LE(t.exposed_communication_s, t.communication_s) << info.id;
        const double sum = t.input_s + t.forward_s + t.backward_s + t.exposed_communication_s + t.optimizer_s;
        EXPECT_NEAR(sum, t.total_s, 1e-9) << info.id << ": phases leave no gap";
        if (info.distributed) {
          EXPECT_GT(t.communication_s, 0) << info.id;
        }
      }
    }
  }
}

// Two workers whose steps are followed here one by one, each from the last mean.
TEST(TrainingStrategies, LocalOnesMeetAfterTheirSteps) {
  Trial trial = small_trial("local-sgd:steps=4", 2);
  trial.job.optimizer = jobs::Optimizer::sgd;
  const auto together = run_strategy({.trial = trial, .steps = 8, .global_batch = 24});
  std::vector<std::unique_ptr<LeastSquares>> models;
  for (int worker = 0; worker < 2; ++worker) models.push_back(std::make_unique<LeastSquares>(1));
  for (std::int64_t i = 0; i < 8; ++i) {
    for (std::size_t worker = 0; worker < 2; ++worker) {
      LeastSquares& model = *models[worker];
      const input::Batch batch = drawn_samples(i, worker * 12, 12);
      const double loss = model.forward(batch);
      EXPECT_NEAR(together[worker].losses[static_cast<std::size_t>(i)], loss, 1e-5 * loss)
          << worker << " " << i;
      model.backward([](std::size_t) {});
      for (std::size_t k = 0; k < model.parameters().size(); ++k)
        model.parameters()[k] -= 0.002F * model.gradients()[k];
    }
    if (i % 4 != 3) continue;
    for (std::size_t k = 0; k < models[0]->parameters().size(); ++k) {
      const float mean = (models[0]->parameters()[k] + models[1]->parameters()[k]) / 2;
      models[0]->parameters()[k] = models[1]->parameters()[k] = mean;
    }
  }
  for (const RankRun& run : together) {
    ASSERT_EQ(run.times.size(), 8U);
    for (std::size_t i = 0; i < 8; ++i) EXPECT_EQ(run.times[i].communication_s > 0, i % 4 == 3);
  }
}

TEST(TrainingStrategies, GoOnFromACheckpointWithOtherNumbersOfRanks) {
  for (const jobs::Optimizer optimizer :
       {jobs::Optimizer::sgd, jobs::Optimizer::momentum, jobs::Optimizer::adam}) {
    const auto whole = run_strategy({.trial = trial_of({"single", 1, 0, true, optimizer}), .steps = 20});
    for (const StrategyCase& before :
         {StrategyCase{"ps-sync", 4, 3}, {"all-reduce", 3, 0}, {"mirrored", 2, 0}}) {
      StrategyCase first = before;
      first.optimizer = optimizer;
      auto half = run_strategy({.trial = trial_of(first), .steps = 10});
      EXPECT_EQ(half[0].checkpoint.updates, 10) << describe(first);
      for (StrategyCase after : {StrategyCase{"ps-sync", 2, 2}, {"all-reduce", 2, 0}, {"mirrored", 4, 0}}) {
        after.optimizer = optimizer;
        const auto rest = run_strategy({.trial = trial_of(after), .steps = 20, .from = &half[0].checkpoint});
        ASSERT_EQ(rest[0].losses.size(), 10U);
        for (std::size_t i = 0; i < rest[0].parameters.size(); ++i) {
          ASSERT_NEAR(rest[0].parameters[i], whole[0].parameters[i], 2e-6)
              << describe(first) << " then " << describe(after);
        }
      }
    }
  }
}

TEST(TrainingStrategies, RefuseACheckpointOfAnotherNetworkOrOptimizer) {
  for (const char* id : {"single", "mirrored", "all-reduce", "ps-sync"}) {
    const bool servers = training_strategies().get(id).servers;
    auto run = run_strategy({.trial = small_trial(id, 1, servers), .steps = 3});
    TrainingCheckpoint other = run[0].checkpoint;
    other.parameters.pop_back();
    EXPECT_THROW(run_strategy({.trial = small_trial(id, 1, servers), .from = &other}), InputError) << id;
    other = run[0].checkpoint;
    other.optimizer = jobs::Optimizer::adam;
    EXPECT_THROW(run_strategy({.trial = small_trial(id, 1, servers), .from = &other}), InputError) << id;
  }
}

TEST(TrainingStrategies, WorkersThatStartFromDifferentParametersAreStopped) {
  for (const char* id : {"all-reduce", "ps-sync", "ps-async"}) {
    RunOptions options{.trial = small_trial(id, 3, training_strategies().get(id).servers ? 2 : 0)};
    options.replicas = [](std::int64_t rank) -> ReplicaFactory {
      return [rank](std::int64_t) { return std::make_unique<LeastSquares>(rank == 2 ? 9 : 1); };
    };
    try {
      run_strategy(options);
      ADD_FAILURE() << id;
    } catch (const SystemError& error) {
      EXPECT_THAT(error.what(), HasSubstr("different parameters")) << id;
    }
  }
}

// What a worker draws while it trains is its own: each replica is made for another worker.
TEST(TrainingStrategies, EachReplicaIsOfAWorkerOfItsOwn) {
  for (const auto& info : training_strategies().all()) {
    const std::int64_t workers = info.id == "single" ? 1 : 3;
    RunOptions options{.trial = small_trial(info.id, workers, info.servers), .steps = 2};
    std::mutex mutex;
    std::vector<std::int64_t> made;
    options.replicas = [&](std::int64_t) -> ReplicaFactory {
      return [&](std::int64_t worker) {
        const std::lock_guard lock(mutex);
        made.push_back(worker);
        return std::make_unique<LeastSquares>(1);
      };
    };
    run_strategy(options);
    std::ranges::sort(made);
    EXPECT_EQ(made, workers == 1 ? std::vector<std::int64_t>{0} : (std::vector<std::int64_t>{0, 1, 2}))
        << info.id;
  }
}

TEST(TrainingStrategies, AFailingReplicaEndsTheRunWithItsError) {
  for (const auto& info : training_strategies().all()) {
    for (const bool overlap : {false, true}) {
      RunOptions options{.trial = small_trial(info.id, info.id == "single" ? 1 : 2, info.servers)};
      options.trial.overlap = overlap;
      const auto calls = std::make_shared<std::atomic<int>>(0);
      options.replicas = [calls](std::int64_t rank) -> ReplicaFactory {
        return [calls, rank](std::int64_t) {
          return std::make_unique<LeastSquares>(1, [calls, rank] {
            if (rank == 0 && ++*calls == 6) throw InputError("bad sample");
          });
        };
      };
      EXPECT_THROW(run_strategy(options), InputError) << info.id;
    }
  }
}

}  // namespace
}  // namespace sextant::measure
