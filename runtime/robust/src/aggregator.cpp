#include "sextant/robust/aggregator.h"

#include <numeric>

#include "flat_math.h"
#include "in_blocks.h"

namespace sextant::robust {
namespace {

// A random order of n, cut into buckets of `size`; the last one may be smaller.
std::vector<std::vector<std::size_t>> draw_buckets(std::size_t n, std::size_t size, Rng rng) {
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), 0U);
  for (std::size_t i = n; i > 1; --i) std::swap(order[i - 1], order[rng.below(i)]);
  std::vector<std::vector<std::size_t>> buckets;
  for (std::size_t i = 0; i < n; ++i) {
    if (i % size == 0) buckets.emplace_back();
    buckets.back().push_back(order[i]);
  }
  return buckets;
}

// The mean of each bucket as an update of its own.
class BucketMeans {
 public:
  BucketMeans(const Updates& updates, const std::vector<std::vector<std::size_t>>& buckets,
              std::size_t threads)
      : values_(buckets.size()) {
    means_.dimension = updates.dimension;
    for (std::size_t b = 0; b < buckets.size(); ++b) {
      Updates members{.dimension = updates.dimension};
      double weight = 0;
      for (const std::size_t i : buckets[b]) {
        members.rows.push_back(updates.rows[i]);
        weight += updates.rows[i].weight;
      }
      const std::vector<double> shares(members.size(), 1 / static_cast<double>(members.size()));
      weighted_sum(members, shares, threads, values_[b]);
      means_.rows.push_back({.values = values_[b], .client = static_cast<std::int64_t>(b), .weight = weight});
    }
  }
  [[nodiscard]] const Updates& updates() const { return means_; }

 private:
  std::vector<std::vector<float>> values_;
  Updates means_;
};

}  // namespace

std::string to_string(Refusal refusal) {
  switch (refusal) {
    case Refusal::none:
      return "";
    case Refusal::wrong_length:
      return "wrong length";
    case Refusal::not_finite:
      return "not finite";
  }
  return "";
}

Aggregator::Aggregator(const RuleChoice& choice, const AggregatorSetup& setup)
    : choice_(choice),
      setup_(setup),
      rule_(choice.rule->make({.parameters = choice.parameters, .threads = setup.threads})) {}

Aggregator::~Aggregator() = default;

RoundResult Aggregator::aggregate(const Updates& updates, std::int64_t round) {
  RoundResult result{.verdicts = std::vector<Verdict>(updates.size()),
                     .refusals = std::vector<Refusal>(updates.size())};
  for_pieces(updates.size(), setup_.threads, [&](std::size_t i) {
    const std::span<const float> values = updates.rows[i].values;
    if (values.size() != updates.dimension) {
      result.refusals[i] = Refusal::wrong_length;
    } else if (!is_finite(values)) {
      result.refusals[i] = Refusal::not_finite;
    }
  });
  Updates usable{.dimension = updates.dimension};
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < updates.size(); ++i) {
    if (result.refusals[i] != Refusal::none) {
      result.verdicts[i].flagged = true;
      continue;
    }
    usable.rows.push_back(updates.rows[i]);
    places.push_back(i);
  }
  result.used = usable.size();
  if (usable.size() == 0) {
    result.values.assign(updates.dimension, 0);
    return result;
  }
  RoundResult inner;
  aggregate_usable(usable, round, inner);
  result.values = std::move(inner.values);
  result.assumed_attackers = inner.assumed_attackers;
  for (std::size_t k = 0; k < places.size(); ++k) result.verdicts[places[k]] = inner.verdicts[k];
  return result;
}

void Aggregator::aggregate_usable(const Updates& usable, std::int64_t round, RoundResult& result) {
  const Rng rng = Rng(setup_.seed).stream("round", static_cast<std::uint64_t>(round));
  const std::size_t n = usable.size();
  const std::size_t size = bucket_size(choice_);
  result.assumed_attackers = assumed_attackers(choice_, n);
  Aggregation out;
  if (size <= 1) {
    rule_->aggregate({usable, result.assumed_attackers, round, rng.stream("rule")}, out);
    result.verdicts = std::move(out.verdicts);
  } else {
    const auto buckets = draw_buckets(n, size, rng.stream("buckets"));
    const BucketMeans means(usable, buckets, setup_.threads);
    rule_->aggregate({means.updates(), result.assumed_attackers, round, rng.stream("rule")}, out);
    result.verdicts.resize(n);
    for (std::size_t b = 0; b < buckets.size(); ++b) {
      for (const std::size_t i : buckets[b]) {
        result.verdicts[i] = out.verdicts[b];
        result.verdicts[i].weight /= static_cast<double>(buckets[b].size());
      }
    }
  }
  result.values = std::move(out.values);
}

}  // namespace sextant::robust
