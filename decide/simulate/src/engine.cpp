#include "engine.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace sextant::simulate {
namespace {

constexpr std::int64_t kIdleWakes = 10'000'000;  // in a row while jobs run or are still to come
constexpr std::int64_t kHopelessWakes = 10'000;  // in a row when nothing else will happen

void check_jobs(const JobSet& set, const clusters::Cluster& cluster) {
  Seconds last{-std::numeric_limits<double>::infinity()};
  for (std::size_t i = 0; i < set.jobs.size(); ++i) {
    const SimJob& job = set.jobs[i];
    const bool known = job.cls >= 0 && static_cast<std::size_t>(job.cls) < set.classes.size() &&
                       set.classes[static_cast<std::size_t>(job.cls)].rate.size() == cluster.pools.size();
    const bool sane = std::isfinite(job.arrival.value) && job.arrival >= last && std::isfinite(job.work) &&
                      job.work > 0 && (job.planned == 0 || job.planned >= job.work) && job.gpus > 0 && known;
    if (!sane) throw std::invalid_argument("job " + std::to_string(i) + " of the set is not well formed");
    last = job.arrival;
  }
}

void check_options(const RunOptions& options) {
  const auto not_negative = [](Seconds value, const char* what) {
    if (!(value >= Seconds{0})) throw InputError(std::string(what) + " is negative or no number");
  };
  not_negative(options.startup, "the time to start a job");
  not_negative(options.restart, "the time to restart a job");
  not_negative(options.checkpoint.cost, "the time to write a checkpoint");
  if (std::isnan(options.until.value)) throw InputError("the time to stop at is no number");
  if (options.checkpoint.rule == CheckpointRule::fixed && !(options.checkpoint.every > Seconds{0})) {
    throw InputError("the time between two checkpoints must be positive");
  }
}

// The smallest of those that most jobs ask for.
std::int32_t usual_request(const JobSet& set) {
  std::map<std::int32_t, std::int64_t> count;
  for (const SimJob& job : set.jobs) ++count[job.gpus];
  std::int32_t usual = 1;
  std::int64_t most = 0;
  for (const auto& [gpus, jobs] : count) {
    if (jobs <= most) continue;
    usual = gpus;
    most = jobs;
  }
  return usual;
}

}  // namespace

Engine::Engine(const JobSet& jobs, const clusters::Cluster& cluster, const RunOptions& options,
               EngineParts parts)
    : jobs_(jobs),
      spec_(cluster),
      options_(options),
      clock_{jobs.jobs.empty() ? 0 : jobs.jobs.front().arrival.value},
      active_(jobs, clock_, result_),
      cluster_(cluster, placements().get(options.placement).make(), usual_request(jobs)),
      outages_(std::move(parts.faults), clock_, cluster_.nodes()),
      ledger_(cluster, options.policy.policy == nullptr ? "" : options.policy.policy->id),
      series_(clock_, options.series),
      policy_(std::move(parts.policy)) {
  check_jobs(jobs, cluster);
  check_options(options);
  result_.begin = Seconds{clock_.begin_s};
  result_.jobs.resize(jobs.jobs.size());
  result_.pools.resize(cluster.pools.size());
  until_ = clock_.when(options.until.value);
}

RunResult Engine::run() {
  finish(events::run(*this, until_));
  return std::move(result_);
}

SimFollowUps& Engine::begin() {
  if (!jobs_.jobs.empty()) outages_.schedule_all(follow_ups);
  return follow_ups;
}

bool Engine::stale(const SimEvent& event) const {
  return event.kind() == EventClass::completion && active_.state(event.subject()).completion != event.ticket;
}

Nanos Engine::next_time() const {
  if (next_arrival_ == jobs_.jobs.size()) return wake_;
  return std::min(wake_, clock_.when(jobs_.jobs[next_arrival_].arrival.value));
}

// Faults alone never make a waiting job start.
bool Engine::goes_on() const {
  if (next_arrival_ < jobs_.jobs.size() || running_ > 0) return true;
  return waiting_ > 0 && (outages_.pending_repairs() > 0 || wake_ != kEndless);
}

SimFollowUps& Engine::handle(const SimEvent& event) {
  ++result_.events;
  changed_ = true;
  switch (event.kind()) {
    case EventClass::completion:
      complete(event.subject(), event.time);
      break;
    case EventClass::failure:
      fail(event.subject(), event.time);
      break;
    case EventClass::repair:
      repair(event.subject(), event.time);
      break;
  }
  return follow_ups;
}

SimFollowUps& Engine::settle(Nanos now) {
  abandonment_.check(running_ + waiting_);
  take_arrivals(now);
  const bool woken = wake_ <= now;
  if (woken) ++result_.events;
  if (changed_ || woken) decide(now);
  changed_ = false;
  return follow_ups;
}

void Engine::take_arrivals(Nanos now) {
  for (; next_arrival_ < jobs_.jobs.size(); ++next_arrival_) {
    if (clock_.when(jobs_.jobs[next_arrival_].arrival.value) > now) return;
    arrived_.push_back(active_.add(static_cast<std::int64_t>(next_arrival_), now));
    ++waiting_;
    ++result_.events;
    changed_ = true;
  }
}

void Engine::complete(schedule::JobSlot slot, Nanos now) {
  active_.advance(slot, now);
  schedule::JobView& view = active_.view(slot);
  ledger_.complete({.job = view.id,
                    .work = view.work,
                    .remaining = view.remaining - active_.state(slot).surplus,
                    .speed = view.speed,
                    .now_s = clock_.at(now)});
  view.remaining = 0;
  JobOutcome& outcome = active_.outcome(slot);
  outcome.completion = Seconds{clock_.at(now)};
  outcome.end = JobEnd::completed;
  leave(slot, now, 'e');
  active_.state(slot).present = false;
  ended_.push_back(slot);
}

void Engine::fail(std::int32_t outage, Nanos now) {
  const std::int64_t node = outages_.node_of(outage);
  const bool goes_down = outages_.begin(outage, now, follow_ups);
  if (!goes_down) return;
  const std::vector<schedule::JobSlot> hit = outages_.on_node(node);  // a copy: crashes change the list
  for (const schedule::JobSlot slot : hit) crash(slot, now);
  cluster_.take_down(cluster_.node(node), now);
}

void Engine::repair(std::int32_t outage, Nanos now) {
  const bool comes_back = outages_.end(outage, now, follow_ups);
  if (comes_back) cluster_.bring_up(cluster_.node(outages_.node_of(outage)), now);
}

void Engine::decide(Nanos now) {
  const schedule::ClusterView view{.now_s = clock_.at(now),
                                   .types = cluster_.types(),
                                   .jobs = active_.views(),
                                   .arrived = arrived_,
                                   .ended = ended_,
                                   .lost = lost_};
  decision_.clear();
  policy_.decide(view, decision_);
  ++result_.decisions;
  apply(now);
  for (const schedule::JobSlot slot : ended_) active_.reuse(slot);
  arrived_.clear();
  ended_.clear();
  lost_.clear();
  wake_ = std::isfinite(decision_.wake_s) ? std::max(clock_.not_before(decision_.wake_s), now + 1) : kEndless;
  watch_wakes(now);
  ledger_.balance(cluster_.types(), clock_.at(now));
  series_.note(now, cluster_, running_, waiting_);
}

// A policy that keeps waking up without doing anything would keep the run going for ever.
void Engine::watch_wakes(Nanos now) {
  if (changed_ || !decision_.start.empty() || !decision_.stop.empty()) {
    idle_wakes_ = 0;
    return;
  }
  const bool hopeless =
      running_ == 0 && next_arrival_ == jobs_.jobs.size() && outages_.pending_repairs() == 0;
  if (++idle_wakes_ < (hopeless ? kHopelessWakes : kIdleWakes)) return;
  refuse("the policy asked to be woken " + std::to_string(idle_wakes_) + " times and did nothing", -1, now);
}

void Engine::finish(Nanos end) {
  for (schedule::JobSlot slot = 0; slot < active_.slots(); ++slot) {
    if (!active_.state(slot).present) continue;
    active_.advance(slot, end);
    JobOutcome& outcome = active_.outcome(slot);
    outcome.end = std::isnan(outcome.start.value) ? JobEnd::never_started : JobEnd::unfinished;
    if (active_.view(slot).runs()) leave(slot, end, 'u');
  }
  result_.rounds = policy_.rounds();
  result_.horizon = Seconds{clock_.at(end)};
  for (std::size_t t = 0; t < spec_.pools.size(); ++t) {
    result_.pools[t].idle = cluster_.idle_gpu_s(static_cast<std::int32_t>(t), end);
    result_.pools[t].down = cluster_.down_gpu_s(static_cast<std::int32_t>(t), end);
  }
  series_.finish(end, result_);
  check_conservation(result_, jobs_, spec_, ledger_.policy());
}

RunResult run_cluster(const JobSet& jobs, const clusters::Cluster& cluster, const RunOptions& options,
                      RunPolicy policy) {
  EngineParts parts{.policy = std::move(policy),
                    .faults = make_faults(options.faults, cluster.nodes(), options.seed)};
  return Engine(jobs, cluster, options, std::move(parts)).run();
}

}  // namespace sextant::simulate
