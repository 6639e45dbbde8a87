// Runs a strategy over threads: a thread for each rank, the transport of thread_transport.h between them.
#pragma once

#include <exception>
#include <functional>
#include <thread>
#include <vector>

#include "least_squares.h"
#include "sextant/core/plugin_text.h"
#include "sextant/measure/thread_transport.h"
#include "sextant/measure/training_strategy.h"

namespace sextant::measure {

struct RankRun {
  std::vector<double> losses;
  std::vector<float> parameters;
  std::vector<IterationTimes> times;
  TrainingCheckpoint checkpoint;  // rank 0's, at the end
};

struct RunOptions {
  Trial trial;
  std::int64_t steps = 20;
  std::size_t global_batch = 24;
  std::function<ReplicaFactory(std::int64_t rank)> replicas = [](std::int64_t) {
    return [](std::int64_t) { return std::make_unique<LeastSquares>(1); };
  };
  const TrainingCheckpoint* from = nullptr;
  SampleKind samples = {};
};

inline Trial small_trial(const std::string& strategy, std::int64_t workers, std::int64_t servers = 0) {
  Trial trial;
  trial.strategy = strategy;
  trial.workers = workers;
  trial.servers = servers;
  trial.learning_rate = 0.002;
  trial.bucket_mb = 1.0 / 16384;  // 16 values: several buckets, and a tail
  return trial;
}

inline StrategySetup setup_for(const Trial& trial, std::int64_t rank, const ReplicaFactory& factory) {
  const PluginText text = split_plugin_text(trial.strategy);
  return {.trial = trial,
          .parameters = parameters_of(training_strategies().get(text.id), text),
          .rank = rank,
          .make_replica = factory};
}

inline RankRun train_rank(TrainingStrategy& strategy, const RunOptions& options, std::int64_t rank) {
  RankRun run;
  if (rank >= options.trial.workers) {
    strategy.serve();
    return run;
  }
  const auto& info = training_strategies().get(split_plugin_text(options.trial.strategy).id);
  const auto parts = static_cast<std::size_t>(info.distributed ? options.trial.workers : 1);
  const std::size_t share = options.global_batch / parts;
  const std::int64_t first = options.from != nullptr ? options.from->iteration : 0;
  if (options.from != nullptr) strategy.restore(*options.from);
  strategy.begin();
  for (std::int64_t i = first; i < options.steps; ++i) {
    const input::Batch batch = drawn_samples(i, static_cast<std::size_t>(rank) * share, share);
    const StepOutcome outcome = strategy.step(i, batch);
    run.losses.push_back(outcome.loss);
    run.times.push_back(outcome.times);
  }
  if (rank == 0) {
    run.checkpoint = strategy.save();
    run.checkpoint.iteration = options.steps;
  }
  strategy.finish();
  const auto parameters = strategy.replica().parameters();
  run.parameters.assign(parameters.begin(), parameters.end());
  return run;
}

// Throws what the first rank threw that failed; the others are released.
inline std::vector<RankRun> run_strategy(const RunOptions& options) {
  const auto& info = training_strategies().get(split_plugin_text(options.trial.strategy).id);
  const std::int64_t ranks = info.distributed ? options.trial.workers + options.trial.servers : 1;
  ThreadHub hub(options.trial.workers, options.trial.servers);
  std::vector<RankRun> runs(static_cast<std::size_t>(ranks));
  std::mutex mutex;
  std::exception_ptr error;
  {
    std::vector<std::jthread> threads;
    for (std::int64_t rank = 0; rank < ranks; ++rank) {
      threads.emplace_back([&, rank] {
        try {
          ThreadTransport transport(hub, rank);
          StrategySetup setup = setup_for(options.trial, rank, options.replicas(rank));
          setup.samples = options.samples;
          setup.transport = info.distributed ? &transport : nullptr;
          const auto strategy = info.make(setup);
          runs[static_cast<std::size_t>(rank)] = train_rank(*strategy, options, rank);
        } catch (...) {
          const std::lock_guard lock(mutex);
          if (!error) error = std::current_exception();
          hub.close();
        }
      });
    }
  }
  if (error) std::rethrow_exception(error);
  return runs;
}

}  // namespace sextant::measure
