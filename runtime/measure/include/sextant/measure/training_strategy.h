// How a job is spread over processes, one file each in runtime/measure/strategies: who computes which
// gradients, and how they meet. A strategy sees replicas and a transport, never libtorch.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "sextant/core/registry.h"
#include "sextant/measure/checkpoint.h"
#include "sextant/measure/flat_optimizer.h"
#include "sextant/measure/outcome.h"
#include "sextant/measure/replica.h"
#include "sextant/measure/span_recorder.h"
#include "sextant/measure/transport.h"
#include "sextant/measure/trial.h"

namespace sextant::measure {

// The images that a network is trained on; no classes: it reads drawn input.
struct SampleKind {
  input::SampleShape shape = {};
  std::int64_t classes = 0;
};

// What a process is given. Servers and workers get the same.
struct StrategySetup {
  const Trial& trial;
  Parameters parameters = {};
  std::int64_t rank = 0;
  ReplicaFactory make_replica;
  Transport* transport = nullptr;      // none for a single process
  SpanRecorder* spans = nullptr;       // none: not asked for
  std::function<void()> beat = [] {};  // a sign of life, while something long goes on
  SampleKind samples = {};
};

struct StepOutcome {
  double loss = 0;  // of this worker's samples
  IterationTimes times;
};

// One worker's part. The batch of a strategy with several replicas in one process holds all their samples.
class TrainingStrategy {
 public:
  virtual ~TrainingStrategy() = default;
  virtual StepOutcome step(std::int64_t iteration, const input::Batch& batch) = 0;
  virtual Replica& replica() = 0;          // holding the current parameters, for evaluation and checkpoints
  virtual FlatOptimizer* optimizer() = 0;  // none where servers have it
  // What a checkpoint keeps besides the iteration; both are called between steps. A strategy with servers
  // asks them for what they hold, all as of one moment.
  virtual TrainingCheckpoint save();
  virtual void restore(const TrainingCheckpoint& checkpoint);
  // After restore(), before the first step: ranks agree on what they start from.
  virtual void begin() {}
  // Servers return at once from their constructor and do their work here, until all workers are finished.
  virtual void serve() {}
  // Workers tell servers that they are done, and wait for each other.
  virtual void finish() {}
};

struct TrainingStrategyInfo : PluginInfo {
  static constexpr PluginKind kKind = {"training-strategy", "training-strategies",
                                       "ways to spread training over processes here", "strategy"};

  std::vector<std::string> aliases = {};
  bool distributed = false;  // one process a worker, needs a transport
  bool servers = false;      // needs at least one server process
  std::unique_ptr<TrainingStrategy> (*make)(const StrategySetup&) = nullptr;
  // InputError for parameters that do not go together, or not with the trial; nothing: all do.
  void (*check)(const Trial&, const Parameters&) = nullptr;
};

// All files of runtime/measure/strategies, sorted by id.
const Registry<TrainingStrategyInfo>& training_strategies();

}  // namespace sextant::measure
