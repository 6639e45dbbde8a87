#include "sextant/report/table_search_report.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>

namespace sextant {
namespace {

Cell ratio_cell(double ratio) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3f", ratio);
  Cell cell(ratio);
  cell.shown = text;
  return cell;
}

// Over the groups: mean, and the worst of them.
struct Overall {
  std::string strategy;
  std::vector<double> mean;
  double worst = 0;  // after all trials
  double cost = 0;
  double stopped_after = 0;
  double stopped_ratio = 0;
  double stopped_cost = 0;
  double groups = 0;
};

std::vector<Overall> overall(const TableSearchReport& report) {
  std::vector<Overall> all;
  for (const TableSearchResult& result : report.results) {
    auto found = std::ranges::find(all, result.strategy, &Overall::strategy);
    if (found == all.end()) {
      all.push_back(
          {.strategy = result.strategy, .mean = std::vector<double>(result.best_over_optimum_mean.size())});
      found = all.end() - 1;
    }
    for (std::size_t t = 0; t < found->mean.size(); ++t) found->mean[t] += result.best_over_optimum_mean[t];
    found->worst = std::max(found->worst, result.best_over_optimum_mean.back());
    found->cost += result.search_cost_over_optimum_mean;
    found->stopped_after += result.stopped_after_mean;
    found->stopped_ratio += result.stopped_ratio_mean;
    found->stopped_cost += result.stopped_cost_mean;
    found->groups += 1;
  }
  return all;
}

// Trials at which the table shows the ratio: 6, 10 and 15 of 15.
std::vector<std::size_t> shown_trials(std::size_t trials) {
  std::vector<std::size_t> shown = {(trials * 2 + 4) / 5, (trials * 2 + 2) / 3, trials};
  shown.erase(std::unique(shown.begin(), shown.end()), shown.end());
  return shown;
}

}  // namespace

Table table_search_table(const TableSearchReport& report) {
  Table table;
  const std::vector<Overall> all = overall(report);
  if (all.empty()) return table;
  const std::vector<std::size_t> shown = shown_trials(all.front().mean.size());
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
  for (const Overall& each : all) {
    std::vector<Cell> row = {each.strategy};
    for (const std::size_t trial : shown) row.push_back(ratio_cell(each.mean[trial - 1] / each.groups));
    row.push_back(ratio_cell(each.worst));
    row.push_back(digits_cell(each.cost / each.groups));
    row.push_back(digits_cell(each.stopped_after / each.groups));
    row.push_back(ratio_cell(each.stopped_ratio / each.groups));
    row.push_back(digits_cell(each.stopped_cost / each.groups));
    table.rows.push_back(std::move(row));
  }
  const std::string groups = std::to_string(static_cast<int>(all.front().groups));
  table.notes.push_back("best run found over best run recorded, mean over " + groups + " groups and " +
                        std::to_string(report.results.front().seeds) +
                        " seeds; costs in units of the best run");
  return table;
}

Json table_search_json(const TableSearchReport& report) {
  Json list = Json::array();
  for (const TableSearchResult& each : report.results) {
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

}  // namespace sextant
