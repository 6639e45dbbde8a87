// Simulations as people and scripts read them: a line per run or per policy, a line per job, pictures, and a
// timeline that Perfetto and chrome://tracing open.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "sextant/ask/simulation_summary.h"
#include "sextant/report/result.h"
#include "sextant/report/svg_lines.h"
#include "sextant/simulate/sweep.h"

namespace sextant::report {

// Everything of every run; then a line for each cluster, load and policy, over the seeds.
// `recorded`: what happened to the same jobs in the cluster that they are from, for comparison.
Result simulation_result(const simulate::SweepPlan& plan, const std::vector<simulate::SweepRun>& runs,
                         const std::optional<ask::RecordedTimes>& recorded = {});

// A line for each job of each run; the run stands first where there are several.
void write_jobs_csv(std::ostream& out, const simulate::SweepPlan& plan,
                    const std::vector<simulate::SweepRun>& runs);

LinePlot jct_plot(const simulate::SweepPlan& plan, const std::vector<simulate::SweepRun>& runs);
LinePlot utilization_plot(const simulate::SweepPlan& plan, const std::vector<simulate::SweepRun>& runs);

// Trace Event Format: a process per run and type, a row per node, a slice per stay of a job.
void write_timeline(std::ostream& out, const simulate::SweepPlan& plan,
                    const std::vector<simulate::SweepRun>& runs);

}  // namespace sextant::report
