#include "run_cells.h"

#include <algorithm>
#include <numeric>

namespace sextant::analysis {
namespace {

// Order of two runs by their levels, factor after factor.
int compare(const AnalysisTable& table, std::size_t a, std::size_t b) {
  for (const AnalysisFactor& factor : table.factors) {
    if (factor.level[a] != factor.level[b]) return factor.level[a] < factor.level[b] ? -1 : 1;
  }
  return 0;
}

}  // namespace

RunCells run_cells(const AnalysisTable& table) {
  std::vector<std::size_t> order(table.rows());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return compare(table, a, b) < 0; });
  std::vector<std::size_t> representative(table.rows());  // the first run that is alike
  for (std::size_t i = 0; i < order.size(); ++i) {
    const bool alike = i > 0 && compare(table, order[i - 1], order[i]) == 0;
    representative[order[i]] = alike ? representative[order[i - 1]] : order[i];
  }
  RunCells cells{.first = {}, .size = {}, .of = std::vector<std::size_t>(table.rows())};
  for (std::size_t run = 0; run < table.rows(); ++run) {
    if (representative[run] == run) {
      cells.of[run] = cells.first.size();
      cells.first.push_back(run);
      cells.size.push_back(0);
    } else {
      cells.of[run] = cells.of[representative[run]];
    }
    ++cells.size[cells.of[run]];
  }
  return cells;
}

}  // namespace sextant::analysis
