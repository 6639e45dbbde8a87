// The answers of analyze_spans, one file each.
#pragma once

#include <vector>

#include "cycle_totals.h"
#include "run_graph.h"
#include "run_timeline.h"
#include "sextant/spans/analysis.h"

namespace sextant::spans {

std::vector<Straggler> find_stragglers(const RunTimeline& run, const RunTotals& totals);
std::vector<SlowIteration> find_slow_iterations(const RunTimeline& run, const RunTotals& totals);

struct RetimedRun {
  RunGraph graph;
  std::vector<double> finish;
  double iteration_s = 0;
};
RetimedRun retime(const RunTimeline& run);
std::vector<WhatIf> answer_what_ifs(const RunTimeline& run, const RetimedRun& base,
                                    const std::vector<WhatIf>& questions);

}  // namespace sextant::spans
