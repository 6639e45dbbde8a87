#include "round_model.h"

#include <algorithm>
#include <cmath>

namespace sextant::federated {
namespace {

// Bytes that the kernel has taken over from a sender while they are still on their way. Linux lets the buffer
// of a connection grow with its window: of 4 MB through a link of 20 Mbit/s (tbf, queue of 50 ms) the sender
// was rid of the last byte 0.38 s before it arrived.
constexpr double kSendBuffer = 900e3;

}  // namespace

using events::FollowUps;
using events::Nanos;

RoundModel::RoundModel(const RoundSetup& setup)
    : setup_(setup),
      down_(setup.costs.server_bytes_per_s),
      cores_(setup.costs.cores),
      up_(setup.costs.server_bytes_per_s) {
  const std::vector<std::int64_t>& working = setup.participants.working;
  for (auto at = working.rbegin(); at != working.rend(); ++at) {
    const std::int64_t client = *at;
    const std::int64_t host = host_of_client(client);
    Host& home = hosts_[host];
    home.to_train.push_back(client);
    home.bytes_per_s = setup.participation.traits()[static_cast<std::size_t>(host)].bytes_per_s;
  }
}

std::int64_t RoundModel::host_of_client(std::int64_t client) const {
  return setup_.costs.hosts > 0 ? client % setup_.costs.hosts : client;
}

FollowUps<RoundEvent>& RoundModel::begin() {
  for (const auto& [host, home] : hosts_) down_.add(host, setup_.costs.model_bytes, home.bytes_per_s, 0);
  for (const std::int64_t client : setup_.participants.working) {
    const double leaves = setup_.participation.leaves_after(client, setup_.participants.start);
    if (std::isfinite(leaves))
      follow_ups.add(events::nanos_of(leaves), RoundEvent::left, static_cast<std::int32_t>(client));
  }
  if (setup_.deadline_s > 0) follow_ups.add(events::nanos_of(setup_.deadline_s), RoundEvent::deadline);
  return follow_ups;
}

// What comes at the very instant of the deadline, or of a client's leaving, is in time: settle() looks at
// those after what was done.
FollowUps<RoundEvent>& RoundModel::handle(const events::Event<RoundEvent>& event) {
  if (event.kind() == RoundEvent::left) leaving_.push_back(event.subject());
  deadline_reached_ = deadline_reached_ || event.kind() == RoundEvent::deadline;
  return follow_ups;
}

Nanos RoundModel::next_time() const {
  return std::min({down_.next(), cores_.next(), up_.next()});
}

FollowUps<RoundEvent>& RoundModel::settle(Nanos now) {
  const double seconds = events::seconds_of(now);
  for (const std::int64_t host : down_.take_done(now)) train_next(host, seconds);
  for (const std::int64_t host : cores_.take_done(now)) trained(host, seconds);
  for (const std::int64_t host : up_.take_done(now)) sent(host, seconds);
  for (const std::int64_t client : leaving_) {
    if (answered_.contains(client)) continue;
    left_.insert(client);
    end_s_ = seconds;  // the server waits no longer for it
  }
  leaving_.clear();
  over_ = over_ || std::ssize(answered_) >= setup_.participation.wanted();
  if (deadline_reached_ && !over_) {
    over_ = true;
    const bool missing = answered_.size() < setup_.participants.working.size();
    if (missing || !setup_.participants.dropped.empty()) end_s_ = setup_.deadline_s;
  }
  return follow_ups;
}

// The server knows who is missing: it waits for the deadline only if somebody is.
bool RoundModel::goes_on() const {
  const bool all = answered_.size() + left_.size() == setup_.participants.working.size();
  const bool lacking = !left_.empty() || !setup_.participants.dropped.empty();
  return !over_ && !(all && !(lacking && setup_.deadline_s > 0));
}

void RoundModel::train_next(std::int64_t host, double now) {
  Host& home = hosts_.at(host);
  if (home.to_train.empty()) return;
  const std::int64_t client = home.to_train.back();
  const auto& traits = setup_.participation.traits()[static_cast<std::size_t>(client)];
  cores_.add(host, setup_.participation.trained_samples(client) / traits.samples_per_s, 1, now);
}

void RoundModel::trained(std::int64_t host, double now) {
  Host& home = hosts_.at(host);
  home.to_send.push_back(home.to_train.back());
  home.to_train.pop_back();
  if (home.to_send.size() == 1) send_next(host, now);
}

// An update goes in two parts: once the first has gone, the kernel has taken the rest over, and the host
// trains its next client meanwhile.
void RoundModel::send_next(std::int64_t host, double now) {
  Host& home = hosts_.at(host);
  const double first = std::max(setup_.costs.model_bytes - kSendBuffer, 0.0);
  home.hands_over = first > 0;
  up_.add(host, home.hands_over ? first : setup_.costs.model_bytes, home.bytes_per_s, now);
  if (!home.hands_over) train_next(host, now);
}

void RoundModel::sent(std::int64_t host, double now) {
  Host& home = hosts_.at(host);
  if (home.hands_over) {
    home.hands_over = false;
    up_.add(host, std::min(kSendBuffer, setup_.costs.model_bytes), home.bytes_per_s, now);
    train_next(host, now);
    return;
  }
  const std::int64_t client = home.to_send.front();
  home.to_send.erase(home.to_send.begin());
  if (!left_.contains(client) && std::ssize(answered_) < setup_.participation.wanted()) {
    answered_.insert(client);
    end_s_ = now;
  }
  if (!home.to_send.empty()) send_next(host, now);
}

}  // namespace sextant::federated
