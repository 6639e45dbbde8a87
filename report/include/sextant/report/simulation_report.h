// Simulations as people and scripts read them: a line per run or per policy, a line per job, pictures, and a
// timeline that Perfetto and chrome://tracing open.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "sextant/core/json.h"
#include "sextant/report/svg_lines.h"
#include "sextant/report/table.h"
#include "sextant/simulate/sweep.h"

namespace sextant {

// Everything of every run, for files and scripts.
Json simulation_json(const SweepPlan& plan, const std::vector<SweepRun>& runs);
// A line for each cluster, load and policy: the run, or the mean over the seeds with its 95 % interval, and
// then how each policy compares with the first.
Table simulation_table(const SweepPlan& plan, const std::vector<SweepRun>& runs);
// A line for each run, all columns: CSV.
Table simulation_runs_table(const SweepPlan& plan, const std::vector<SweepRun>& runs);

// A line for each job of each run; the run stands first where there are several.
void write_jobs_csv(std::ostream& out, const SweepPlan& plan, const std::vector<SweepRun>& runs);

// Jobs that can never run: "job 17 asks for 64 GPUs; the largest pool has 36", at most `most` of them, then a
// count.
std::vector<std::string> refused_text(const std::vector<SweepRun>& runs, std::size_t most);

// Runs that left jobs behind: "fifo: 3 jobs did not end within the run; the first is job 17".
std::vector<std::string> unfinished_text(const SweepPlan& plan, const std::vector<SweepRun>& runs);

LinePlot jct_plot(const SweepPlan& plan, const std::vector<SweepRun>& runs);
LinePlot utilization_plot(const SweepPlan& plan, const std::vector<SweepRun>& runs);

// Trace Event Format: a process per run and type, a row per node, a slice per stay of a job.
void write_timeline(std::ostream& out, const SweepPlan& plan, const std::vector<SweepRun>& runs);

}  // namespace sextant
