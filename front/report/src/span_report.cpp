#include "sextant/report/span_report.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "sextant/core/text.h"
#include "sextant/core/unit_text.h"

namespace sextant::report {
namespace {

Table phases_table(const spans::SpanAnalysis& a) {
  Table table{.columns = {{"phase", "phase"},
                          {"seconds", "time"},
                          {"exposed_s", "exposed"},
                          {"critical_share", "of the critical path"}},
              .rows = {},
              .notes = {}};
  for (const spans::PhaseShare& p : a.phases) {
    table.rows.push_back({p.name, Seconds{p.seconds}, Seconds{p.exposed_s}, percent_cell(p.critical_share)});
  }
  return table;
}

Table path_table(const spans::SpanAnalysis& a) {
  Table table{
      .columns = {{"worker", "worker"}, {"phase", "phase"}, {"seconds", "time"}}, .rows = {}, .notes = {}};
  for (const spans::PathStep& step : a.critical_path) {
    table.rows.push_back({step.process, step.name, Seconds{step.seconds}});
  }
  return table;
}

std::string question(const spans::WhatIf& w) {
  if (w.phase == "stragglers" && std::isinf(w.factor)) return "every worker as fast as the median one";
  if (std::isinf(w.factor)) return w.phase + " takes no time";
  return w.phase + " " + number_text(w.factor) + " times as fast";
}

Table what_if_table(const spans::SpanAnalysis& a) {
  Table table{.columns = {{"what_if", "what if"}, {"iteration_s", "iteration"}, {"saved_share", "saved"}},
              .rows = {},
              .notes = {}};
  for (const spans::WhatIf& w : a.what_if) {
    table.rows.push_back({question(w), Seconds{w.iteration_s}, percent_cell(w.saved_share)});
  }
  return table;
}

Table stragglers_table(const spans::SpanAnalysis& a) {
  Table table{.columns = {{"worker", "worker"},
                          {"phase", "phase"},
                          {"late_s", "late by"},
                          {"robust_z", "robust z"},
                          {"iterations", "iterations"}},
              .rows = {},
              .notes = {}};
  for (const spans::Straggler& s : a.stragglers) {
    table.rows.push_back({s.process, s.phase, Seconds{s.late_s}, digits_cell(s.robust_z), s.iterations});
  }
  return table;
}

Table slow_table(const spans::SpanAnalysis& a) {
  Table table{.columns = {{"iteration", "iteration"},
                          {"worker", "worker"},
                          {"phase", "phase"},
                          {"at_s", "at"},
                          {"seconds", "took"},
                          {"usual_s", "usually"},
                          {"robust_z", "robust z"}},
              .rows = {},
              .notes = {}};
  for (const spans::SlowIteration& s : a.slow) {
    Cell at(static_cast<double>(s.at_ns) / 1e9);
    table.rows.push_back({s.iteration, s.process, s.phase, at, Seconds{s.seconds}, Seconds{s.usual_s},
                          digits_cell(s.robust_z)});
  }
  return table;
}

}  // namespace

std::vector<TitledTable> span_tables(const spans::SpanAnalysis& analysis) {
  std::vector<TitledTable> all = {
      {std::to_string(analysis.iterations) + " iterations of " + std::to_string(analysis.workers) +
           " workers, median " + human(Seconds{analysis.iteration_s}),
       phases_table(analysis)},
      {"critical path of the median iteration", path_table(analysis)},
      {"what if", what_if_table(analysis)},
      {"workers that hold the others up", stragglers_table(analysis)},
      {"slow iterations", slow_table(analysis)}};
  std::erase_if(all, [](const TitledTable& t) { return t.table.rows.empty(); });
  return all;
}

Json span_json(const spans::SpanAnalysis& analysis) {
  return {{"schema", "sextant.spans-analysis/1"},
          {"iterations", analysis.iterations},
          {"workers", analysis.workers},
          {"iteration_s", analysis.iteration_s},
          {"phases", to_json(phases_table(analysis))},
          {"critical_path", to_json(path_table(analysis))},
          {"what_if", to_json(what_if_table(analysis))},
          {"stragglers", to_json(stragglers_table(analysis))},
          {"slow_iterations", to_json(slow_table(analysis))}};
}

}  // namespace sextant::report
