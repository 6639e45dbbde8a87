// Sextant's own traces: CSV with a column for every field of a job. Only arrival_s, gpus and the work (steps
// or reference_s) must be there.
#include <algorithm>

#include "sextant/core/text.h"
#include "trace_columns.h"

namespace sextant::jobs::trace_sextant {
namespace {

const TraceColumn& column_named(const TraceCsv& csv, std::size_t place) {
  const std::string& name = csv.table().header()[place];
  const auto found = std::ranges::find(trace_columns(), name, &TraceColumn::name);
  if (found != trace_columns().end()) return *found;
  std::vector<std::string> known;
  for (const TraceColumn& column : trace_columns()) known.push_back(column.name);
  throw InputError(csv.table().where_header(place), "unknown column '" + name + "'", name_hint(name, known));
}

WorkUnit unit_of(const TraceCsv& csv) {
  const bool steps = csv.table().find_column("steps").has_value();
  if (steps && csv.table().find_column("reference_s")) {
    throw InputError({csv.table().file_name(), 1, 1}, "the file has both steps and reference_s",
                     "work is counted in one of them");
  }
  if (!steps) (void)csv.column("reference_s");
  return steps ? WorkUnit::steps : WorkUnit::reference_seconds;
}

Trace read_sextant(std::string text, const std::string& file, const Parameters&) {
  const TraceCsv csv(std::move(text), file);
  TraceBuilder builder(file, "sextant", unit_of(csv));
  const std::size_t arrival = csv.column("arrival_s");
  (void)csv.column("gpus");
  std::vector<const TraceColumn*> columns;
  for (std::size_t c = 0; c < csv.table().header().size(); ++c) columns.push_back(&column_named(csv, c));
  builder.reserve(csv.rows());
  for (std::size_t row = 0; row < csv.rows(); ++row) {
    builder.row();
    TraceJob job{.id = {}, .line = csv.line(row)};
    for (std::size_t c = 0; c < columns.size(); ++c) {
      if (columns[c]->always || !csv.table().empty(row, c)) columns[c]->read({csv, row, c}, builder, job);
    }
    builder.in_order(job.arrival_s, [&] { return csv.table().where(row, arrival); });
    builder.add(std::move(job));
  }
  return builder.take();
}

}  // namespace

std::vector<TraceFormat> plugin() {
  return {{{.id = "sextant",
            .summary = "Sextant's own CSV: every field of a job; what trace convert and generate write",
            .reference = "docs/traces.md"},
           {},
           [](std::string_view text) {
             return has_columns(text, {"arrival_s", "gpus", "steps"}) ||
                    has_columns(text, {"arrival_s", "gpus", "reference_s"});
           },
           read_sextant}};
}

}  // namespace sextant::jobs::trace_sextant
