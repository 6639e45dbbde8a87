#include "sextant/report/table_search_report.h"

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

namespace sextant::report {
namespace {

using study::StrategyScore;
using study::TableSearchResult;
using enum Importance;

Cell ratio_cell(double ratio) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3f", ratio);
  Cell cell(ratio);
  cell.shown = text;
  return cell;
}

// Trials at which the table shows the ratio: 6, 10 and 15 of 15.
std::vector<std::size_t> shown_trials(std::size_t trials) {
  std::vector<std::size_t> shown = {(trials * 2 + 4) / 5, (trials * 2 + 2) / 3, trials};
  shown.erase(std::unique(shown.begin(), shown.end()), shown.end());
  return shown;
}

Fields<StrategyScore> score_fields(std::size_t trials) {
  using S = const StrategyScore&;
  Fields<StrategyScore> fields = {{"strategy", "strategy", [](S s) { return Cell(s.strategy); }, identity}};
  for (const std::size_t trial : shown_trials(trials)) {
    const std::string number = std::to_string(trial);
    fields.push_back({"best_over_optimum_after_" + number, "after " + number,
                      [trial](S s) { return ratio_cell(s.best_over_optimum[trial - 1]); },
                      trial == trials ? essential : usual});
  }
  const Fields<StrategyScore> rest = {
      {"worst_group", "worst group", [](S s) { return ratio_cell(s.worst_group); }},
      {"search_cost_over_optimum", "search cost", [](S s) { return digits_cell(s.search_cost_over_optimum); },
       essential},
      {"stopped_after", "stops after", [](S s) { return digits_cell(s.stopped_after); }},
      {"stopped_ratio", "then", [](S s) { return ratio_cell(s.stopped_ratio); }},
      {"stopped_cost", "cost then", [](S s) { return digits_cell(s.stopped_cost); }},
      {"groups", "", [](S s) { return Cell(static_cast<std::int64_t>(s.groups)); }, detail},
      {"best_over_optimum", "", [](S s) { return Cell::nested(s.best_over_optimum); }, detail},
  };
  std::ranges::copy(rest, std::back_inserter(fields));
  return fields;
}

Table scores_table(const study::TableSearchReport& report) {
  const std::vector<StrategyScore> scores = strategy_scores(report);
  if (scores.empty()) return {};
  Table table = table_of(score_fields(scores.front().best_over_optimum.size()), scores);
  table.notes.push_back("best run found over best run recorded, mean over " +
                        std::to_string(scores.front().groups) + " groups and " +
                        std::to_string(report.results.front().seeds) +
                        " seeds; costs in units of the best run");
  return table;
}

Fields<TableSearchResult> search_fields() {
  using R = const TableSearchResult&;
  return {
      {"group", "group", [](R r) { return Cell(r.group); }, identity},
      {"strategy", "strategy", [](R r) { return Cell(r.strategy); }, identity},
      {"seeds", "seeds", [](R r) { return Cell(static_cast<std::int64_t>(r.seeds)); }},
      {"optimum", "optimum", [](R r) { return digits_cell(r.optimum); }},
      {"best_over_optimum_mean", "", [](R r) { return Cell::nested(r.best_over_optimum_mean); }, detail},
      {"best_over_optimum_p90", "", [](R r) { return Cell::nested(r.best_over_optimum_p90); }, detail},
      {"search_cost_over_optimum_mean", "search cost",
       [](R r) { return digits_cell(r.search_cost_over_optimum_mean); }},
      {"stopped_after_mean", "stops after", [](R r) { return digits_cell(r.stopped_after_mean); }},
      {"stopped_ratio_mean", "then", [](R r) { return ratio_cell(r.stopped_ratio_mean); }},
      {"stopped_cost_mean", "cost then", [](R r) { return digits_cell(r.stopped_cost_mean); }},
  };
}

}  // namespace

Result table_search_result(const study::TableSearchReport& report) {
  return {
      .schema = "sextant.table-search/1",
      .sections = {{.key = "strategies", .table = scores_table(report)},
                   {.key = "searches", .table = table_of(search_fields(), report.results), .shown = false}}};
}

}  // namespace sextant::report
