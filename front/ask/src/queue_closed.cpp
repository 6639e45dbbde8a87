// Closed networks (mva) and operational laws.
#include "queue_forms.h"
#include "queue_texts.h"
#include "sextant/core/error.h"

namespace sextant::ask {
namespace {

queueing::ClosedNetwork closed_network_of(const QueueQuestion& question) {
  if (!question.servers_at.empty() && question.servers_at.size() != question.demands.size()) {
    throw InputError(at_field("servers_at"),
                     std::to_string(question.servers_at.size()) + " numbers for " +
                         std::to_string(question.demands.size()) + " demands",
                     "one for each");
  }
  queueing::ClosedNetwork network;
  for (std::size_t i = 0; i < question.demands.size(); ++i) {
    network.stations.push_back({.name = "queue" + std::to_string(i + 1),
                                .demand = queue_duration(question.demands[i], "demands"),
                                .servers = question.servers_at.empty() ? 1 : question.servers_at[i]});
  }
  for (std::size_t i = 0; i < question.delays.size(); ++i) {
    network.stations.push_back({.name = "delay" + std::to_string(i + 1),
                                .demand = queue_duration(question.delays[i], "delays"),
                                .kind = queueing::StationKind::delay});
  }
  network.think = queue_duration(question.think, "think").value_or(Seconds{0});
  network.multi_server = question.seidmann ? queueing::MultiServer::seidmann : queueing::MultiServer::exact;
  return network;
}

void require_closed_network(const QueueQuestion& question) {
  if (question.demands.empty())
    throw InputError(at_field("demands"), "the demands are missing: seconds that a user needs at each queue");
  if (question.populations.empty())
    throw InputError(at_field("population"), "the number of users is missing");
}

queueing::Measured measured_of(const QueueQuestion& question) {
  if (question.populations.size() > 1)
    throw InputError(at_field("population"), "operational laws take one number of customers, not several");
  if (question.service_times.size() > 1)
    throw InputError(at_field("service_time"), "operational laws take one service time, not several");
  queueing::Measured measured{.period = queue_duration(question.period, "period"),
                              .completions = question.completions,
                              .busy = queue_duration(question.busy, "busy"),
                              .visits = question.visits,
                              .residence = queue_duration(question.residence, "residence"),
                              .think = queue_duration(question.think, "think")};
  if (!question.service_times.empty())
    measured.service = queue_duration(question.service_times[0], "service_time");
  if (!question.populations.empty()) measured.users = static_cast<double>(question.populations[0]);
  return measured;
}

QueueAnswer closed_bounds(const QueueQuestion& question) {
  require_closed_network(question);
  if (question.completions || question.period || question.busy || question.visits || question.residence ||
      !question.service_times.empty()) {
    throw InputError(at_field("demands"), "give either demands, for bounds, or what was measured");
  }
  ClosedBounds answer{closed_network_of(question), question.populations, {}};
  for (const std::int64_t population : question.populations) {
    answer.bounds.push_back(network_bounds(answer.network, population));
  }
  return {std::move(answer)};
}

}  // namespace

QueueAnswer closed_queues(const QueueQuestion& question) {
  require_closed_network(question);
  const queueing::ClosedNetwork network = closed_network_of(question);
  return {ClosedQueues{network, solve_closed(network, question.populations)}};
}

QueueAnswer queue_laws(const QueueQuestion& question) {
  if (!question.demands.empty() || !question.delays.empty()) return closed_bounds(question);
  return {QueueLaws{operational_laws(measured_of(question))}};
}

}  // namespace sextant::ask
