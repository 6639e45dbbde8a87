#include "online_engine.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "sextant/core/run_list.h"
#include "sextant/core/text.h"

namespace sextant::capacity {
namespace {

using events::kEndless;
using events::Nanos;

constexpr std::int64_t kHopelessDecisions = 100;  // in a row, while nothing runs and nothing comes
constexpr double kClockRounding = 1e-6;           // s; a job that ends so much after its due date is not late

}  // namespace

OnlineEngine::OnlineEngine(const Workload& workload, const OnlineOptions& options)
    : workload_(workload),
      options_(options),
      begin_s_(workload.jobs.empty() ? 0 : workload.jobs.front().submit.value),
      snapshot_{.now = Seconds{begin_s_},
                .types = workload.types,
                .nodes = workload.nodes,
                .wishes = options.wishes},
      jobs_(workload, options, snapshot_),
      nodes_(options, snapshot_, result_),
      losses_(options, workload.nodes.size()),
      method_(options.method.method->make({.parameters = options.method.parameters, .seed = options.seed})) {
  result_.jobs.resize(workload.jobs.size());
  // Nothing is decided again but at events: methods that look ahead must not count on the period.
  const bool counts = options.wishes.cost == NodeCost::period;
  if (!options.ticks && !counts) snapshot_.wishes.period = Seconds{std::numeric_limits<double>::infinity()};
}

OnlineResult OnlineEngine::run() {
  nodes_.pay(Seconds{begin_s_});
  finish(events::run(*this));
  return std::move(result_);
}

OnlineFollowUps& OnlineEngine::begin() {
  if (!workload_.jobs.empty()) losses_.schedule_all(begin_s_, follow_ups);
  return follow_ups;
}

bool OnlineEngine::stale(const events::Event<OnlineEvent>& event) const {
  if (event.kind() == OnlineEvent::loss) return losses_.stale_loss(event.subject(), event.ticket);
  if (event.kind() != OnlineEvent::end) return false;
  return !jobs_.ends_with(event.subject(), event.ticket);
}

Nanos OnlineEngine::next_time() const {
  const Nanos own = std::min({tick_, wake_, slot_});
  if (next_arrival_ == workload_.jobs.size()) return own;
  return std::min(own, when(workload_.jobs[next_arrival_].submit));
}

bool OnlineEngine::goes_on() const {
  if (next_arrival_ < workload_.jobs.size() || running_ > 0) return true;
  if (jobs_.size() == 0 || idle_decisions_ >= kHopelessDecisions) return false;
  return next_time() != kEndless || losses_.pending_repairs() > 0;
}

OnlineFollowUps& OnlineEngine::handle(const events::Event<OnlineEvent>& event) {
  changed_ = true;
  nodes_.pay(at(event.time));
  switch (event.kind()) {
    case OnlineEvent::end:
      complete(jobs_.slot_of(event.subject()), event.time);
      break;
    case OnlineEvent::loss:
      lose_node(event.subject(), event.time);
      break;
    case OnlineEvent::failure: {
      const std::int32_t node = losses_.node_of(event.subject());
      if (!losses_.break_down(event.subject(), event.time, follow_ups)) break;
      lose_node(node, event.time);
      snapshot_.nodes[static_cast<std::size_t>(node)].down = true;
      break;
    }
    case OnlineEvent::repair:
      if (losses_.mend(event.subject(), event.time, follow_ups)) {
        snapshot_.nodes[static_cast<std::size_t>(losses_.node_of(event.subject()))].down = false;
      }
      break;
  }
  return follow_ups;
}

OnlineFollowUps& OnlineEngine::settle(Nanos now) {
  if (options_.abandon && options_.abandon()) throw RunAbandoned{};
  nodes_.pay(at(now));
  take_arrivals(now);
  const bool due = changed_ || tick_ <= now || wake_ <= now || slot_ <= now;
  changed_ = false;
  if (!due) return follow_ups;
  slot_ = next_slot(now);
  if (slot_ == now) slot_ = kEndless;
  if (slot_ != kEndless) {
    tick_ = wake_ = kEndless;
  } else {
    decide(now);
  }
  return follow_ups;
}

Nanos OnlineEngine::next_slot(Nanos now) const {
  const Nanos length = events::nanos_of(options_.slot.value);
  return length == 0 ? now : (now + length - 1) / length * length;
}

void OnlineEngine::take_arrivals(Nanos now) {
  for (; next_arrival_ < workload_.jobs.size(); ++next_arrival_) {
    if (when(workload_.jobs[next_arrival_].submit) > now) return;
    jobs_.add(static_cast<std::int32_t>(next_arrival_), now);
    changed_ = true;
  }
}

void OnlineEngine::charge(std::size_t index, Seconds end) {
  const WorkloadJob& job = workload_.jobs[index];
  const Seconds late = end - job.due;
  if (!(late.value > kClockRounding)) return;
  result_.jobs[index].tardiness = late;
  result_.tardiness += late;
  result_.tardiness_cost += job.tardiness * late;
  ++result_.late;
}

void OnlineEngine::complete(std::size_t slot, Nanos now) {
  const auto index = static_cast<std::size_t>(jobs_.live(slot).index);
  stop(slot, now);
  JobOutcome& outcome = result_.jobs[index];
  outcome.fate = JobFate::completed;
  outcome.end = at(now);
  ++result_.completed;
  charge(index, outcome.end);
  if (outcome.met()) ++result_.met;
  jobs_.remove(slot);
}

void OnlineEngine::lose_node(std::int32_t node, Nanos now) {
  for (std::size_t slot = 0; slot < jobs_.size(); ++slot) {
    const bool there = std::ranges::any_of(jobs_.state(slot).shares,
                                           [node](const Share& share) { return share.node == node; });
    if (!there) continue;
    jobs_.advance(slot, now);
    ++result_.jobs[static_cast<std::size_t>(jobs_.live(slot).index)].restarts;
    ++result_.restarts;
    stop(slot, now);
  }
  if (snapshot_.nodes[static_cast<std::size_t>(node)].type != kNone) ++result_.losses;
  nodes_.lose(node, at(now));
}

void OnlineEngine::decide(Nanos now) {
  snapshot_.now = at(now);
  for (std::size_t slot = 0; slot < jobs_.size(); ++slot) jobs_.advance(slot, now);
  tick_ = wake_ = kEndless;
  if (jobs_.size() == 0) {  // nothing to decide: everything is switched off
    carry_out({.nodes = std::vector<std::int32_t>(snapshot_.nodes.size(), kNone)}, now);
    return note_spent(now);
  }
  const Decision decision = ask_method();
  carry_out(decision, now);
  if (options_.ticks)
    tick_ = events::later(now, std::max<Nanos>(1, events::nanos_of(options_.wishes.period.value)));
  if (std::isfinite(decision.wake.value)) wake_ = std::max(when(decision.wake), now + 1);
  idle_decisions_ = running_ > 0 || next_arrival_ < workload_.jobs.size() ? 0 : idle_decisions_ + 1;
  note_spent(now);
}

Decision OnlineEngine::ask_method() {
  const auto before = std::chrono::steady_clock::now();
  Decision decision = method_->decide(snapshot_);
  const Seconds wall{std::chrono::duration<double>(std::chrono::steady_clock::now() - before).count()};
  result_.solve += wall;
  result_.longest_solve = std::max(result_.longest_solve, wall);
  ++result_.decisions;
  if (const std::string fault = fault_of(snapshot_, decision); !fault.empty()) {
    throw std::logic_error("method " + options_.method.text + " at " + number_text(snapshot_.now.value) +
                           " s: " + fault);
  }
  return decision;
}

// Those that go on as they are keep their end; all others stop before anybody starts.
void OnlineEngine::carry_out(const Decision& decision, Nanos now) {
  std::vector<const Assignment*> wanted(jobs_.size(), nullptr);
  for (const Assignment& assignment : decision.run)
    wanted[static_cast<std::size_t>(assignment.job)] = &assignment;
  std::vector<std::size_t> starts;
  for (std::size_t slot = 0; slot < jobs_.size(); ++slot) {
    const JobState& state = jobs_.state(slot);
    const Assignment* next = wanted[slot];
    const bool stays = next != nullptr && state.running == next->option && state.shares == next->shares;
    if (next != nullptr && !stays) starts.push_back(slot);
    if (state.running == kNone || stays) continue;
    ++result_.jobs[static_cast<std::size_t>(jobs_.live(slot).index)].restarts;
    ++result_.restarts;
    stop(slot, now);
  }
  for (const std::int32_t node : nodes_.switch_to(decision, snapshot_.now)) {
    const std::int32_t type = decision.nodes[static_cast<std::size_t>(node)];
    losses_.rented(node, type == kNone ? nullptr : &snapshot_.types[static_cast<std::size_t>(type)], now,
                   follow_ups);
  }
  for (const std::size_t slot : starts) start(slot, *wanted[slot], now);
  std::vector<std::int32_t> used(snapshot_.nodes.size(), 0);
  for (const Assignment& assignment : decision.run) {
    for (const Share& share : assignment.shares) used[static_cast<std::size_t>(share.node)] += share.gpus;
  }
  for (std::size_t n = 0; n < used.size(); ++n) nodes_.set_used(static_cast<std::int32_t>(n), used[n]);
  refuse(decision);
}

void OnlineEngine::refuse(const Decision& decision) {
  std::vector<std::int32_t> slots = decision.refused;
  std::ranges::sort(slots, std::greater());  // removing one moves those behind it
  for (const std::int32_t slot : slots) {
    const auto index = static_cast<std::size_t>(jobs_.live(static_cast<std::size_t>(slot)).index);
    result_.jobs[index].fate = JobFate::refused;
    ++result_.refused;
    jobs_.remove(static_cast<std::size_t>(slot));
  }
  if (!options_.wishes.admission) return;
  for (std::size_t slot = 0; slot < jobs_.size(); ++slot) jobs_.state(slot).promised = true;
}

void OnlineEngine::stop(std::size_t slot, Nanos now) {
  const std::int32_t index = jobs_.live(slot).index;
  if (options_.history) {
    for (Stay& stay : open_stays_) {
      if (stay.job != index) continue;
      stay.end = at(now);
      result_.stays.push_back(stay);
    }
    std::erase_if(open_stays_, [index](const Stay& stay) { return stay.job == index; });
  }
  jobs_.stop(slot);
  --running_;
}

void OnlineEngine::start(std::size_t slot, const Assignment& assignment, Nanos now) {
  LiveJob& live = jobs_.live(slot);
  jobs_.start(slot, assignment, now);
  const Nanos end = events::later(now, std::max<Nanos>(1, events::nanos_of(jobs_.left(slot))));
  live.end_ticket = follow_ups.add(end, OnlineEvent::end, live.index);
  ++running_;
  Seconds& first = result_.jobs[static_cast<std::size_t>(live.index)].start;
  if (std::isnan(first.value)) first = at(now);
  if (!options_.history) return;
  const JobState& state = jobs_.state(slot);
  const std::int32_t type = state.options[static_cast<std::size_t>(assignment.option)].type;
  for (const Share& share : assignment.shares) {
    open_stays_.push_back(
        {.job = live.index, .node = share.node, .type = type, .gpus = share.gpus, .begin = at(now)});
  }
}

void OnlineEngine::note_spent(Nanos now) {
  if (!options_.history) return;
  result_.spent.push_back({.time = at(now),
                           .machines = result_.machines + result_.energy_cost,
                           .tardiness = result_.tardiness_cost});
}

void OnlineEngine::finish(Nanos end) {
  result_.end = at(end);
  for (std::size_t slot = 0; slot < jobs_.size(); ++slot) {
    ++result_.unfinished;
    charge(static_cast<std::size_t>(jobs_.live(slot).index), result_.end);
  }
  nodes_.close(result_.end);
}

OnlineResult run_online(const Workload& workload, const OnlineOptions& options) {
  return OnlineEngine(workload, options).run();
}

}  // namespace sextant::capacity
