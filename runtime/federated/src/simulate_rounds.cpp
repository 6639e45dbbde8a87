#include "sextant/federated/simulate_rounds.h"

#include <algorithm>
#include <map>

#include "sextant/events/run.h"
#include "sextant/federated/client_host.h"
#include "sextant/federated/population.h"
#include "sextant/federated/strategy.h"

namespace sextant::federated {
namespace {

enum class RoundEvent { update_arrived, model_arrived, trained, deadline };

// A link that carries one transfer after the other; each also takes the time of the client's own link.
class SharedLink {
 public:
  explicit SharedLink(double bytes_per_s) : bytes_per_s_(bytes_per_s) {}
  // When a transfer that is asked for now has arrived.
  double arrival(double now, double bytes, double client_bytes_per_s) {
    const double own = bytes / client_bytes_per_s;
    if (bytes_per_s_ <= 0) return now + own;
    const double busy = bytes / bytes_per_s_;
    const double start = std::max(now, free_);
    free_ = start + busy;
    return start + std::max(busy, own);
  }

 private:
  double bytes_per_s_;
  double free_ = 0;
};

struct RoundSetup {
  const RoundCosts& costs;
  const std::vector<ClientTraits>& traits;
  std::vector<std::int64_t> clients;       // that will answer
  std::map<std::int64_t, double> trained;  // samples times epochs of each
  double deadline_s = 0;
  bool waits_for_dropped = false;  // somebody dropped out: with a deadline the round lasts until then
};

class RoundModel : public events::EventModel<RoundEvent> {
 public:
  explicit RoundModel(const RoundSetup& setup)
      : setup_(setup), down_(setup.costs.server_bytes_per_s), up_(setup.costs.server_bytes_per_s) {}

  events::FollowUps<RoundEvent>& begin() {
    for (const std::int64_t client : setup_.clients) {
      const double arrives = down_.arrival(0, setup_.costs.model_bytes, traits(client).bytes_per_s);
      follow_ups.add(events::nanos_of(arrives), RoundEvent::model_arrived, static_cast<std::int32_t>(client));
    }
    if (setup_.deadline_s > 0) follow_ups.add(events::nanos_of(setup_.deadline_s), RoundEvent::deadline);
    return follow_ups;
  }

  events::FollowUps<RoundEvent>& handle(const events::Event<RoundEvent>& event) {
    const double now = events::seconds_of(event.time);
    const std::int64_t client = event.subject();
    switch (event.kind()) {
      case RoundEvent::model_arrived:
        follow_ups.add(events::nanos_of(now + setup_.trained.at(client) / traits(client).samples_per_s),
                       RoundEvent::trained, static_cast<std::int32_t>(client));
        break;
      case RoundEvent::trained:
        follow_ups.add(
            events::nanos_of(up_.arrival(now, setup_.costs.model_bytes, traits(client).bytes_per_s)),
            RoundEvent::update_arrived, static_cast<std::int32_t>(client));
        break;
      case RoundEvent::update_arrived:
        answered_.push_back(client);
        end_s_ = now;
        break;
      case RoundEvent::deadline:
        over_ = true;
        if (answered_.size() < setup_.clients.size() || setup_.waits_for_dropped) end_s_ = now;
        break;
    }
    return follow_ups;
  }
  // The server knows who is missing: it waits for the deadline only if somebody is.
  [[nodiscard]] bool goes_on() const {
    const bool all =
        answered_.size() == setup_.clients.size() && !(setup_.waits_for_dropped && setup_.deadline_s > 0);
    return !over_ && !all;
  }

  [[nodiscard]] double end_s() const { return end_s_; }
  [[nodiscard]] const std::vector<std::int64_t>& answered() const { return answered_; }

 private:
  [[nodiscard]] const ClientTraits& traits(std::int64_t client) const {
    return setup_.traits[static_cast<std::size_t>(client)];
  }

  const RoundSetup& setup_;
  SharedLink down_;
  SharedLink up_;
  std::vector<std::int64_t> answered_;
  double end_s_ = 0;
  bool over_ = false;
};

class RoundSequence {
 public:
  RoundSequence(const Federation& federation, const RoundCosts& costs)
      : federation_(federation),
        costs_(costs),
        traits_(drawn_traits(federation)),
        strategy_(make_strategy(federation, 1)) {
    for (std::size_t client = 0; client < traits_.size(); ++client) {
      const LocalWork work =
          local_work(federation, static_cast<std::int64_t>(client), 1, costs.samples[client]);
      trained_.push_back(static_cast<double>(work.steps * work.batch));
      latency_.push_back(client_seconds(traits_[client], trained_.back(), costs.model_bytes));
    }
  }

  SimulatedRound next(std::int64_t round) {
    SimulatedRound result;
    RoundSetup setup{.costs = costs_, .traits = traits_, .clients = {}, .trained = {}};
    setup.deadline_s = federation_.deadline_s;
    for (const std::int64_t client : chosen(round)) {
      ++result.chosen;
      if (drops_out(federation_, client, round)) {
        ++result.dropped;
        continue;
      }
      setup.clients.push_back(client);
      setup.trained[client] = trained_[static_cast<std::size_t>(client)];
    }
    setup.waits_for_dropped = result.dropped > 0;
    RoundModel model(setup);
    events::run(model);
    result.answered = std::ssize(model.answered());
    result.late = std::ssize(setup.clients) - result.answered;
    for (const std::int64_t client : model.answered()) {
      result.samples += static_cast<std::int64_t>(trained_[static_cast<std::size_t>(client)]);
    }
    result.seconds = model.end_s() + costs_.server_s;
    return result;
  }

 private:
  std::vector<std::int64_t> chosen(std::int64_t round) {
    std::vector<std::int64_t> there;
    for (std::int64_t client = 0; client < federation_.clients; ++client) {
      const bool holds = costs_.samples[static_cast<std::size_t>(client)] > 0;
      if (holds && is_available(federation_, client, round)) there.push_back(client);
    }
    if (there.empty()) return {};
    return strategy_->choose(
        {.round = round,
         .clients = there,
         .latency = latency_,
         .wanted = federation_.per_round > 0 ? federation_.per_round : federation_.clients},
        Rng(federation_.seed).stream("selection", static_cast<std::uint64_t>(round)));
  }

  const Federation& federation_;
  const RoundCosts& costs_;
  std::vector<ClientTraits> traits_;
  std::unique_ptr<FederatedStrategy> strategy_;
  std::vector<double> trained_;
  std::vector<double> latency_;
};

}  // namespace

std::vector<SimulatedRound> simulate_rounds(const Federation& federation, const RoundCosts& costs) {
  RoundSequence sequence(federation, costs);
  std::vector<SimulatedRound> rounds;
  for (std::int64_t round = 1; round <= federation.rounds; ++round) rounds.push_back(sequence.next(round));
  return rounds;
}

}  // namespace sextant::federated
