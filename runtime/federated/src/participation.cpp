#include "participation.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sextant/federated/client_host.h"

namespace sextant::federated {

using events::kEndless;
using events::Nanos;

Participation::Participation(const Federation& federation, std::vector<std::int64_t> samples,
                             double model_bytes)
    : federation_(federation), samples_(std::move(samples)), traits_(drawn_traits(federation)) {
  if (!federation.availability_trace.empty()) trace_ = AvailabilityTrace::read(federation.availability_trace);
  for (std::size_t client = 0; client < samples_.size(); ++client) {
    const LocalWork work = local_work(federation, static_cast<std::int64_t>(client), 1, samples_[client]);
    trained_.push_back(static_cast<double>(work.steps * work.batch));
    latency_.push_back(client_seconds(traits_[client], trained_.back(), model_bytes));
  }
}

std::int64_t Participation::wanted() const {
  return federation_.per_round > 0 ? federation_.per_round : federation_.clients;
}

std::vector<std::int64_t> Participation::usable(const std::set<std::int64_t>& excluded) const {
  std::vector<std::int64_t> clients;
  for (std::int64_t client = 0; client < federation_.clients; ++client) {
    if (samples_[static_cast<std::size_t>(client)] > 0 && !excluded.contains(client))
      clients.push_back(client);
  }
  return clients;
}

bool Participation::is_there(std::int64_t client, std::int64_t round, Nanos start) const {
  return is_available(federation_, client, round) && (!trace_ || trace_->there(client, start));
}

double Participation::leaves_after(std::int64_t client, Nanos start) const {
  const Nanos until = trace_ ? trace_->until(client, start) : kEndless;
  return until == kEndless ? std::numeric_limits<double>::infinity() : events::seconds_of(until - start);
}

Participants Participation::choose(FederatedStrategy& strategy, const std::set<std::int64_t>& excluded,
                                   std::int64_t round, double clock_s) const {
  const std::vector<std::int64_t> candidates = usable(excluded);
  const Nanos now = events::nanos_of(clock_s);
  Participants result{.start = now};
  if (trace_ && !candidates.empty()) {
    Nanos first = kEndless;
    for (const std::int64_t client : candidates) first = std::min(first, trace_->next(client, now));
    if (first == kEndless) return result;  // who is in the trace was excluded
    result.start = first;
    result.waited_s = events::seconds_of(first - now);
  }
  std::vector<std::int64_t> there;
  for (const std::int64_t client : candidates) {
    if (is_there(client, round, result.start)) there.push_back(client);
  }
  if (there.empty()) return result;
  // A share as people write it: 10 clients and 0.3 are 13, not 14.
  const auto chosen = static_cast<double>(wanted()) * (1 + federation_.over_select);
  result.chosen =
      strategy.choose({.round = round,
                       .clients = there,
                       .latency = latency_,
                       .wanted = std::llround(std::ceil(chosen - 1e-9))},
                      Rng(federation_.seed).stream("selection", static_cast<std::uint64_t>(round)));
  for (const std::int64_t client : result.chosen) {
    (drops_out(federation_, client, round) ? result.dropped : result.working).push_back(client);
  }
  return result;
}

ExpectedRound Participation::expect(const Participants& participants) const {
  ExpectedRound round{.dropped = participants.dropped, .seconds = participants.waited_s};
  const auto latency = [this](std::int64_t client) { return latency_[static_cast<std::size_t>(client)]; };
  double gone_s = 0;  // when the server knows of the last one who left
  for (const std::int64_t client : participants.working) {
    const double leaves = leaves_after(client, participants.start);
    const bool goes = latency(client) > leaves;
    (goes ? round.dropped : round.answering).push_back(client);
    if (goes) gone_s = std::max(gone_s, leaves);
  }
  std::ranges::stable_sort(round.answering, {}, latency);
  const double deadline = federation_.deadline_s;
  const auto in_time = deadline > 0 ? std::ranges::upper_bound(round.answering, deadline, {}, latency) -
                                          round.answering.begin()
                                    : std::ssize(round.answering);
  const std::int64_t taken = std::min<std::int64_t>(in_time, wanted());
  round.late.assign(round.answering.begin() + taken, round.answering.end());
  round.answering.resize(static_cast<std::size_t>(taken));
  const bool waits = taken < wanted() && deadline > 0 && !(round.late.empty() && round.dropped.empty());
  if (waits) {
    round.seconds += deadline;
  } else {
    const double answered_s = taken > 0 ? latency(round.answering.back()) : 0;
    round.seconds += taken < wanted() ? std::max(answered_s, gone_s) : answered_s;
  }
  for (auto* clients : {&round.answering, &round.late, &round.dropped}) std::ranges::sort(*clients);
  return round;
}

}  // namespace sextant::federated
