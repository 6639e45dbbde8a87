// What ranks say, whatever the distribution: Kruskal and Wallis (1952) for the level of groups, Spearman's
// rho and Kendall's tau-b for the agreement of two orders, all with ties. Input errors as in summary.h.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace sextant::stats {

struct RankedSample {
  std::vector<double> ranks;  // from 1, ties share their mean; in the order given
  double tie_term = 0;        // sum of t^3 - t over runs of t equal values
};
RankedSample ranked(std::span<const double> values);

struct KruskalWallisTest {
  double h = 0;  // corrected for ties
  double df = 0;
  double p = 1;                // of chi-square
  double epsilon_squared = 0;  // share of the variation of the ranks, H / (n - 1)
  bool small_groups = false;   // one has fewer than five values, where chi-square is rough
  std::vector<double> mean_ranks = {};
};
// At least two groups, none empty. All values equal: H 0, p 1.
KruskalWallisTest kruskal_wallis(std::span<const std::vector<double>> groups);
// The same within blocks (workloads, days), whose own levels do not count: ranks within each block, weighted
// by 1 / (size + 1) (van Elteren 1960). blocks[b][g] are the values of group g in block b, possibly none.
// With one block it is kruskal_wallis(). mean_ranks are of ranks scaled to a block of size 1; epsilon_squared
// is H over the number of values less that of the blocks.
KruskalWallisTest blocked_kruskal_wallis(std::span<const std::vector<std::vector<double>>> blocks);

enum class RankPMethod { exact, student_t, normal };
std::string to_string(RankPMethod method);

struct RankCorrelation {
  double value = 0;  // in [-1, 1]
  double p = 1;      // two-sided
  RankPMethod method = RankPMethod::exact;
  std::size_t pairs = 0;
};
// Pearson's of the ranks. p over all orders without ties and up to 9 pairs, else by Student's t. At least
// three pairs; a side without any difference is an InputError, as with correlation().
RankCorrelation spearman(std::span<const double> a, std::span<const double> b);
// tau-b. p exact without ties and up to 50 pairs (counts of inversions), else normal with the variance of
// Kendall (1970) for ties. At least two pairs.
RankCorrelation kendall(std::span<const double> a, std::span<const double> b);

}  // namespace sextant::stats
