#include "krum_scores.h"

#include <algorithm>
#include <numeric>

#include "flat_math.h"

namespace sextant::robust {

std::vector<double> krum_scores(const PairDistances& distances, const std::vector<std::size_t>& among,
                                std::size_t attackers) {
  const std::size_t n = among.size();
  const std::size_t others = n - 1;
  const std::size_t wanted = std::min(others, n > attackers + 3 ? n - attackers - 2 : 1);
  std::vector<double> scores(n);
  std::vector<double> near;
  for (std::size_t i = 0; i < n; ++i) {
    near.clear();
    for (std::size_t j = 0; j < n; ++j) {
      if (j != i) near.push_back(distances.squared(among[i], among[j]));
    }
    // Sorted, so that the sum does not depend on the order of the updates.
    std::ranges::partial_sort(near, near.begin() + static_cast<std::ptrdiff_t>(wanted));
    scores[i] = std::accumulate(near.begin(), near.begin() + static_cast<std::ptrdiff_t>(wanted), 0.0);
  }
  return scores;
}

std::vector<double> krum_scores(const PairDistances& distances, std::size_t attackers) {
  std::vector<std::size_t> all(distances.size());
  std::iota(all.begin(), all.end(), 0U);
  return krum_scores(distances, all, attackers);
}

std::vector<std::size_t> smallest(const std::vector<double>& values, std::size_t count) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return values[i]; });
  order.resize(std::min(count, order.size()));
  return order;
}

void average_selected(const Updates& updates, const Selection& selection, std::size_t threads,
                      Aggregation& out) {
  const std::size_t n = updates.size();
  std::vector<double> weights(n, 0);
  for (const std::size_t i : selection.chosen) weights[i] = 1 / static_cast<double>(selection.chosen.size());
  weighted_sum(updates, weights, threads, out.values);
  out.verdicts.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    out.verdicts[i] = {.weight = weights[i], .score = selection.scores[i], .flagged = weights[i] == 0};
  }
}

}  // namespace sextant::robust
