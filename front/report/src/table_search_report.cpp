#include "sextant/report/table_search_report.h"

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

namespace sextant::report {
namespace {

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

}  // namespace

Table table_search_table(const study::TableSearchReport& report) {
  Table table;
  const std::vector<study::StrategyScore> all = strategy_scores(report);
  if (all.empty()) return table;
  const std::vector<std::size_t> shown = shown_trials(all.front().best_over_optimum.size());
  table.columns.push_back({"strategy", "strategy"});
  for (const std::size_t trial : shown) {
    const std::string number = std::to_string(trial);
    table.columns.push_back({"best_over_optimum_after_" + number, "after " + number});
  }
  for (const Column& column : std::vector<Column>{{"worst_group", "worst group"},
                                                  {"search_cost_over_optimum", "search cost"},
                                                  {"stopped_after", "stops after"},
                                                  {"stopped_ratio", "then"},
                                                  {"stopped_cost", "cost then"}}) {
    table.columns.push_back(column);
  }
  for (const study::StrategyScore& each : all) {
    std::vector<Cell> row = {each.strategy};
    for (const std::size_t trial : shown) row.push_back(ratio_cell(each.best_over_optimum[trial - 1]));
    row.push_back(ratio_cell(each.worst_group));
    row.push_back(digits_cell(each.search_cost_over_optimum));
    row.push_back(digits_cell(each.stopped_after));
    row.push_back(ratio_cell(each.stopped_ratio));
    row.push_back(digits_cell(each.stopped_cost));
    table.rows.push_back(std::move(row));
  }
  const std::string groups = std::to_string(all.front().groups);
  table.notes.push_back("best run found over best run recorded, mean over " + groups + " groups and " +
                        std::to_string(report.results.front().seeds) +
                        " seeds; costs in units of the best run");
  return table;
}

Json table_search_json(const study::TableSearchReport& report) {
  Json list = Json::array();
  for (const study::TableSearchResult& each : report.results) {
    list.push_back({{"group", each.group},
                    {"strategy", each.strategy},
                    {"seeds", each.seeds},
                    {"optimum", each.optimum},
                    {"best_over_optimum_mean", each.best_over_optimum_mean},
                    {"best_over_optimum_p90", each.best_over_optimum_p90},
                    {"search_cost_over_optimum_mean", each.search_cost_over_optimum_mean},
                    {"stopped_after_mean", each.stopped_after_mean},
                    {"stopped_ratio_mean", each.stopped_ratio_mean},
                    {"stopped_cost_mean", each.stopped_cost_mean}});
  }
  return list;
}

}  // namespace sextant::report
