// Boosted oblivious trees: all nodes of a level ask the same question, so a tree is a table.
#pragma once

#include <span>
#include <vector>

#include "sextant/llm/kernels.h"

namespace sextant::llm {

struct TreeSettings {
  int trees = 60;
  int depth = 4;
  double rate = 0.25;
  double shrink = 3;  // rows that a leaf is drawn to nothing with
};
// `rows` holds the features of each case. Deterministic.
std::vector<ObliviousTree> grow_trees(const std::vector<std::vector<double>>& rows,
                                      std::vector<double> targets, const TreeSettings& settings);
double trees_value(std::span<const ObliviousTree> trees, std::span<const double> features);

}  // namespace sextant::llm
