#include "sextant/report/span_report.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "number_of.h"
#include "sextant/core/text.h"
#include "sextant/core/unit_text.h"

namespace sextant::report {
namespace {

using spans::SpanAnalysis;
using enum Importance;

Table phases_table(const SpanAnalysis& analysis) {
  using P = const spans::PhaseShare&;
  const Fields<spans::PhaseShare> fields = {
      {"phase", "phase", [](P p) { return Cell(p.name); }, identity},
      {"seconds", "time", [](P p) { return Cell(Seconds{p.seconds}); }, essential},
      {"exposed_s", "exposed", [](P p) { return Cell(Seconds{p.exposed_s}); }},
      {"critical_share", "of the critical path", [](P p) { return percent_cell(p.critical_share); },
       essential},
  };
  return table_of(fields, analysis.phases);
}

Table path_table(const SpanAnalysis& analysis) {
  using S = const spans::PathStep&;
  const Fields<spans::PathStep> fields = {
      {"worker", "worker", [](S s) { return Cell(s.process); }, identity},
      {"phase", "phase", [](S s) { return Cell(s.name); }, identity},
      {"seconds", "time", [](S s) { return Cell(Seconds{s.seconds}); }, essential},
  };
  return table_of(fields, analysis.critical_path);
}

std::string question(const spans::WhatIf& w) {
  if (w.phase == "stragglers" && std::isinf(w.factor)) return "every worker as fast as the median one";
  if (std::isinf(w.factor)) return w.phase + " takes no time";
  return w.phase + " " + number_text(w.factor) + " times as fast";
}

Table what_if_table(const SpanAnalysis& analysis) {
  using W = const spans::WhatIf&;
  const Fields<spans::WhatIf> fields = {
      {"what_if", "what if", [](W w) { return Cell(question(w)); }, identity},
      {"iteration_s", "iteration", [](W w) { return Cell(Seconds{w.iteration_s}); }, essential},
      {"saved_share", "saved", [](W w) { return percent_cell(w.saved_share); }, essential},
  };
  return table_of(fields, analysis.what_if);
}

Table stragglers_table(const SpanAnalysis& analysis) {
  using S = const spans::Straggler&;
  const Fields<spans::Straggler> fields = {
      {"worker", "worker", [](S s) { return Cell(s.process); }, identity},
      {"phase", "phase", [](S s) { return Cell(s.phase); }, identity},
      {"late_s", "late by", [](S s) { return Cell(Seconds{s.late_s}); }, essential},
      {"robust_z", "robust z", [](S s) { return digits_cell(s.robust_z); }},
      {"iterations", "iterations", [](S s) { return Cell(s.iterations); }},
  };
  return table_of(fields, analysis.stragglers);
}

Table slow_table(const SpanAnalysis& analysis) {
  using S = const spans::SlowIteration&;
  constexpr double kSecond = 1e9;  // ns
  const Fields<spans::SlowIteration> fields = {
      {"iteration", "iteration", [](S s) { return Cell(s.iteration); }, identity},
      {"worker", "worker", [](S s) { return Cell(s.process); }, identity},
      {"phase", "phase", [](S s) { return Cell(s.phase); }, identity},
      {"at_s", "from start",
       [begin = analysis.begin_ns](S s) {
         Cell cell(static_cast<double>(s.at_ns) / kSecond);  // since 1970
         cell.shown = human(Seconds{static_cast<double>(s.at_ns - begin) / kSecond});
         return cell;
       }},
      {"seconds", "took", [](S s) { return Cell(Seconds{s.seconds}); }, essential},
      {"usual_s", "usually", [](S s) { return Cell(Seconds{s.usual_s}); }},
      {"robust_z", "robust z", [](S s) { return digits_cell(s.robust_z); }},
  };
  return table_of(fields, analysis.slow);
}

// Shown where there is something in it.
Section part(std::string key, std::string title, Table table) {
  const bool shown = !table.rows.empty();
  return {.key = std::move(key), .table = std::move(table), .shown = shown, .title = std::move(title)};
}

}  // namespace

Result spans_result(const SpanAnalysis& analysis) {
  using A = const SpanAnalysis&;
  const Fields<SpanAnalysis> facts = {
      {"iterations", "iterations", [](A a) { return Cell(a.iterations); }},
      {"recorded_iterations", "recorded", [](A a) { return Cell(a.recorded); }},
      {"workers", "workers", [](A a) { return Cell(a.workers); }},
      {"iteration_s", "iteration", [](A a) { return Cell(Seconds{a.iteration_s}); }},
      {"warnings", "", [](A a) { return Cell::nested(a.warnings); }, detail},
  };
  const std::string some =
      analysis.iterations == analysis.recorded
          ? number_of(analysis.iterations, "iteration")
          : std::to_string(analysis.iterations) + " of " + number_of(analysis.recorded, "recorded iteration");
  const std::string all = some + " of " + number_of(analysis.workers, "worker") + ", median " +
                          human(Seconds{analysis.iteration_s});
  return {.schema = "sextant.spans-analysis/1",
          .sections = {part("phases", all, phases_table(analysis)),
                       part("critical_path", "critical path of the median iteration", path_table(analysis)),
                       part("what_if", "what if", what_if_table(analysis)),
                       part("stragglers", "workers that hold the others up", stragglers_table(analysis)),
                       part("slow_iterations", "slow iterations", slow_table(analysis))},
          .facts = facts_of(facts, analysis)};
}

Result spans_result(const ask::SpansAnswer& answer) {
  if (const auto* run = std::get_if<SpanAnalysis>(&answer)) return spans_result(*run);
  return profile_result(std::get<spans::ProfileAnalysis>(answer));
}

const std::vector<std::string>& spans_warnings(const ask::SpansAnswer& answer) {
  return std::visit(
      [](const auto& analysis) -> const auto& { return analysis.warnings; }, answer);
}

}  // namespace sextant::report
