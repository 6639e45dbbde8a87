#include "kernel_trees.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace sextant::llm {
namespace {

constexpr std::size_t kMostCuts = 24;  // of a feature

std::vector<double> candidate_cuts(const std::vector<std::vector<double>>& rows, std::size_t feature) {
  std::vector<double> values;
  for (const auto& row : rows) values.push_back(row[feature]);
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  std::vector<double> cuts;
  for (std::size_t i = 1; i < values.size(); ++i) cuts.push_back((values[i - 1] + values[i]) / 2);
  if (cuts.size() <= kMostCuts) return cuts;
  std::vector<double> chosen;
  for (std::size_t i = 0; i < kMostCuts; ++i) chosen.push_back(cuts[i * (cuts.size() - 1) / (kMostCuts - 1)]);
  return chosen;
}

// Cases with the number of the bin of each feature: how many cuts lie below the value.
struct Binned {
  std::vector<std::vector<double>> cuts;          // by feature
  std::vector<std::vector<std::uint8_t>> places;  // by feature, then case
};

Binned bin_rows(const std::vector<std::vector<double>>& rows) {
  Binned binned;
  for (std::size_t f = 0; f < rows.front().size(); ++f) {
    binned.cuts.push_back(candidate_cuts(rows, f));
    auto& places = binned.places.emplace_back();
    for (const auto& row : rows) {
      const auto& cuts = binned.cuts.back();
      places.push_back(static_cast<std::uint8_t>(std::ranges::lower_bound(cuts, row[f]) - cuts.begin()));
    }
  }
  return binned;
}

struct Question {
  double gain = -1;
  std::size_t feature = 0;
  std::size_t cut = 0;
};

// Sums of targets and cases by leaf and bin.
struct LeafSums {
  std::vector<double> sum, count;
};

LeafSums sums_of(const std::vector<std::uint8_t>& places, const std::vector<std::size_t>& leaf,
                 const std::vector<double>& targets, std::size_t bins) {
  const std::size_t leaves = *std::ranges::max_element(leaf) + 1;
  LeafSums sums{std::vector<double>(leaves * bins), std::vector<double>(leaves * bins)};
  for (std::size_t i = 0; i < leaf.size(); ++i) {
    sums.sum[leaf[i] * bins + places[i]] += targets[i];
    sums.count[leaf[i] * bins + places[i]] += 1;
  }
  return sums;
}

// What a question gains over all leaves, for each cut.
std::vector<double> gains(const LeafSums& sums, std::size_t bins, double shrink) {
  std::vector<double> gain(bins - 1, 0);
  for (std::size_t from = 0; from < sums.sum.size(); from += bins) {
    double all = 0;
    double cases = 0;
    for (std::size_t b = 0; b < bins; ++b) {
      all += sums.sum[from + b];
      cases += sums.count[from + b];
    }
    double below = 0;
    double below_cases = 0;
    for (std::size_t b = 0; b + 1 < bins; ++b) {
      below += sums.sum[from + b];
      below_cases += sums.count[from + b];
      const double above = all - below;
      gain[b] += below * below / (below_cases + shrink) + above * above / (cases - below_cases + shrink);
    }
  }
  return gain;
}

Question best_question(const Binned& binned, const std::vector<std::size_t>& leaf,
                       const std::vector<double>& targets, double shrink) {
  Question best;
  for (std::size_t f = 0; f < binned.cuts.size(); ++f) {
    const std::size_t bins = binned.cuts[f].size() + 1;
    if (bins < 2) continue;
    const auto gain = gains(sums_of(binned.places[f], leaf, targets, bins), bins, shrink);
    for (std::size_t c = 0; c < gain.size(); ++c) {
      if (gain[c] > best.gain + 1e-12) best = {gain[c], f, c};
    }
  }
  return best;
}

// Grows one tree and takes what it explains from the targets.
ObliviousTree grow_tree(const Binned& binned, std::vector<double>& targets, const TreeSettings& settings) {
  constexpr double kRounding = 1e-4;  // of a leaf: files stay short
  ObliviousTree tree;
  std::vector<std::size_t> leaf(targets.size(), 0);
  for (int level = 0; level < settings.depth; ++level) {
    const Question asked = best_question(binned, leaf, targets, settings.shrink);
    if (asked.gain < 0) break;
    tree.features.push_back(static_cast<int>(asked.feature));
    tree.cuts.push_back(binned.cuts[asked.feature][asked.cut]);
    for (std::size_t i = 0; i < leaf.size(); ++i)
      leaf[i] = 2 * leaf[i] + (binned.places[asked.feature][i] > asked.cut ? 1 : 0);
  }
  tree.leaves.assign(std::size_t{1} << tree.features.size(), 0);
  std::vector<double> counts(tree.leaves.size(), 0);
  for (std::size_t i = 0; i < leaf.size(); ++i) {
    tree.leaves[leaf[i]] += targets[i];
    counts[leaf[i]] += 1;
  }
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const double value = settings.rate * tree.leaves[i] / (counts[i] + settings.shrink);
    tree.leaves[i] = std::round(value / kRounding) * kRounding;
  }
  for (std::size_t i = 0; i < leaf.size(); ++i) targets[i] -= tree.leaves[leaf[i]];
  return tree;
}

}  // namespace

std::vector<ObliviousTree> grow_trees(const std::vector<std::vector<double>>& rows,
                                      std::vector<double> targets, const TreeSettings& settings) {
  std::vector<ObliviousTree> trees;
  if (rows.empty()) return trees;
  const Binned binned = bin_rows(rows);
  for (int i = 0; i < settings.trees; ++i) trees.push_back(grow_tree(binned, targets, settings));
  return trees;
}

double trees_value(std::span<const ObliviousTree> trees, std::span<const double> features) {
  double value = 0;
  for (const ObliviousTree& tree : trees) {
    std::size_t leaf = 0;
    for (std::size_t i = 0; i < tree.features.size(); ++i)
      leaf = 2 * leaf + (features[static_cast<std::size_t>(tree.features[i])] > tree.cuts[i] ? 1 : 0);
    value += tree.leaves[leaf];
  }
  return value;
}

}  // namespace sextant::llm
