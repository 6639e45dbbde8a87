// Memory that a trial will need at least, for refusing what cannot run before it brings the machine down.
#pragma once

#include "sextant/measure/trial.h"
#include "sextant/nets/graph.h"

namespace sextant::measure {

struct TrialMemory {
  double worker_bytes = 0;      // of a process that trains
  double server_bytes = 0;      // of a process that serves
  double checkpoint_bytes = 0;  // of the file
  double total_bytes = 0;       // of all processes
};

TrialMemory trial_memory(const Trial& trial, const nets::Graph& graph);

}  // namespace sextant::measure
