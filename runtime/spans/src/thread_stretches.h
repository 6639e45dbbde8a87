// The training thread of a worker as stretches: at each instant the innermost span counts.
#pragma once

#include <vector>

#include "run_timeline.h"

namespace sextant::spans {

// `spans` of the worker's process, by start and longest first; `worker` has its iterations and transfers.
// Cut where iterations begin and end and where transfers of other threads were handed over.
std::vector<ThreadStretch> thread_stretches(const std::vector<const Span*>& spans,
                                            const WorkerTimeline& worker, PhaseTable& phases);

}  // namespace sextant::spans
