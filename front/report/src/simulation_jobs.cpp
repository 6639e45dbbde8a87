// Lines per job, pictures and the timeline of a sweep.
#include <cmath>
#include <nlohmann/json.hpp>
#include <ostream>

#include "sextant/core/csv.h"
#include "sextant/report/simulation_report.h"

namespace sextant::report {
namespace {

std::string time_text(double seconds) {
  return std::isnan(seconds) ? "" : number_text(seconds);
}

std::vector<std::string> job_fields(const simulate::SweepRun& run, std::size_t i) {
  const simulate::SimJob& job = run.jobs->jobs[i];
  const simulate::JobOutcome& outcome = run.result.jobs[i];
  return {run.trace->jobs[static_cast<std::size_t>(job.source)].id,
          number_text(job.arrival.value),
          time_text(outcome.start.value),
          time_text(outcome.completion.value),
          time_text((outcome.completion - job.arrival).value),
          std::to_string(job.gpus),
          number_text(outcome.executed.value),
          number_text(outcome.overhead.value),
          number_text(outcome.lost.value),
          std::to_string(outcome.preemptions),
          std::to_string(outcome.crashes),
          outcome.end == simulate::JobEnd::completed
              ? "completed"
              : (outcome.end == simulate::JobEnd::never_started ? "never started" : "unfinished")};
}

std::vector<std::string> refused_fields(const simulate::SweepRun& run, const simulate::RefusedJob& refused) {
  const jobs::TraceJob& job = run.trace->jobs[static_cast<std::size_t>(refused.source)];
  return {job.id, "", "", "", "", std::to_string(job.gpus), "0", "0", "0", "0", "0", refused.reason};
}

LineSeries line_of(ask::RunCurve curve, std::string name) {
  return {.name = std::move(name), .x = std::move(curve.x), .y = std::move(curve.y)};
}

}  // namespace

void write_jobs_csv(std::ostream& out, const simulate::SweepPlan& plan,
                    const std::vector<simulate::SweepRun>& runs) {
  const bool several = runs.size() > 1;
  std::vector<std::string> header = {"job_id", "arrival_s",   "start_s",    "completion_s",
                                     "jct_s",  "gpus",        "executed_s", "overhead_s",
                                     "lost_s", "preemptions", "crashes",    "status"};
  if (several) header.insert(header.begin(), {"policy", "cluster", "load", "seed"});
  write_csv_row(out, header);
  for (const simulate::SweepRun& run : runs) {
    if (!run.done) continue;
    const std::vector<std::string> name = {ask::policy_name(plan, run), plan.clusters[run.cluster].name,
                                           number_text(plan.loads[run.load]), std::to_string(run.seed)};
    const auto write = [&](std::vector<std::string> fields) {
      if (several) fields.insert(fields.begin(), name.begin(), name.end());
      write_csv_row(out, fields);
    };
    for (std::size_t i = 0; i < run.result.jobs.size(); ++i) write(job_fields(run, i));
    for (const simulate::RefusedJob& refused : run.refused) write(refused_fields(run, refused));
  }
}

LinePlot jct_plot(const simulate::SweepPlan& plan, const std::vector<simulate::SweepRun>& runs) {
  LinePlot plot{.title = "Job completion times",
                .x_label = "time from arrival to completion",
                .y_label = "fraction of completed jobs",
                .x_scale = AxisScale::log,
                .x_unit = AxisUnit::time};
  for (const simulate::SweepRun& run : runs) {
    if (!run.done) continue;
    LineSeries line = line_of(ask::jct_distribution(run), ask::run_name(plan, run));
    if (!line.x.empty()) plot.series.push_back(std::move(line));
  }
  return plot;
}

LinePlot utilization_plot(const simulate::SweepPlan& plan, const std::vector<simulate::SweepRun>& runs) {
  LinePlot plot{.title = "Utilisation over time",
                .x_label = "time",
                .y_label = "GPUs held / GPUs",
                .x_unit = AxisUnit::time};
  for (const simulate::SweepRun& run : runs) {
    if (!run.done || run.result.series.empty()) continue;
    const auto gpus = static_cast<double>(plan.clusters[run.cluster].gpus());
    plot.series.push_back(line_of(ask::utilization_over_time(run, gpus), ask::run_name(plan, run)));
  }
  return plot;
}

}  // namespace sextant::report
