#include "factor_choice.h"

#include <map>

namespace sextant::analysis {
namespace {

constexpr std::size_t kEnoughRows = 20;

using Chosen = std::vector<const AnalysisFactor*>;

// Every combination of the chosen has one level of the column, and combinations are repeated on average.
bool determine(const Chosen& chosen, const AnalysisFactor& column) {
  std::map<std::vector<std::size_t>, std::size_t> level_of;
  for (std::size_t i = 0; i < column.level.size(); ++i) {
    std::vector<std::size_t> combination;
    combination.reserve(chosen.size());
    for (const AnalysisFactor* factor : chosen) combination.push_back(factor->level[i]);
    if (level_of.emplace(std::move(combination), column.level[i]).first->second != column.level[i])
      return false;
  }
  return 2 * level_of.size() <= column.level.size();
}

}  // namespace

std::string determined_by(const AnalysisFactor& column, const std::vector<AnalysisFactor>& taken) {
  Chosen all;
  for (const AnalysisFactor& factor : taken) {
    if (!factor.covariate) all.push_back(&factor);
  }
  for (const AnalysisFactor* one : all) {
    if (determine({one}, column)) return one->name;
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (std::size_t j = i + 1; j < all.size(); ++j) {
      if (determine({all[i], all[j]}, column)) return all[i]->name + " and " + all[j]->name;
    }
  }
  return all.size() > 2 && determine(all, column) ? "the columns before it and their combinations" : "";
}

bool looks_measured(const AnalysisFactor& column) {
  return column.covariate && column.level.size() >= kEnoughRows &&
         2 * column.levels.size() > column.level.size();
}

}  // namespace sextant::analysis
