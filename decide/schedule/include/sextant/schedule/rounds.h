// Deciding in rounds, on top of a scheduler that could decide at any time. Shares of time become starts and
// stops as in Gavel (Narayanan et al., OSDI 2020), without its simulator's quirks; ordinary queue policies
// can be held to rounds too. See docs/models/rounds.md.
#pragma once

#include <cstdint>
#include <memory>

#include "sextant/core/units.h"
#include "sextant/schedule/policy.h"

namespace sextant::schedule {

struct RoundOptions {
  Seconds round{360};
  Seconds reset{};                    // least time between two allocations while nobody new waits for one
  const PairSpeeds* pairs = nullptr;  // for policies that pack; outlives the policy
  std::uint64_t seed = 0;             // of the order of types, where the policy does not know them
};

class RoundedPolicy : public QueuePolicy {
 public:
  [[nodiscard]] virtual std::uint64_t rounds() const = 0;  // begun so far
};

// The first round begins when the first job arrives, and another whenever a job finds the cluster empty.
// Between boundaries nothing is started or stopped. InputError for a round that is not positive.
std::unique_ptr<RoundedPolicy> make_round_policy(std::unique_ptr<SharePolicy> policy, const PolicyInfo& info,
                                                 const RoundOptions& options);

// Passes what arrives, ends and is lost on to `policy` at boundaries only. A slot can have ended and arrived
// again by then, so that policies must look at what ended before what arrived.
std::unique_ptr<RoundedPolicy> make_boundary_policy(std::unique_ptr<QueuePolicy> policy, Seconds round);

}  // namespace sextant::schedule
