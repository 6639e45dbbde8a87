// The mean of updates that are shortened to a length where they are longer: sum of x min(1, c / |x|) / n. Sun
// et al., 2019 (Can you really backdoor federated learning?). A length that is not given is the median of the
// updates' lengths.
#include "flat_math.h"
#include "rule_parts.h"

namespace sextant::robust::rule_norm_clipping {
namespace {

class NormClipping final : public AggregationRule {
 public:
  explicit NormClipping(const RuleSetup& setup)
      : length_(setup.parameters.number("length")), threads_(setup.threads) {}

  void aggregate(const RuleRound& round, Aggregation& out) override {
    const std::size_t n = round.updates.size();
    const std::vector<double> lengths = norms(round.updates, threads_);
    const double most = length_ > 0 ? length_ : median_of(lengths);
    std::vector<double> weights(n);
    out.verdicts.resize(n);
    for (std::size_t i = 0; i < n; ++i) {
      const double kept = lengths[i] > most ? most / lengths[i] : 1;
      weights[i] = kept / static_cast<double>(n);
      out.verdicts[i] = {.weight = weights[i], .score = lengths[i]};
    }
    weighted_sum(round.updates, weights, threads_, out.values);
  }

 private:
  double length_;
  std::size_t threads_;
};

}  // namespace

std::vector<AggregationRuleInfo> plugin() {
  AggregationRuleInfo info;
  info.id = "norm-clipping";
  info.summary = "the mean of updates that are shortened where they are long";
  info.reference = "Sun et al., Can You Really Backdoor Federated Learning?, 2019";
  ParameterInfo length = number_parameter("length", "longest update; median: of this round",
                                          {.fallback = 0, .low = 0, .high = 1e12});
  length.words = {{.name = "median", .value = 0}};
  info.parameters = {length, bucket_parameter()};
  info.aliases = {"clipping"};
  info.claims = {.translation_equivariant = false};
  info.most_attackers = less_than_half;
  info.cost = "n d";
  info.make = [](const RuleSetup& setup) -> std::unique_ptr<AggregationRule> {
    return std::make_unique<NormClipping>(setup);
  };
  return {info};
}

}  // namespace sextant::robust::rule_norm_clipping
