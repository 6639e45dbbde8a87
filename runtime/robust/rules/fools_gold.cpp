// FoolsGold: clients whose updates, summed over all rounds, point in one direction are taken for Sybils and
// count little. Fung, Yoon, Beschastnikh, RAID 2020, with all coordinates as features. It expects honest
// clients to differ, and looks at directions only: a single attacker, or one that is merely long, is not held
// back.
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "flat_math.h"
#include "in_blocks.h"
#include "pair_distances.h"
#include "rule_parts.h"

namespace sextant::robust::rule_fools_gold {
namespace {

using History = std::map<std::int64_t, std::vector<float>>;

// alpha of the paper from the cosines of n directions.
class Pardon {
 public:
  Pardon(const PairDistances& distances, const std::vector<bool>& zero)
      : n_(distances.size()), cosines_(n_ * n_) {
    for (std::size_t i = 0; i < n_; ++i) {
      for (std::size_t j = 0; j < n_; ++j) {
        // Of vectors of length one; those of length zero are like nobody.
        if (i != j && !zero[i] && !zero[j]) cosines_[i * n_ + j] = 1 - distances.squared(i, j) / 2;
      }
    }
  }

  std::vector<double> weights() {
    const std::vector<double> closest = row_maxima();
    for (std::size_t i = 0; i < n_; ++i) {
      for (std::size_t j = 0; j < n_; ++j) {
        if (i != j && closest[j] > closest[i] && closest[j] > 0)
          cosines_[i * n_ + j] *= closest[i] / closest[j];
      }
    }
    std::vector<double> alpha = row_maxima();
    for (double& a : alpha) a = std::clamp(1 - a, 0.0, 1.0);
    const double most = alpha.empty() ? 0 : std::ranges::max(alpha);
    if (!(most > 0))
      return std::vector<double>(n_, 1);  // all the same: nobody is pardoned, so nobody is punished
    for (double& a : alpha) {
      a = std::min(a / most, kMost);
      a = a > 0 ? std::clamp(std::log(a / (1 - a)) + 0.5, 0.0, 1.0) : 0;
    }
    return alpha;
  }

 private:
  static constexpr double kMost = 0.99;  // the logit of one is infinite

  [[nodiscard]] std::vector<double> row_maxima() const {
    std::vector<double> maxima(n_, 0);
    if (n_ < 2) return maxima;
    for (std::size_t i = 0; i < n_; ++i) {
      maxima[i] = -1;
      for (std::size_t j = 0; j < n_; ++j) {
        if (i != j) maxima[i] = std::max(maxima[i], cosines_[i * n_ + j]);
      }
    }
    return maxima;
  }

  std::size_t n_;
  std::vector<double> cosines_;
};

class FoolsGold final : public AggregationRule {
 public:
  explicit FoolsGold(const RuleSetup& setup) : threads_(setup.threads) {}

  void aggregate(const RuleRound& round, Aggregation& out) override {
    const Updates& updates = round.updates;
    const std::size_t n = updates.size();
    const Updates sums = add(updates);
    std::vector<double> scales = norms(sums, threads_);
    std::vector<bool> zero(n);
    for (std::size_t i = 0; i < n; ++i) {
      zero[i] = !(scales[i] > 0);
      scales[i] = zero[i] ? 0 : 1 / scales[i];
    }
    // Directions are sums of length one.
    std::vector<double> weights = Pardon(PairDistances(sums, threads_, scales), zero).weights();
    out.verdicts.resize(n);
    const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
    for (std::size_t i = 0; i < n; ++i) {
      out.verdicts[i] = {.weight = weights[i] / total, .score = 1 - weights[i], .flagged = weights[i] == 0};
      weights[i] /= total;
    }
    weighted_sum(updates, weights, threads_, out.values);
  }

  [[nodiscard]] RuleMemory memory() const override {
    RuleMemory memory;
    for (const auto& [client, sum] : history_) {
      memory.clients.push_back(client);
      memory.values.insert(memory.values.end(), sum.begin(), sum.end());
    }
    return memory;
  }
  void remember(const RuleMemory& memory) override {
    history_.clear();
    const std::size_t d = memory.clients.empty() ? 0 : memory.values.size() / memory.clients.size();
    for (std::size_t i = 0; i < memory.clients.size(); ++i) {
      const auto first = memory.values.begin() + static_cast<std::ptrdiff_t>(i * d);
      history_[memory.clients[i]].assign(first, first + static_cast<std::ptrdiff_t>(d));
    }
  }

 private:
  // The sums of all rounds, with this one, of those who take part.
  Updates add(const Updates& updates) {
    std::map<std::int64_t, std::vector<std::size_t>> rows_of;
    for (std::size_t i = 0; i < updates.size(); ++i) rows_of[updates.rows[i].client].push_back(i);
    struct Addition {
      std::vector<float>* sum;
      const std::vector<std::size_t>* rows;
    };
    std::vector<Addition> additions;
    for (const auto& [client, rows] : rows_of) additions.push_back({&history_[client], &rows});
    for_pieces(additions.size(), threads_, [&](std::size_t k) {
      for (const std::size_t i : *additions[k].rows) add_row(updates.rows[i].values, *additions[k].sum);
    });
    Updates sums{.dimension = updates.dimension};
    for (const Update& row : updates.rows) sums.rows.push_back({.values = history_.at(row.client)});
    return sums;
  }

  static void add_row(std::span<const float> values, std::vector<float>& sum) {
    constexpr float kMostFloat = std::numeric_limits<float>::max();
    sum.resize(values.size(), 0);
    for (std::size_t i = 0; i < sum.size(); ++i)
      sum[i] = std::clamp(sum[i] + values[i], -kMostFloat, kMostFloat);
  }

  std::size_t threads_;
  History history_;
};

}  // namespace

std::vector<AggregationRuleInfo> plugin() {
  AggregationRuleInfo info;
  info.id = "fools-gold";
  info.summary = "clients that point in one direction round after round count little";
  info.reference = "Fung, Yoon, Beschastnikh, RAID 2020";
  info.aliases = {"foolsgold"};
  info.claims = {.translation_equivariant = false, .keeps_memory = true};
  info.most_attackers = none_of;
  info.cost = "n^2 d, and d numbers kept for each client";
  info.make = [](const RuleSetup& setup) -> std::unique_ptr<AggregationRule> {
    return std::make_unique<FoolsGold>(setup);
  };
  return {info};
}

}  // namespace sextant::robust::rule_fools_gold
