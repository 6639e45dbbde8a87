// Aggregation rules, one file each in runtime/robust/rules: n updates of which some may be an attacker's
// become one. A rule sees flat arrays of floats and knows nothing of networks or transports. What is done
// before any rule (updates that are not finite, buckets) is the Aggregator's work (aggregator.h).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sextant/core/registry.h"
#include "sextant/core/rng.h"
#include "sextant/robust/updates.h"

namespace sextant::robust {

struct RuleSetup {
  Parameters parameters = {};
  std::size_t threads = 1;  // results are the same to the bit whatever it is
};

struct RuleRound {
  const Updates& updates;     // at least one; each row has the dimension and is finite
  std::size_t attackers = 0;  // that the rule is to withstand, at most most_attackers() of so many updates
  std::int64_t round = 0;
  Rng rng{0};  // of this round
};

// What a rule made of one update.
struct Verdict {
  double weight =
      0;  // its part in the aggregate; all together 1, less where a rule shortens updates; 0: not used
  double score = 0;      // larger: further from the others, in the rule's own measure
  bool flagged = false;  // taken for an attacker's
};

struct Aggregation {
  std::vector<float> values = {};
  std::vector<Verdict> verdicts = {};  // in the order of the updates
};

// What a rule remembers between rounds, for checkpoints: rows of equal length with a client each.
struct RuleMemory {
  std::vector<std::int64_t> clients = {};  // -1: of no client
  std::vector<float> values = {};
};

class AggregationRule {
 public:
  virtual ~AggregationRule() = default;
  // `out` is resized by the rule. A rule that keeps nothing between rounds gives the same for the same round.
  virtual void aggregate(const RuleRound& round, Aggregation& out) = 0;
  [[nodiscard]] virtual RuleMemory memory() const { return {}; }
  virtual void remember(const RuleMemory&) {}
};

// What the contract suite holds a rule to.
struct RuleClaims {
  bool permutation_invariant = true;    // up to rounding
  bool translation_equivariant = true;  // all updates moved by the same vector move the result by it
  bool keeps_memory = false;            // between rounds
  bool weighs = false;                  // by Update::weight
  // With most_attackers() attackers, whatever they send, the result stays at a distance from the honest
  // updates that does not grow with what they send. False: only where attackers send the same.
  bool bounded = true;
};

struct AggregationRuleInfo : PluginInfo {
  static constexpr PluginKind kKind = {
      "rule", "rules", "ways to aggregate updates of which some are an attacker's", "aggregation rule"};

  std::vector<std::string> aliases = {};
  RuleClaims claims = {};
  // The breakdown point as a count: attackers among n updates that the rule withstands.
  std::size_t (*most_attackers)(std::size_t n) = nullptr;
  std::string cost = {};  // in n updates of d numbers: "n^2 d"
  std::unique_ptr<AggregationRule> (*make)(const RuleSetup&) = nullptr;
};

// All files of runtime/robust/rules, sorted by id.
const Registry<AggregationRuleInfo>& rules();

// A rule and its parameters as people write it: "krum:f=0.2", or "krum/f=0.2" where it stands in another
// text.
struct RuleChoice {
  const AggregationRuleInfo* rule = nullptr;
  Parameters parameters = {};
};
RuleChoice parse_rule(std::string_view text, const SourcePos& at = {});
// What differs from the defaults: "krum:f=0.2"
std::string to_string(const RuleChoice& choice);

// Updates that are averaged before the rule sees them. Rules that go by clients have no buckets, whose
// members change.
std::size_t bucket_size(const RuleChoice& choice);
// Attackers among n updates that the choice withstands: each may spoil a bucket of its own.
std::size_t most_attackers(const RuleChoice& choice, std::size_t n);
// Attackers that a choice is to withstand among n updates: its parameter f, a share below 1 and a count from
// 1 on. Not more than its rule withstands at this n. A rule without f: as many as it withstands.
std::size_t assumed_attackers(const RuleChoice& choice, std::size_t n);
// InputError where n updates are too few for the attackers that the choice names.
void check_enough(const RuleChoice& choice, std::size_t n, const SourcePos& at = {});

}  // namespace sextant::robust
