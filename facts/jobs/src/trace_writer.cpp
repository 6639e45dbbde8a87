#include "sextant/jobs/trace_writer.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <ostream>

#include "sextant/core/csv.h"
#include "sextant/core/error.h"
#include "sextant/core/text.h"
#include "trace_columns.h"

namespace sextant::jobs {
namespace {

// Columns in which every job has the default are left out.
bool is_used(const Trace& trace, const TraceColumn& column) {
  if (column.unit) return *column.unit == trace.unit;
  if (column.always) return true;
  const std::string usual = column.write(trace, TraceJob{});
  return std::ranges::any_of(trace.jobs,
                             [&](const TraceJob& job) { return column.write(trace, job) != usual; });
}

void write_sextant(std::ostream& out, const Trace& trace) {
  std::vector<const TraceColumn*> columns;
  std::vector<std::string> cells;
  for (const TraceColumn& column : trace_columns()) {
    if (!is_used(trace, column)) continue;
    columns.push_back(&column);
    cells.push_back(column.name);
  }
  write_csv_row(out, cells);
  for (const TraceJob& job : trace.jobs) {
    for (std::size_t i = 0; i < columns.size(); ++i) cells[i] = columns[i]->write(trace, job);
    write_csv_row(out, cells);
  }
}

std::string fixed(double value) {
  std::array<char, 64> text = {};
  const int length = std::snprintf(text.data(), text.size(), "%f", value);
  return {text.data(), static_cast<std::size_t>(length)};
}

void check_gavel(const Trace& trace) {
  const auto nameless = [](const TraceJob& job) { return job.model < 0; };
  if (trace.unit == WorkUnit::steps && std::ranges::none_of(trace.jobs, nameless)) return;
  throw InputError({trace.source}, "Gavel's format holds steps of named models, and this trace has none",
                   "write it with `to` sextant, or generate it with `throughputs`");
}

// Commands are left out: no simulator runs them. With durations, Shockwave's two fields are added, for an SLO
// is a multiple of the duration.
void write_gavel(std::ostream& out, const Trace& trace) {
  check_gavel(trace);
  const bool durations =
      std::ranges::all_of(trace.jobs, [](const TraceJob& job) { return job.estimate_s > 0; });
  for (const TraceJob& job : trace.jobs) {
    std::string line = trace.models[static_cast<std::size_t>(job.model)];
    std::ranges::replace_if(
        line, [](char c) { return c == '\t' || c == '\n' || c == '\r'; }, ' ');
    line += "\t-\t-\t-\t0\t" + std::to_string(std::llround(std::clamp(job.work, 1.0, 1e15)));
    line += "\t" + std::to_string(job.gpus) + (durations ? "\tstatic" : "");
    line += "\t" + number_text(job.weight);
    const bool slo = durations && std::isfinite(job.deadline_s);
    line += "\t" + fixed(slo ? (job.deadline_s - job.arrival_s) / job.estimate_s : -1);
    if (durations) line += "\t" + number_text(job.estimate_s);
    out << line << "\t" << fixed(job.arrival_s) << "\n";
  }
}

}  // namespace

std::vector<std::string> trace_output_formats() {
  return {"gavel", "sextant"};
}

void write_trace(std::ostream& out, const Trace& trace, std::string_view format) {
  if (format == "sextant") return write_sextant(out, trace);
  if (format == "gavel") return write_gavel(out, trace);
  throw InputError({}, "traces cannot be written as '" + std::string(format) + "'",
                   name_hint(format, trace_output_formats()));
}

}  // namespace sextant::jobs
