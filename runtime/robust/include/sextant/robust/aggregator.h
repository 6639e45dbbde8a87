// A rule as servers use it: updates that no rule can use are left out and named, then updates are averaged in
// buckets where that is asked for (Karimireddy, He, Jaggi, ICLR 2022), then the rule decides.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sextant/robust/rule.h"

namespace sextant::robust {

struct AggregatorSetup {
  std::size_t threads = 1;
  std::uint64_t seed = 0;  // of buckets and of rules that draw
};

enum class Refusal {
  none,
  wrong_length,  // another dimension than the model's
  not_finite     // NaN or infinite somewhere
};
std::string to_string(Refusal refusal);

struct RoundResult {
  std::vector<float> values = {};  // finite; zeros where no update could be used
  std::vector<Verdict> verdicts = {};
  std::vector<Refusal> refusals = {};  // in the order of the updates, as verdicts
  std::size_t used = 0;                // updates that the rule saw
  std::size_t assumed_attackers = 0;   // among them
};

class Aggregator {
 public:
  Aggregator(const RuleChoice& choice, const AggregatorSetup& setup);
  ~Aggregator();
  RoundResult aggregate(const Updates& updates, std::int64_t round);
  [[nodiscard]] RuleMemory memory() const { return rule_->memory(); }
  void remember(const RuleMemory& memory) { rule_->remember(memory); }

 private:
  void aggregate_usable(const Updates& usable, std::int64_t round, RoundResult& result);

  RuleChoice choice_;
  AggregatorSetup setup_;
  std::unique_ptr<AggregationRule> rule_;
};

}  // namespace sextant::robust
