#include "sextant/report/input_report.h"

#include <nlohmann/json.hpp>

#include "sextant/stats/summary.h"

namespace sextant::report {
namespace {

Table lines_table(const std::vector<measure::FactorLine>& lines) {
  Table table{.columns = {{"factor", "factor"},
                          {"intercept", "intercept"},
                          {"slope", "slope"},
                          {"slope_from", "95 % from"},
                          {"slope_to", "to"},
                          {"p_value", "p"},
                          {"reading", "reading"}},
              .rows = {},
              .notes = {}};
  for (const measure::FactorLine& line : lines) {
    table.rows.push_back({line.factor, digits_cell(line.intercept), digits_cell(line.slope),
                          digits_cell(line.slope_interval.low), digits_cell(line.slope_interval.high),
                          digits_cell(line.p_value), line.reading});
  }
  return table;
}

}  // namespace

Table input_points_table(const measure::InputReport& report) {
  Table table{.columns = {{"format", "format"},
                          {"batch", "batch"},
                          {"batches", "batches"},
                          {"samples", "samples"},
                          {"prefetch", "prefetch"},
                          {"cache", "cache"},
                          {"repetitions", "repetitions"},
                          {"samples_per_s", "samples/s"},
                          {"slowest_samples_per_s", "slowest"},
                          {"fastest_samples_per_s", "fastest"},
                          {"bytes_per_s", "decoded"}},
              .rows = {},
              .notes = {}};
  for (const measure::InputPoint& p : report.points) {
    if (p.samples_per_s.empty()) continue;
    const stats::Summary speed = stats::summarize(p.samples_per_s);
    table.rows.push_back({p.format, p.batch, p.batch_count, p.samples, p.prefetch, p.cache,
                          static_cast<std::int64_t>(speed.count), digits_cell(speed.median),
                          digits_cell(speed.min), digits_cell(speed.max),
                          Bandwidth{stats::summarize(p.bytes_per_s).median}});
  }
  return table;
}

Table input_lines_table(const measure::InputReport& report) {
  Table table = lines_table(report.lines);
  table.notes = {"Each factor alone; slopes are samples/s for one unit of the factor."};
  return table;
}

Table input_ratios_table(const measure::InputReport& report) {
  Table table{.columns = {{"factor", "factor"},
                          {"low", "low"},
                          {"high", "high"},
                          {"ratio", "throughput, high / low"},
                          {"ratio_from", "95 % from"},
                          {"ratio_to", "to"},
                          {"p_value", "p"},
                          {"reading", "reading"}},
              .rows = {},
              .notes = report.notes};
  for (const measure::FactorRatio& r : report.ratios) {
    table.rows.push_back({r.factor, r.low, r.high, digits_cell(r.ratio), digits_cell(r.ratio_interval.low),
                          digits_cell(r.ratio_interval.high), digits_cell(r.p_value), r.reading});
  }
  table.notes.insert(table.notes.begin(), "All factors at once: what each multiplies throughput by.");
  return table;
}

Json input_json(const measure::InputReport& report) {
  return {{"schema", "sextant.input/1"},
          {"complete", report.complete},
          {"notes", report.notes},
          {"points", to_json(input_points_table(report))},
          {"factors", to_json(lines_table(report.lines))},
          {"factors_jointly", to_json(lines_table(report.joint))},
          {"ratios", to_json(input_ratios_table(report))}};
}

}  // namespace sextant::report
