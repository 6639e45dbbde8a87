// Lines per job, pictures and the timeline of a sweep.
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <ostream>

#include "sextant/core/csv.h"
#include "sextant/report/simulation_report.h"
#include "simulation_runs.h"

namespace sextant {
namespace {

constexpr std::size_t kPoints = 240;  // of a line in a picture

std::string time_text(double seconds) {
  return std::isnan(seconds) ? "" : number_text(seconds);
}

std::vector<std::string> job_fields(const SweepRun& run, std::size_t i) {
  const SimJob& job = run.jobs->jobs[i];
  const JobOutcome& outcome = run.result.jobs[i];
  return {run.trace->jobs[static_cast<std::size_t>(job.source)].id,
          number_text(job.arrival_s),
          time_text(outcome.start_s),
          time_text(outcome.completion_s),
          time_text(outcome.completion_s - job.arrival_s),
          std::to_string(job.gpus),
          number_text(outcome.executed_s),
          number_text(outcome.overhead_s),
          number_text(outcome.lost_s),
          std::to_string(outcome.preemptions),
          std::to_string(outcome.crashes),
          outcome.end == JobEnd::completed
              ? "completed"
              : (outcome.end == JobEnd::never_started ? "never started" : "unfinished")};
}

std::vector<std::string> refused_fields(const SweepRun& run, const RefusedJob& refused) {
  const TraceJob& job = run.trace->jobs[static_cast<std::size_t>(refused.source)];
  return {job.id, "", "", "", "", std::to_string(job.gpus), "0", "0", "0", "0", "0", refused.reason};
}

// Time-weighted mean of used GPUs in kPoints equal parts of the run.
LineSeries utilization_line(const SweepRun& run, double gpus) {
  const std::vector<SeriesPoint>& points = run.result.series;
  const double begin = run.result.begin_s;
  const double end = std::max(run.result.horizon_s, begin + 1e-9);
  const double width = (end - begin) / static_cast<double>(kPoints);
  std::vector<double> held(kPoints, 0.0);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double until = i + 1 < points.size() ? points[i + 1].time_s : end;
    double from = std::max(points[i].time_s, begin);
    while (from < until) {
      const auto bin = std::min(kPoints - 1, static_cast<std::size_t>((from - begin) / width));
      const double edge = bin + 1 == kPoints ? until : begin + width * static_cast<double>(bin + 1);
      const double to = std::min(until, std::max(edge, std::nextafter(from, until)));
      held[bin] += (to - from) * points[i].used;
      from = to;
    }
  }
  LineSeries line;
  for (std::size_t b = 0; b < kPoints; ++b) {
    line.x.push_back(width * (static_cast<double>(b) + 0.5) / 86400);
    line.y.push_back(held[b] / width / gpus);
  }
  return line;
}

LineSeries jct_line(const SweepRun& run) {
  std::vector<double> times;
  for (std::size_t i = 0; i < run.result.jobs.size(); ++i) {
    const double jct = run.result.jobs[i].completion_s - run.jobs->jobs[i].arrival_s;
    if (!std::isnan(jct)) times.push_back(std::max(jct, 1e-3));
  }
  std::ranges::sort(times);
  LineSeries line;
  const std::size_t count = std::min(times.size(), kPoints);
  for (std::size_t k = 0; k < count; ++k) {
    const std::size_t i = count == 1 ? 0 : k * (times.size() - 1) / (count - 1);
    line.x.push_back(times[i]);
    line.y.push_back(static_cast<double>(i + 1) / static_cast<double>(times.size()));
  }
  return line;
}

}  // namespace

void write_jobs_csv(std::ostream& out, const SweepPlan& plan, const std::vector<SweepRun>& runs) {
  const bool several = runs.size() > 1;
  std::vector<std::string> header = {"job_id", "arrival_s",   "start_s",    "completion_s",
                                     "jct_s",  "gpus",        "executed_s", "overhead_s",
                                     "lost_s", "preemptions", "crashes",    "status"};
  if (several) header.insert(header.begin(), {"policy", "cluster", "load", "seed"});
  write_csv_row(out, header);
  for (const SweepRun& run : runs) {
    if (!run.done) continue;
    const std::vector<std::string> name = {policy_name(plan, run), plan.clusters[run.cluster].name,
                                           number_text(plan.loads[run.load]), std::to_string(run.seed)};
    const auto write = [&](std::vector<std::string> fields) {
      if (several) fields.insert(fields.begin(), name.begin(), name.end());
      write_csv_row(out, fields);
    };
    for (std::size_t i = 0; i < run.result.jobs.size(); ++i) write(job_fields(run, i));
    for (const RefusedJob& refused : run.refused) write(refused_fields(run, refused));
  }
}

LinePlot jct_plot(const SweepPlan& plan, const std::vector<SweepRun>& runs) {
  LinePlot plot{.title = "Job completion times",
                .x_label = "seconds from arrival to completion",
                .y_label = "fraction of completed jobs",
                .x_scale = AxisScale::log};
  for (const SweepRun& run : runs) {
    if (!run.done) continue;
    LineSeries line = jct_line(run);
    line.name = run_name(plan, run);
    if (!line.x.empty()) plot.series.push_back(std::move(line));
  }
  return plot;
}

LinePlot utilization_plot(const SweepPlan& plan, const std::vector<SweepRun>& runs) {
  LinePlot plot{.title = "Utilisation over time", .x_label = "days", .y_label = "GPUs held / GPUs"};
  for (const SweepRun& run : runs) {
    if (!run.done || run.result.series.empty()) continue;
    LineSeries line = utilization_line(run, static_cast<double>(plan.clusters[run.cluster].gpus()));
    line.name = run_name(plan, run);
    plot.series.push_back(std::move(line));
  }
  return plot;
}

}  // namespace sextant
