// Updates that own their numbers.
#pragma once

#include <utility>
#include <vector>

#include "sextant/core/rng.h"
#include "sextant/robust/aggregator.h"

namespace sextant::robust {

class OwnUpdates {
 public:
  explicit OwnUpdates(std::vector<std::vector<float>> rows) : rows_(std::move(rows)) {}

  [[nodiscard]] Updates view() const {
    Updates updates{.dimension = rows_.empty() ? 0 : rows_.front().size()};
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      updates.rows.push_back({.values = rows_[i], .client = static_cast<std::int64_t>(i)});
    }
    return updates;
  }
  std::vector<std::vector<float>>& rows() { return rows_; }

 private:
  std::vector<std::vector<float>> rows_;
};

// Normal around `center` at every coordinate, with a standard deviation of 1.
inline OwnUpdates cloud(std::size_t n, std::size_t d, double center, std::uint64_t seed = 1) {
  std::vector<std::vector<float>> rows(n, std::vector<float>(d));
  Rng rng = Rng(seed).stream("cloud");
  for (auto& row : rows) {
    for (float& value : row) value = static_cast<float>(center + rng.normal());
  }
  return OwnUpdates(std::move(rows));
}

// The seven updates with which the rules' worked numbers are computed: six near (1, 1), one attacker.
inline OwnUpdates seven() {
  return OwnUpdates({{1, 1}, {1.1F, 0.9F}, {0.9F, 1.1F}, {1.05F, 1}, {0.95F, 0.95F}, {1, 1.1F}, {10, -10}});
}

inline RoundResult aggregate(const std::string& rule, const Updates& updates,
                             const AggregatorSetup& setup = {}) {
  return Aggregator(parse_rule(rule), setup).aggregate(updates, 0);
}

}  // namespace sextant::robust
