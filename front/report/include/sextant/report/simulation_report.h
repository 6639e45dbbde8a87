// Simulations as people and scripts read them: a line per run or per policy, a line per job, pictures, and a
// timeline that Perfetto and chrome://tracing open.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "sextant/ask/simulation_summary.h"
#include "sextant/core/json.h"
#include "sextant/report/svg_lines.h"
#include "sextant/report/table.h"
#include "sextant/simulate/sweep.h"

namespace sextant::report {

// Everything of every run, for files and scripts.
Json simulation_json(const simulate::SweepPlan& plan, const std::vector<simulate::SweepRun>& runs);
// A line for each cluster, load and policy: the run, or the mean over the seeds with its 95 % interval, and
// then how each policy compares with the first.
Table simulation_table(const simulate::SweepPlan& plan, const ask::SimulationSummary& summary);
// A line for each run, all columns: CSV.
Table simulation_runs_table(const simulate::SweepPlan& plan, const std::vector<simulate::SweepRun>& runs);

// A line for each job of each run; the run stands first where there are several.
void write_jobs_csv(std::ostream& out, const simulate::SweepPlan& plan,
                    const std::vector<simulate::SweepRun>& runs);

LinePlot jct_plot(const simulate::SweepPlan& plan, const std::vector<simulate::SweepRun>& runs);
LinePlot utilization_plot(const simulate::SweepPlan& plan, const std::vector<simulate::SweepRun>& runs);

// Trace Event Format: a process per run and type, a row per node, a slice per stay of a job.
void write_timeline(std::ostream& out, const simulate::SweepPlan& plan,
                    const std::vector<simulate::SweepRun>& runs);

}  // namespace sextant::report
