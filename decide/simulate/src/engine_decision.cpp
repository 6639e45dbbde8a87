// What a policy decided, carried out: gangs that start, stop, crash, share GPUs and leave them.
#include <algorithm>
#include <cmath>

#include "engine.h"
#include "sextant/simulate/checkpoint.h"

namespace sextant::simulate {

void Engine::refuse(const std::string& what, schedule::JobSlot slot, Nanos now) const {
  const bool known = slot >= 0 && slot < active_.slots();
  ledger_.refuse(what, known ? active_.view(slot).id : -1, clock_.at(now));
}

void Engine::apply(Nanos now) {
  for (const schedule::JobSlot slot : decision_.stop) stop(slot, now);
  for (const schedule::Start& entry : decision_.start) {
    check_start(entry, now);
    if (entry.beside < 0)
      start(entry, now);
    else
      start_beside(entry, now);
  }
}

void Engine::stop(schedule::JobSlot slot, Nanos now) {
  if (slot < 0 || slot >= active_.slots() || !active_.state(slot).present || !active_.view(slot).runs()) {
    refuse("the policy stops a job that does not run", slot, now);
  }
  active_.advance(slot, now);
  active_.save(slot, now);
  ++active_.outcome(slot).preemptions;
  leave(slot, now, 'p');
  active_.view(slot).stopped_s = clock_.at(now);
  ++waiting_;
}

void Engine::crash(schedule::JobSlot slot, Nanos now) {
  active_.advance(slot, now);
  active_.roll_back(slot);
  ++active_.outcome(slot).crashes;
  leave(slot, now, 'c');
  active_.view(slot).stopped_s = clock_.at(now);
  lost_.push_back(slot);
  ++waiting_;
}

void Engine::check_start(const schedule::Start& start, Nanos now) const {
  if (start.job < 0 || start.job >= active_.slots() || !active_.state(start.job).present) {
    refuse("the policy starts a job that is not there", start.job, now);
  }
  const schedule::JobView& view = active_.view(start.job);
  if (view.runs()) refuse("the policy starts a job that runs", start.job, now);
  if (start.type < 0 || static_cast<std::size_t>(start.type) >= spec_.pools.size()) {
    refuse("the policy names a type that is not there", start.job, now);
  }
  const schedule::TypeView& type = cluster_.types()[static_cast<std::size_t>(start.type)];
  if (!(view.rate[start.type] > 0)) {
    refuse("the policy starts it on " + std::string(type.name) + ", where it cannot run", start.job, now);
  }
  if (start.beside < 0 && type.free < view.gpus) {
    refuse("the policy starts " + std::to_string(view.gpus) + " GPUs on " + std::string(type.name) +
               ", where " + std::to_string(type.free) + " are free",
           start.job, now);
  }
}

void Engine::start(const schedule::Start& start, Nanos now) {
  const std::int32_t gpus = active_.view(start.job).gpus;
  cluster_.place(start.type, gpus, now, active_.state(start.job).place);
  ledger_.hold(start.type, gpus);
  begin_stay(start.job, start.type, now);
  set_speed(start.job, now);
}

void Engine::start_beside(const schedule::Start& start, Nanos now) {
  const schedule::JobSlot host = start.beside;
  if (host >= active_.slots() || host == start.job || !active_.state(host).present ||
      active_.view(host).type != start.type) {
    refuse("the policy starts it beside a job that does not run there", start.job, now);
  }
  ActiveJob& state = active_.state(start.job);
  ActiveJob& other = active_.state(host);
  if (other.beside >= 0) refuse("the policy starts a third job on the same GPUs", start.job, now);
  if (active_.view(host).gpus != active_.view(start.job).gpus) {
    refuse("the policy starts it beside a job with another number of GPUs", start.job, now);
  }
  if (!(shared_rate(state.cls, other.cls, start.type) > 0) ||
      !(shared_rate(other.cls, state.cls, start.type) > 0)) {
    refuse("the policy starts it beside job " + std::to_string(active_.view(host).id) +
               ", with which it cannot share GPUs",
           start.job, now);
  }
  active_.advance(host, now);
  state.place = other.place;
  state.beside = host;
  other.beside = start.job;
  begin_stay(start.job, start.type, now);
  set_speed(start.job, now);
  set_speed(host, now);
}

void Engine::begin_stay(schedule::JobSlot slot, std::int32_t type, Nanos now) {
  schedule::JobView& view = active_.view(slot);
  ActiveJob& state = active_.state(slot);
  JobOutcome& outcome = active_.outcome(slot);
  const bool first = std::isnan(outcome.start.value);
  if (first) {
    view.first_start_s = clock_.at(now);
    outcome.start = Seconds{view.first_start_s};
  }
  outcome.type = type;
  state.started = state.since = now;
  state.productive = later(now, nanos_of((first ? options_.startup : options_.restart).value));
  state.pace = pace_of(state.place.nodes());
  view.type = type;
  view.since_s = clock_.at(now);
  view.productive_s = clock_.at(state.productive);
  active_.save(slot, now);
  outages_.enter(cluster_.number({type, state.place.first.node}), slot);
  for (const NodeShare& share : state.place.others) {
    outages_.enter(cluster_.number({type, share.node}), slot);
  }
  ++running_;
  --waiting_;
}

void Engine::leave(schedule::JobSlot slot, Nanos now, char why) {
  schedule::JobView& view = active_.view(slot);
  ActiveJob& state = active_.state(slot);
  if (options_.segments) {
    result_.segments.push_back({.job = static_cast<std::int32_t>(view.id),
                                .type = view.type,
                                .node = state.place.first.node,
                                .nodes = state.place.nodes(),
                                .begin = Seconds{clock_.at(state.started)},
                                .end = Seconds{clock_.at(now)},
                                .why = why});
  }
  outages_.leave(cluster_.number({view.type, state.place.first.node}), slot);
  for (const NodeShare& share : state.place.others) {
    outages_.leave(cluster_.number({view.type, share.node}), slot);
  }
  if (state.beside >= 0) {
    const schedule::JobSlot other = state.beside;
    active_.advance(other, now);
    active_.state(other).beside = state.beside = -1;
    set_speed(other, now);
  } else {
    cluster_.release(view.type, state.place, now);
    ledger_.release(view.type, view.gpus);
  }
  view.type = -1;
  view.speed = 0;
  view.since_s = clock_.at(now);
  state.completion = 0;
  --running_;
}

// Of `cls`, with `other` on the same GPUs; 0: they cannot share.
double Engine::shared_rate(std::int32_t cls, std::int32_t other, std::int32_t type) const {
  const auto t = static_cast<std::size_t>(type);
  if (const PairOfClasses* pair = jobs_.together(cls, other)) return pair->first_rate[t];
  const PairOfClasses* pair = jobs_.together(other, cls);
  return pair == nullptr ? 0 : pair->second_rate[t];
}

double Engine::rate_of(schedule::JobSlot slot) const {
  const ActiveJob& state = active_.state(slot);
  const auto type = static_cast<std::size_t>(active_.view(slot).type);
  const JobClass& cls = jobs_.classes[static_cast<std::size_t>(state.cls)];
  double rate = cls.rate[type];
  if (state.beside >= 0)
    rate = shared_rate(state.cls, active_.state(state.beside).cls, active_.view(slot).type);
  if (state.place.nodes() == 1) return rate;
  return rate * (state.place.one_rack ? cls.across_nodes[type] : cls.across_racks[type]);
}

void Engine::set_speed(schedule::JobSlot slot, Nanos now) {
  schedule::JobView& view = active_.view(slot);
  ActiveJob& state = active_.state(slot);
  view.speed = rate_of(slot) * state.pace.share;
  const Nanos from = std::max(now, state.productive);
  const Nanos end = later(from, nanos_of((view.remaining - state.surplus) / view.speed));
  state.completion = end == kEndless ? 0 : follow_ups.add(end, EventClass::completion, slot);
}

CheckpointPace Engine::pace_of(std::int32_t nodes) const {
  const Seconds every = checkpoint_interval(options_.checkpoint, nodes, outages_.node_mtbf());
  if (!std::isfinite(every.value)) return {};
  if (every <= Seconds{0}) return {.share = 1, .period = 0};
  const Seconds period = every + options_.checkpoint.cost;
  return {.share = every / period, .period = nanos_of(period.value)};
}

}  // namespace sextant::simulate
