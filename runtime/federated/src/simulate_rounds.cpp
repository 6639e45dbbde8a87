#include "sextant/federated/simulate_rounds.h"

#include "participation.h"
#include "round_model.h"
#include "sextant/events/run.h"

namespace sextant::federated {

std::vector<SimulatedRound> simulate_rounds(const Federation& federation, const RoundCosts& costs) {
  const Participation participation(federation, costs.samples, costs.model_bytes);
  const auto strategy = make_strategy(federation, 1);
  std::vector<SimulatedRound> rounds;
  double clock_s = 0;
  for (std::int64_t round = 1; round <= federation.rounds; ++round) {
    const Participants participants = participation.choose(*strategy, {}, round, clock_s);
    RoundModel model({.costs = costs,
                      .participation = participation,
                      .participants = participants,
                      .deadline_s = federation.deadline_s});
    events::run(model);
    SimulatedRound result{.seconds = participants.waited_s + model.end_s() + costs.server_s,
                          .chosen = std::ssize(participants.chosen),
                          .answered = std::ssize(model.answered()),
                          .dropped = std::ssize(participants.dropped) + std::ssize(model.left())};
    result.late = result.chosen - result.answered - result.dropped;
    for (const std::int64_t client : model.answered())
      result.samples += static_cast<std::int64_t>(participation.trained_samples(client));
    clock_s += result.seconds;
    rounds.push_back(result);
  }
  return rounds;
}

}  // namespace sextant::federated
