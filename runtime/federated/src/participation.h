// Who takes part in a round: who is there, who is chosen, and who drops out. A server asks before it sends
// tasks, and the simulation of rounds asks the same.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include "sextant/core/rng.h"
#include "sextant/federated/availability_trace.h"
#include "sextant/federated/federation.h"
#include "sextant/federated/population.h"
#include "sextant/federated/strategy.h"

namespace sextant::federated {

struct Participants {
  double waited_s = 0;                     // until anybody was there
  events::Nanos start = 0;                 // on the federation's clock, after that
  std::vector<std::int64_t> chosen = {};   // rising
  std::vector<std::int64_t> dropped = {};  // of these, by drop-out
  std::vector<std::int64_t> working = {};  // the others
};

// How a round goes where clients wait for nobody's link but their own.
struct ExpectedRound {
  std::vector<std::int64_t> answering = {};  // in time
  std::vector<std::int64_t> late = {};       // after the deadline, or after enough others
  std::vector<std::int64_t> dropped = {};    // by drop-out, or gone before they were ready
  double seconds = 0;                        // with those that were waited
};

class Participation {
 public:
  // `samples`: of each client; `model_bytes`: one way.
  Participation(const Federation& federation, std::vector<std::int64_t> samples, double model_bytes);

  [[nodiscard]] Participants choose(FederatedStrategy& strategy, const std::set<std::int64_t>& excluded,
                                    std::int64_t round, double clock_s) const;
  [[nodiscard]] ExpectedRound expect(const Participants& participants) const;
  // Of a chosen client, from the start of the round; infinite for who stays.
  [[nodiscard]] double leaves_after(std::int64_t client, events::Nanos start) const;
  // Updates with which a round is over.
  [[nodiscard]] std::int64_t wanted() const;

  [[nodiscard]] const std::vector<ClientTraits>& traits() const { return traits_; }
  [[nodiscard]] double trained_samples(std::int64_t client) const {
    return trained_[static_cast<std::size_t>(client)];
  }

 private:
  [[nodiscard]] std::vector<std::int64_t> usable(const std::set<std::int64_t>& excluded) const;
  [[nodiscard]] bool is_there(std::int64_t client, std::int64_t round, events::Nanos start) const;

  const Federation& federation_;
  std::vector<std::int64_t> samples_;
  std::vector<ClientTraits> traits_;
  std::vector<double> trained_;  // samples in a round, those that come twice counted twice
  std::vector<double> latency_;
  std::optional<AvailabilityTrace> trace_;
};

}  // namespace sextant::federated
