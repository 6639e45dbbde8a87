#include <algorithm>

#include "sextant/study/table_search.h"

namespace sextant::study {
namespace {

void add_group(StrategyScore& sum, const TableSearchResult& result) {
  for (std::size_t t = 0; t < sum.best_over_optimum.size(); ++t) {
    sum.best_over_optimum[t] += result.best_over_optimum_mean[t];
  }
  sum.worst_group = std::max(sum.worst_group, result.best_over_optimum_mean.back());
  sum.search_cost_over_optimum += result.search_cost_over_optimum_mean;
  sum.stopped_after += result.stopped_after_mean;
  sum.stopped_ratio += result.stopped_ratio_mean;
  sum.stopped_cost += result.stopped_cost_mean;
  ++sum.groups;
}

void divide_by_groups(StrategyScore& sum) {
  const auto groups = static_cast<double>(sum.groups);
  for (double& ratio : sum.best_over_optimum) ratio /= groups;
  sum.search_cost_over_optimum /= groups;
  sum.stopped_after /= groups;
  sum.stopped_ratio /= groups;
  sum.stopped_cost /= groups;
}

}  // namespace

std::vector<StrategyScore> strategy_scores(const TableSearchReport& report) {
  std::vector<StrategyScore> all;
  for (const TableSearchResult& result : report.results) {
    auto found = std::ranges::find(all, result.strategy, &StrategyScore::strategy);
    if (found == all.end()) {
      const std::vector<double> none(result.best_over_optimum_mean.size());
      found = all.insert(found, {.strategy = result.strategy, .best_over_optimum = none});
    }
    add_group(*found, result);
  }
  for (StrategyScore& score : all) divide_by_groups(score);
  return all;
}

}  // namespace sextant::study
