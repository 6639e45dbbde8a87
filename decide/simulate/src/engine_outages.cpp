#include "engine_outages.h"

#include <algorithm>
#include <limits>

#include "sextant/core/plugin_text.h"

namespace sextant::simulate {

std::vector<std::unique_ptr<FaultProcess>> make_faults(const std::vector<std::string>& texts,
                                                       std::int64_t nodes, std::uint64_t seed) {
  const Rng rng = Rng(seed).stream("faults");
  std::vector<std::unique_ptr<FaultProcess>> processes;
  for (const std::string& text : texts) {
    const PluginText parts = split_plugin_text(text);
    const FaultInfo& info = faults().get(parts.id);
    processes.push_back(info.make({.parameters = parameters_of(info, parts),
                                   .nodes = nodes,
                                   .rng = rng.stream(info.id, processes.size())}));
  }
  return processes;
}

Outages::Outages(std::vector<std::unique_ptr<FaultProcess>> processes, const RunClock& clock,
                 std::int64_t nodes)
    : clock_(clock), nodes_(nodes), processes_(std::move(processes)) {
  double rate = 0;
  for (const auto& process : processes_) rate += 1 / process->mean_time_between_s();
  node_mtbf_ = Seconds{rate > 0 ? 1 / rate : std::numeric_limits<double>::infinity()};
  const auto outages = static_cast<std::int64_t>(processes_.size()) * nodes;
  if (outages >= events::kSubjects) throw InputError("more nodes and faults than a run can have");
  until_.resize(static_cast<std::size_t>(outages), kEndless);
  if (!any()) return;
  down_.resize(static_cast<std::size_t>(nodes));
  on_node_.resize(static_cast<std::size_t>(nodes));
}

void Outages::schedule_all(SimFollowUps& next) {
  for (std::int32_t outage = 0; outage < static_cast<std::int32_t>(until_.size()); ++outage) {
    schedule(outage, -1, next);
  }
}

void Outages::schedule(std::int32_t outage, Nanos now, SimFollowUps& next) {
  FaultProcess& process = *processes_[static_cast<std::size_t>(outage / nodes_)];
  const Outage following = process.next(node_of(outage), clock_.at(std::max(now, Nanos{0})));
  const Nanos at = std::max(clock_.when(following.at_s), now + 1);  // in the future, so that time goes on
  if (at == kEndless) return;
  until_[static_cast<std::size_t>(outage)] = std::max(at, clock_.when(following.until_s));
  next.add(at, EventClass::failure, outage);
}

bool Outages::begin(std::int32_t outage, Nanos now, SimFollowUps& next) {
  const Nanos until = std::max(now, until_[static_cast<std::size_t>(outage)]);
  if (until != kEndless) {
    next.add(until, EventClass::repair, outage);
    ++pending_repairs_;
  }
  return down_[static_cast<std::size_t>(node_of(outage))]++ == 0;
}

bool Outages::end(std::int32_t outage, Nanos now, SimFollowUps& next) {
  schedule(outage, now, next);
  --pending_repairs_;
  return --down_[static_cast<std::size_t>(node_of(outage))] == 0;
}

void Outages::enter(std::int64_t node, schedule::JobSlot slot) {
  if (any()) on_node_[static_cast<std::size_t>(node)].push_back(slot);
}

void Outages::leave(std::int64_t node, schedule::JobSlot slot) {
  if (any()) std::erase(on_node_[static_cast<std::size_t>(node)], slot);
}

}  // namespace sextant::simulate
