#include "sextant/stats/ranks.h"

#include <algorithm>
#include <numeric>

#include "checks.h"
#include "sextant/stats/distributions.h"
#include "sum.h"

namespace sextant::stats {

RankedSample ranked(std::span<const double> values) {
  stats::check_values(values, "ranks");
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return values[i]; });
  RankedSample result{.ranks = std::vector<double>(values.size())};
  for (std::size_t begin = 0; begin < order.size();) {
    std::size_t end = begin + 1;
    while (end < order.size() && values[order[end]] == values[order[begin]]) ++end;
    const auto ties = static_cast<double>(end - begin);
    result.tie_term += ties * ties * ties - ties;
    for (std::size_t i = begin; i < end; ++i) {
      result.ranks[order[i]] = static_cast<double>(begin + end + 1) / 2;
    }
    begin = end;
  }
  return result;
}

KruskalWallisTest kruskal_wallis(std::span<const std::vector<double>> groups) {
  stats::check_count(groups.size(), 2, "Kruskal-Wallis test: groups");
  std::vector<double> all;
  for (const std::vector<double>& group : groups) {
    stats::check_values(group, "Kruskal-Wallis test");
    all.insert(all.end(), group.begin(), group.end());
  }
  const RankedSample sample = ranked(all);
  const auto n = static_cast<double>(all.size());
  KruskalWallisTest test{.df = static_cast<double>(groups.size() - 1)};
  stats::CompensatedSum between;
  std::size_t next = 0;
  for (const std::vector<double>& group : groups) {
    const auto size = static_cast<double>(group.size());
    const auto first = sample.ranks.begin() + static_cast<std::ptrdiff_t>(next);
    const double mean_rank =
        std::accumulate(first, first + static_cast<std::ptrdiff_t>(group.size()), 0.0) / size;
    next += group.size();
    const double off = mean_rank - (n + 1) / 2;
    between.add(size * off * off);
    test.mean_ranks.push_back(mean_rank);
    test.small_groups = test.small_groups || group.size() < 5;
  }
  const double ties = 1 - sample.tie_term / (n * n * n - n);
  if (!(ties > 0)) return test;  // nothing differs
  test.h = 12 / (n * (n + 1)) * between.value() / ties;
  test.p = upper_tail(ChiSquare{test.df}, test.h);
  test.epsilon_squared = test.h / (n - 1);
  return test;
}

std::string to_string(RankPMethod method) {
  if (method == RankPMethod::exact) return "exact";
  return method == RankPMethod::normal ? "normal" : "t";
}

}  // namespace sextant::stats
