#include "online_nodes.h"

#include <algorithm>

namespace sextant::capacity {
namespace {

constexpr double kKilowattHour = 3.6e6;  // J

}  // namespace

NodeAccounts::NodeAccounts(const OnlineOptions& options, Snapshot& snapshot, OnlineResult& result)
    : options_(options),
      snapshot_(snapshot),
      result_(result),
      on_since_(snapshot.nodes.size()),
      used_(snapshot.nodes.size(), 0) {}

void NodeAccounts::pay(Seconds now) {
  const Seconds span = now - paid_;
  paid_ = now;
  if (!(span > Seconds{0})) return;
  Joules energy{};
  for (std::size_t n = 0; n < snapshot_.nodes.size(); ++n) {
    const std::int32_t type = snapshot_.nodes[n].type;
    if (type == kNone) continue;
    const MachineType& machine = snapshot_.types[static_cast<std::size_t>(type)];
    result_.machines += machine.hour_price / kHour * span;
    energy += (machine.idle + machine.busy * used_[n]) * span;
  }
  const Wishes& wishes = options_.wishes;
  const double hours = energy.value / kKilowattHour;
  const double carbon = hours * wishes.carbon_kg_per_kwh;
  result_.energy += energy;
  result_.carbon_kg += carbon;
  result_.energy_cost += hours * wishes.energy_price + carbon * wishes.carbon_price;
}

void NodeAccounts::switch_off(std::size_t node, Seconds now, bool billed) {
  NodeState& state = snapshot_.nodes[node];
  if (state.type == kNone) return;
  const MachineType& machine = snapshot_.types[static_cast<std::size_t>(state.type)];
  if (billed && state.paid_until > now) {
    result_.machines += machine.hour_price / kHour * (state.paid_until - now);
  }
  if (options_.history) {
    stays_.push_back({.node = static_cast<std::int32_t>(node),
                      .type = state.type,
                      .gpus = machine.gpus,
                      .begin = on_since_[node],
                      .end = now});
  }
  state.type = kNone;
  state.paid_until = {};
}

std::vector<std::int32_t> NodeAccounts::switch_to(const Decision& decision, Seconds now) {
  std::vector<std::int32_t> changed;
  for (std::size_t n = 0; n < snapshot_.nodes.size(); ++n) {
    NodeState& state = snapshot_.nodes[n];
    const std::int32_t type = decision.nodes[n];
    if (state.type == type) continue;
    switch_off(n, now, true);
    state.type = type;
    changed.push_back(static_cast<std::int32_t>(n));
    if (type == kNone) continue;
    on_since_[n] = now;
    state.paid_until = now + snapshot_.types[static_cast<std::size_t>(type)].minimum_billing;
  }
  return changed;
}

void NodeAccounts::lose(std::int32_t node, Seconds now) {
  switch_off(static_cast<std::size_t>(node), now, false);
  used_[static_cast<std::size_t>(node)] = 0;
}

void NodeAccounts::close(Seconds now) {
  for (std::size_t n = 0; n < snapshot_.nodes.size(); ++n) switch_off(n, now, true);
  std::ranges::stable_sort(stays_, {}, &Stay::node);
  result_.stays.insert(result_.stays.end(), stays_.begin(), stays_.end());
}

}  // namespace sextant::capacity
