#include "sextant/report/input_report.h"

#include <nlohmann/json.hpp>

#include "input_verdict.h"
#include "sextant/stats/summary.h"

namespace sextant::report {
namespace {

using measure::FactorLine;
using measure::FactorRatio;
using measure::InputPoint;
using measure::InputReport;
using enum Importance;

Fields<InputPoint> point_fields() {
  using P = const InputPoint&;
  const auto speed = [](double stats::Summary::*which) {
    return [which](P p) { return digits_cell(stats::summarize(p.samples_per_s).*which); };
  };
  const auto decoded = [](P p) { return Cell(Bandwidth{stats::summarize(p.bytes_per_s).median}); };
  return {
      {"format", "format", [](P p) { return Cell(p.format); }, identity},
      {"batch", "batch", [](P p) { return Cell(p.batch); }, identity},
      {"batches", "batches", [](P p) { return Cell(p.batch_count); }, identity},
      {"samples", "samples", [](P p) { return Cell(p.samples); }, identity},
      {"prefetch", "prefetch", [](P p) { return Cell(p.prefetch); }, identity},
      {"cache", "cache", [](P p) { return Cell(p.cache); }, identity},
      {"repetitions", "repetitions",
       [](P p) { return Cell(static_cast<std::int64_t>(p.samples_per_s.size())); }},
      {"samples_per_s", "samples/s", speed(&stats::Summary::median), essential},
      {"slowest_samples_per_s", "slowest", speed(&stats::Summary::min)},
      {"fastest_samples_per_s", "fastest", speed(&stats::Summary::max)},
      {"bytes_per_s", "decoded", decoded, essential},
  };
}

Fields<FactorLine> line_fields() {
  using L = const FactorLine&;
  return {
      {"factor", "factor", [](L l) { return Cell(l.factor); }, identity},
      {"intercept", "intercept", [](L l) { return digits_cell(l.intercept); }},
      {"slope", "slope", [](L l) { return digits_cell(l.slope); }, essential},
      {"slope_from", "95 % low", [](L l) { return digits_cell(l.slope_interval.low); }},
      {"slope_to", "95 % high", [](L l) { return digits_cell(l.slope_interval.high); }},
      {"p_value", "p", [](L l) { return digits_cell(l.p_value); }},
      {"reading", "reading", [](L l) { return Cell(l.reading); }, essential},
  };
}

Fields<FactorRatio> ratio_fields() {
  using R = const FactorRatio&;
  return {
      {"factor", "factor", [](R r) { return Cell(r.factor); }, identity},
      {"low", "low", [](R r) { return Cell(r.low); }},
      {"high", "high", [](R r) { return Cell(r.high); }},
      {"ratio", "throughput, high / low", [](R r) { return digits_cell(r.ratio); }, essential},
      {"ratio_from", "95 % low", [](R r) { return digits_cell(r.ratio_interval.low); }},
      {"ratio_to", "95 % high", [](R r) { return digits_cell(r.ratio_interval.high); }},
      {"p_value", "p", [](R r) { return digits_cell(r.p_value); }},
      {"reading", "reading", [](R r) { return Cell(r.reading); }, essential},
  };
}

Table points_table(const InputReport& report) {
  std::vector<InputPoint> measured;
  for (const InputPoint& point : report.points) {
    if (!point.samples_per_s.empty()) measured.push_back(point);
  }
  return table_of(point_fields(), measured);
}

}  // namespace

Result input_result(const InputReport& report) {
  Table alone = table_of(line_fields(), report.lines);
  alone.notes = {"Each factor alone; slopes are samples/s for one unit of the factor."};
  Table ratios = table_of(ratio_fields(), report.ratios);
  ratios.notes = report.notes;
  ratios.notes.insert(ratios.notes.begin(), "All factors at once: what each multiplies throughput by.");
  const std::string verdict = input_verdict(report);
  const Fields<InputReport> facts = {
      {"verdict", "", [&](const InputReport&) { return verdict.empty() ? Cell() : Cell(verdict); }, detail},
      {"complete", "complete", [](const InputReport& r) { return Cell(r.complete); }},
      {"notes", "", [](const InputReport& r) { return Cell::nested(r.notes); }, detail},
  };
  return {
      .schema = "sextant.input/1",
      .sections = {{.key = "points", .table = points_table(report), .title = verdict},
                   {.key = "factors", .table = std::move(alone)},
                   {.key = "factors_jointly", .table = table_of(line_fields(), report.joint), .shown = false},
                   {.key = "ratios", .table = std::move(ratios)}},
      .facts = facts_of(facts, report)};
}

}  // namespace sextant::report
