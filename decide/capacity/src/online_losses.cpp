#include "online_losses.h"

#include <algorithm>

#include "sextant/core/plugin_text.h"
#include "sextant/events/time.h"

namespace sextant::capacity {

NodeLosses::NodeLosses(const OnlineOptions& options, std::size_t nodes)
    : nodes_(static_cast<std::int32_t>(nodes)), loss_ticket_(nodes, 0), down_(nodes, 0) {
  const Rng rng(options.seed);
  const Rng spot = rng.stream("spot");
  for (std::size_t n = 0; n < nodes; ++n) draws_.push_back(spot.stream("node", n));
  const Rng faults = rng.stream("faults");
  for (const std::string& text : options.faults) {
    const PluginText parts = split_plugin_text(text);
    const simulate::FaultInfo& info = simulate::faults().get(parts.id);
    processes_.push_back(info.make({.parameters = parameters_of(info, parts),
                                    .nodes = nodes_,
                                    .rng = faults.stream(info.id, processes_.size())}));
  }
  until_.resize(processes_.size() * nodes, events::kEndless);
}

void NodeLosses::rented(std::int32_t node, const MachineType* type, events::Nanos now,
                        OnlineFollowUps& next) {
  std::uint64_t& ticket = loss_ticket_[static_cast<std::size_t>(node)];
  ticket = 0;
  if (type == nullptr || type->losses_per_hour <= 0) return;
  const double span = draws_[static_cast<std::size_t>(node)].exponential(kHour.value / type->losses_per_hour);
  ticket = next.add(events::later(now, std::max<events::Nanos>(1, events::nanos_of(span))), OnlineEvent::loss,
                    node);
}

void NodeLosses::schedule_all(double begin_s, OnlineFollowUps& next) {
  begin_s_ = begin_s;
  for (std::int32_t outage = 0; outage < static_cast<std::int32_t>(until_.size()); ++outage)
    schedule(outage, -1, next);
}

void NodeLosses::schedule(std::int32_t outage, events::Nanos now, OnlineFollowUps& next) {
  simulate::FaultProcess& process = *processes_[static_cast<std::size_t>(outage / nodes_)];
  const double now_s = begin_s_ + events::seconds_of(std::max<events::Nanos>(now, 0));
  const simulate::Outage following = process.next(node_of(outage), now_s);
  const events::Nanos begin = std::max(events::nanos_of(following.at_s - begin_s_), now + 1);
  if (begin == events::kEndless) return;
  until_[static_cast<std::size_t>(outage)] = std::max(begin, events::nanos_of(following.until_s - begin_s_));
  next.add(begin, OnlineEvent::failure, outage);
}

bool NodeLosses::break_down(std::int32_t outage, events::Nanos now, OnlineFollowUps& next) {
  const events::Nanos until = std::max(now, until_[static_cast<std::size_t>(outage)]);
  if (until != events::kEndless) {
    next.add(until, OnlineEvent::repair, outage);
    ++pending_repairs_;
  }
  loss_ticket_[static_cast<std::size_t>(node_of(outage))] = 0;
  return down_[static_cast<std::size_t>(node_of(outage))]++ == 0;
}

bool NodeLosses::mend(std::int32_t outage, events::Nanos now, OnlineFollowUps& next) {
  schedule(outage, now, next);
  --pending_repairs_;
  return --down_[static_cast<std::size_t>(node_of(outage))] == 0;
}

}  // namespace sextant::capacity
