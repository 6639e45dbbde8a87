// Runs that are alike in every factor make a cell. What a linear model says depends on the cells' means and
// sizes only; the scatter within them is what repetition shows.
#pragma once

#include <vector>

#include "sextant/analysis/analysis_table.h"

namespace sextant::analysis {

struct RunCells {
  std::vector<std::size_t> first;  // run of each cell, in the order of the runs
  std::vector<std::size_t> size;   // runs of each cell
  std::vector<std::size_t> of;     // cell of each run
};
RunCells run_cells(const AnalysisTable& table);

}  // namespace sextant::analysis
