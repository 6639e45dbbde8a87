#include "sextant/report/trace_report.h"

#include <nlohmann/json.hpp>

#include "sextant/core/text.h"
#include "sextant/core/unit_text.h"

namespace sextant::report {
namespace {

using enum Importance;
using jobs::SampleFigures;
using jobs::TraceSummary;

Cell maybe_digits(const std::optional<double>& value) {
  return value ? digits_cell(*value) : Cell();
}

std::string gang_mix(const TraceSummary& summary) {
  std::vector<std::string> parts;
  for (const auto& [gpus, jobs] : summary.gangs) {
    const double share = 100.0 * static_cast<double>(jobs) / static_cast<double>(summary.jobs);
    parts.push_back(std::to_string(gpus) + " (" + percent_words(share / 100) + ")");
  }
  constexpr std::size_t kMostShown = 12;
  const std::size_t more = parts.size() > kMostShown ? parts.size() - kMostShown : 0;
  parts.resize(parts.size() - more);
  return join(parts, ", ") + (more > 0 ? " and " + std::to_string(more) + " more sizes" : "");
}

std::string dropped_text(const TraceSummary& summary) {
  std::vector<std::string> parts;
  for (const auto& [reason, rows] : summary.dropped) {
    if (reason != jobs::kStepOfJob) parts.push_back(Cell(rows).shown + " " + reason);
  }
  return join(parts, ", ");
}

void add_notes(const TraceSummary& summary, std::vector<std::string>& notes) {
  const std::string file = summary.source + ": ";
  notes.push_back(file + "GPUs " + gang_mix(summary));
  if (!summary.duration) {
    notes.push_back(file + "steps a job: median " + human_count(summary.work.median) + ", p99 " +
                    human_count(summary.work.p99) +
                    "; run times need `throughputs` with a speed for every job");
  }
  if (const std::string dropped = dropped_text(summary); !dropped.empty()) {
    notes.push_back(file + "left out of " + Cell(summary.rows).shown + " rows: " + dropped);
  }
  if (const auto steps = summary.dropped.find(jobs::kStepOfJob); steps != summary.dropped.end()) {
    notes.push_back(file + Cell(steps->second).shown + " rows are steps of jobs that are there");
  }
  if (summary.sharing > 0) {
    notes.push_back(file + Cell(summary.sharing).shown + " jobs ask for a share of a GPU");
  }
  for (const std::string& note : summary.notes) notes.push_back(file + note);
}

const SampleFigures* duration_of(const TraceSummary& summary) {
  return summary.duration ? &*summary.duration : nullptr;
}

Cell gangs_cell(const TraceSummary& summary) {
  Json gangs = Json::object();
  for (const auto& [size, jobs] : summary.gangs) gangs[std::to_string(size)] = jobs;
  return Cell::nested(std::move(gangs));
}

Fields<TraceSummary> trace_job_fields() {
  return {
      {"file", "file", [](const TraceSummary& s) { return Cell(s.source); }, identity},
      {"format", "format", [](const TraceSummary& s) { return Cell(s.format); }},
      {"jobs", "jobs", [](const TraceSummary& s) { return Cell(s.jobs); }, essential},
      {"span_s", "span", [](const TraceSummary& s) { return Cell(Seconds{s.span_s}); }, essential},
      {"gap_scv", "burstiness", [](const TraceSummary& s) { return maybe_digits(s.gap_scv); }},
      {"mean_gpus", "GPUs mean", [](const TraceSummary& s) { return digits_cell(s.mean_gpus); }},
      {"max_gpus", "max", [](const TraceSummary& s) { return Cell(static_cast<std::int64_t>(s.most_gpus)); }},
  };
}

// The median is what people look for first.
Fields<SampleFigures> trace_duration_fields() {
  return {
      {"median_s", "run time p50", [](const SampleFigures& f) { return Cell(Seconds{f.median}); }, essential},
      {"mean_s", "mean", [](const SampleFigures& f) { return Cell(Seconds{f.mean}); }},
      {"p90_s", "p90", [](const SampleFigures& f) { return Cell(Seconds{f.p90}); }},
      {"p99_s", "p99", [](const SampleFigures& f) { return Cell(Seconds{f.p99}); }},
      {"min_s", "", [](const SampleFigures& f) { return Cell(Seconds{f.low}); }, detail},
      {"p10_s", "", [](const SampleFigures& f) { return Cell(Seconds{f.p10}); }, detail},
      {"max_s", "", [](const SampleFigures& f) { return Cell(Seconds{f.high}); }, detail},
  };
}

Fields<TraceSummary> trace_load_fields(std::optional<std::int64_t> gpus) {
  return {
      {"gpu_hours", "GPU-hours", [](const TraceSummary& s) { return Cell(s.gpu_hours); }, essential},
      {"users", "users", [](const TraceSummary& s) { return Cell(s.users); }},
      {"models", "models", [](const TraceSummary& s) { return Cell(s.models); }},
      {"offered_load", "load",
       [gpus](const TraceSummary& s) {
         return gpus ? maybe_digits(s.offered_load(static_cast<double>(*gpus))) : Cell();
       },
       essential},
  };
}

Fields<SampleFigures> trace_work_fields() {
  return {
      {"mean", "", [](const SampleFigures& f) { return Cell(f.mean); }, detail},
      {"min", "", [](const SampleFigures& f) { return Cell(f.low); }, detail},
      {"p10", "", [](const SampleFigures& f) { return Cell(f.p10); }, detail},
      {"median", "", [](const SampleFigures& f) { return Cell(f.median); }, detail},
      {"p90", "", [](const SampleFigures& f) { return Cell(f.p90); }, detail},
      {"p99", "", [](const SampleFigures& f) { return Cell(f.p99); }, detail},
      {"max", "", [](const SampleFigures& f) { return Cell(f.high); }, detail},
  };
}

Fields<TraceSummary> trace_reading_fields() {
  return {
      {"unit", "",
       [](const TraceSummary& s) {
         return Cell(s.unit == jobs::WorkUnit::steps ? "steps" : "reference-seconds");
       },
       detail},
      {"rows", "", [](const TraceSummary& s) { return Cell(s.rows); }, detail},
      {"dropped", "", [](const TraceSummary& s) { return Cell::nested(s.dropped); }, detail},
      {"gangs", "", gangs_cell, detail},
      {"with_deadline", "", [](const TraceSummary& s) { return Cell(s.with_deadline); }, detail},
      {"sharing", "", [](const TraceSummary& s) { return Cell(s.sharing); }, detail},
      {"notes", "", [](const TraceSummary& s) { return Cell::nested(s.notes); }, detail},
  };
}

}  // namespace

Result traces_result(const std::vector<TraceSummary>& summaries, std::optional<std::int64_t> gpus) {
  const Fields<TraceSummary> fields =
      joined({trace_job_fields(), of_part<TraceSummary, SampleFigures>(trace_duration_fields(), duration_of),
              trace_load_fields(gpus), trace_reading_fields(),
              of_part<TraceSummary, SampleFigures>(
                  trace_work_fields(), [](const TraceSummary& s) { return &s.work; }, "work.")});
  Table table = table_of(
      explained(fields, {{"gap_scv",
                          "squared coefficient of variation of the times between arrivals; 1 is a Poisson "
                          "process, more is burstier"},
                         {"offered_load", "GPU-hours asked for over those that the GPUs have in the span"}}),
      summaries);
  for (const TraceSummary& summary : summaries) add_notes(summary, table.notes);
  return {.schema = "sextant.traces/2", .sections = {{.key = "traces", .table = std::move(table)}}};
}

}  // namespace sextant::report
