#include "sextant/report/trace_report.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "queue_cells.h"
#include "sextant/core/text.h"
#include "sextant/core/unit_text.h"

namespace sextant::report {
namespace {

Cell maybe_digits(const std::optional<double>& value) {
  return value ? digits_cell(*value) : Cell();
}

// Whole hours on screen, where there are many.
Cell hours_cell(const std::optional<double>& hours) {
  if (!hours) return {};
  Cell cell = digits_cell(*hours);
  if (*hours >= 100) cell.shown = Cell(static_cast<std::int64_t>(std::llround(*hours))).shown;
  return cell;
}

std::optional<Seconds> seconds_of(const jobs::TraceSummary& summary, double jobs::SampleFigures::*figure) {
  if (!summary.duration) return std::nullopt;
  return Seconds{(*summary.duration).*figure};
}

std::string gang_mix(const jobs::TraceSummary& summary) {
  std::vector<std::string> parts;
  for (const auto& [gpus, jobs] : summary.gangs) {
    const double share = 100.0 * static_cast<double>(jobs) / static_cast<double>(summary.jobs);
    parts.push_back(std::to_string(gpus) + " (" + percent_cell(share / 100).shown + ")");
  }
  constexpr std::size_t kMostShown = 12;
  const std::size_t more = parts.size() > kMostShown ? parts.size() - kMostShown : 0;
  parts.resize(parts.size() - more);
  return join(parts, ", ") + (more > 0 ? " and " + std::to_string(more) + " more sizes" : "");
}

std::string dropped_text(const jobs::TraceSummary& summary) {
  std::vector<std::string> parts;
  for (const auto& [reason, rows] : summary.dropped) parts.push_back(Cell(rows).shown + " " + reason);
  return join(parts, ", ");
}

void add_notes(const jobs::TraceSummary& summary, std::vector<std::string>& notes) {
  const std::string file = summary.source + ": ";
  notes.push_back(file + "GPUs " + gang_mix(summary));
  if (!summary.duration) {
    notes.push_back(file + "steps a job: median " + human_count(summary.work.median) + ", p99 " +
                    human_count(summary.work.p99) +
                    "; run times need `throughputs` with a speed for every job");
  }
  if (!summary.dropped.empty()) {
    notes.push_back(file + "dropped of " + Cell(summary.rows).shown + " rows: " + dropped_text(summary));
  }
  if (summary.sharing > 0) {
    notes.push_back(file + Cell(summary.sharing).shown + " jobs ask for a share of a GPU");
  }
  for (const std::string& note : summary.notes) notes.push_back(file + note);
}

Json figures_json(const jobs::SampleFigures& figures) {
  return {{"mean", figures.mean}, {"min", figures.low}, {"p10", figures.p10}, {"median", figures.median},
          {"p90", figures.p90},   {"p99", figures.p99}, {"max", figures.high}};
}

Json or_null(const std::optional<double>& value) {
  return value ? Json(*value) : Json(nullptr);
}

}  // namespace

Table traces_table(const std::vector<jobs::TraceSummary>& summaries, std::optional<std::int64_t> gpus) {
  Table table;
  table.columns = {
      {"file", "file"},        {"format", "format"},       {"jobs", "jobs"},    {"span_s", "span"},
      {"gap_scv", "scv gaps"}, {"mean_gpus", "GPUs mean"}, {"max_gpus", "max"}, {"median_s", "run time p50"},
      {"mean_s", "mean"},      {"p90_s", "p90"},           {"p99_s", "p99"},    {"gpu_hours", "GPU-hours"},
      {"users", "users"},      {"models", "models"}};
  if (gpus) table.columns.push_back({"offered_load", "load"});
  for (const jobs::TraceSummary& s : summaries) {
    std::vector<Cell> row = {s.source,
                             s.format,
                             s.jobs,
                             Seconds{s.span_s},
                             maybe_digits(s.gap_scv),
                             digits_cell(s.mean_gpus),
                             static_cast<std::int64_t>(s.most_gpus),
                             seconds_of(s, &jobs::SampleFigures::median),
                             seconds_of(s, &jobs::SampleFigures::mean),
                             seconds_of(s, &jobs::SampleFigures::p90),
                             seconds_of(s, &jobs::SampleFigures::p99),
                             hours_cell(s.gpu_hours),
                             s.users,
                             s.models};
    if (gpus) row.push_back(maybe_digits(s.offered_load(static_cast<double>(*gpus))));
    table.rows.push_back(std::move(row));
    add_notes(s, table.notes);
  }
  return table;
}

Json to_json(const jobs::TraceSummary& s, std::optional<std::int64_t> gpus) {
  Json gangs = Json::object();
  for (const auto& [size, jobs] : s.gangs) gangs[std::to_string(size)] = jobs;
  Json json = {{"schema", "sextant.trace/1"},
               {"file", s.source},
               {"format", s.format},
               {"unit", s.unit == jobs::WorkUnit::steps ? "steps" : "reference-seconds"},
               {"rows", s.rows},
               {"jobs", s.jobs},
               {"dropped", Json(s.dropped)},
               {"span_s", s.span_s},
               {"gap_scv", or_null(s.gap_scv)},
               {"mean_gpus", s.mean_gpus},
               {"max_gpus", s.most_gpus},
               {"gangs", std::move(gangs)},
               {"work", figures_json(s.work)},
               {"duration_s", s.duration ? figures_json(*s.duration) : Json(nullptr)},
               {"gpu_hours", or_null(s.gpu_hours)},
               {"users", s.users},
               {"models", s.models},
               {"with_deadline", s.with_deadline},
               {"sharing", s.sharing},
               {"notes", s.notes}};
  if (gpus) json["offered_load"] = or_null(s.offered_load(static_cast<double>(*gpus)));
  return json;
}

}  // namespace sextant::report
