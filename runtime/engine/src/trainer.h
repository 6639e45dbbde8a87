// The loop around a strategy: batch, step, sign of life, checkpoint, until the trial's iterations are done;
// then the test set. Servers serve instead.
#pragma once

#include "sextant/measure/run_folder.h"
#include "sextant/measure/training_strategy.h"
#include "sextant/nets/graph.h"

namespace sextant::engine {

struct TrainerSetup {
  const measure::Trial& trial;
  const nets::Graph& graph;
  measure::RunFolder folder;
  std::int64_t rank = 0;
  measure::ReplicaFactory make_replica;
  measure::Transport* transport = nullptr;
  measure::SpanRecorder* spans = nullptr;
  measure::LifeSign& life;
};

// Fills in the report as it goes, so that what was measured before a failure is not lost.
void train(const TrainerSetup& setup, measure::WorkerReport& report);

}  // namespace sextant::engine
