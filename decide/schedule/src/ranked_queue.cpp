#include "ranked_queue.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <stdexcept>

#include "sextant/core/error.h"

namespace sextant::schedule {
namespace {

constexpr double kInstant = 1e-9;  // seconds; clocks are not finer

RankKey key_of(const Rank& rank, std::int64_t id, JobSlot slot) {
  if (std::isnan(rank.at_zero)) throw std::logic_error("a rank that is no number");
  return {.value = rank.at_zero, .id = id, .level = rank.level, .slot = slot};
}

std::uint64_t types_of(const JobView& job, std::size_t types) {
  std::uint64_t mask = 0;
  for (std::size_t t = 0; t < types; ++t) mask |= static_cast<std::uint64_t>(job.rate[t] > 0) << t;
  return mask;
}

}  // namespace

std::unique_ptr<QueuePolicy> make_ranked(std::unique_ptr<RankRule> rule, const RankedOptions& options) {
  return std::make_unique<RankedQueue>(std::move(rule), options);
}

void RankedQueue::decide(const ClusterView& view, Decision& out) {
  if (view.types.size() > 64) throw InputError("the cluster has more than 64 types of GPU");
  running_by_type_.resize(view.types.size());
  if (places_.size() < view.jobs.size()) {
    const std::size_t slots = std::max(view.jobs.size(), 2 * places_.size());
    places_.resize(slots);
    heap_places_.resize(slots);
    timer_places_.resize(slots);
  }
  rule_->observe(view);
  take_changes(view);
  const bool moves = may_move(view);
  if (waiting_jobs_ == 0 && !moves) return;  // whatever the ranks of those that run, nobody wants their GPUs
  renew_ranks(waiting_timers_, view);
  free_.clear();
  for (const TypeView& type : view.types) free_.push_back(type.free);
  dispatch(view, out);
  move_wake_s_ = std::numeric_limits<double>::infinity();
  if (moves && move_up(view, out) && waiting_jobs_ > 0) dispatch(view, out);
  out.wake_s = std::min(move_wake_s_, waiting_jobs_ > 0 ? wake(view) : move_wake_s_);
}

void RankedQueue::take_changes(const ClusterView& view) {
  for (const JobSlot slot : view.ended) withdraw(slot);
  for (const JobSlot slot : view.lost) {
    withdraw(slot);
    enter_waiting(slot, view);
  }
  for (const JobSlot slot : started_) {
    if (places_[static_cast<std::size_t>(slot)].stage != Stage::started) continue;
    clear_timer(slot);
    enter_running(slot, view);
  }
  started_.clear();
  for (const JobSlot slot : view.arrived) {
    places_[static_cast<std::size_t>(slot)] = {};  // the slot may have been another's
    enter_waiting(slot, view);
  }
}

void RankedQueue::renew_ranks(Timers& timers, const ClusterView& view) {
  while (!timers.empty() && timers.top().value <= view.now_s + kInstant / 2) {
    const JobSlot slot = timers.top().slot;
    const Stage stage = places_[static_cast<std::size_t>(slot)].stage;
    if (stage == Stage::started) {  // in this instant: the next decision asks for its rank
      clear_timer(slot);
      continue;
    }
    withdraw(slot);
    if (stage == Stage::waiting)
      enter_waiting(slot, view);
    else
      enter_running(slot, view);
  }
}

void RankedQueue::set_timer(JobSlot slot, const Rank& rank, Timers& timers, double now_s) {
  if (!std::isfinite(rank.until_s)) return;
  const double until_s = std::max(rank.until_s, now_s + kInstant);
  timers.push({.value = until_s, .id = slot, .level = 0, .slot = slot}, timer_places_);
  places_[static_cast<std::size_t>(slot)].timers = &timers;
}

void RankedQueue::clear_timer(JobSlot slot) {
  Place& place = places_[static_cast<std::size_t>(slot)];
  if (place.timers != nullptr) place.timers->erase(slot, timer_places_);
  place.timers = nullptr;
}

void RankedQueue::enter_waiting(JobSlot slot, const ClusterView& view) {
  enter_waiting(slot, rule_->rank(view.jobs[static_cast<std::size_t>(slot)], view), view);
}

void RankedQueue::enter_waiting(JobSlot slot, const Rank& rank, const ClusterView& view) {
  const JobView& job = view.jobs[static_cast<std::size_t>(slot)];
  const std::int32_t bucket = waiting_bucket(job, view.types.size());
  WaitingBucket& into = waiting_[static_cast<std::size_t>(bucket)];
  into.slope = rank.slope;
  into.jobs.push(key_of(rank, job.id, slot), heap_places_);
  Place& place = places_[static_cast<std::size_t>(slot)];
  place.stage = Stage::waiting;
  place.bucket = bucket;
  set_timer(slot, rank, waiting_timers_, view.now_s);
  ++waiting_jobs_;
}

void RankedQueue::enter_running(JobSlot slot, const ClusterView& view) {
  const JobView& job = view.jobs[static_cast<std::size_t>(slot)];
  const Rank rank = rule_->rank(job, view);
  const std::int32_t bucket = running_bucket(job);
  RunningBucket& into = running_[static_cast<std::size_t>(bucket)];
  into.slope = rank.slope;
  into.jobs.push(key_of(rank, job.id, slot), heap_places_);
  Place& place = places_[static_cast<std::size_t>(slot)];
  place.stage = Stage::running;
  place.bucket = bucket;
  set_timer(slot, rank, running_timers_, view.now_s);
}

void RankedQueue::withdraw(JobSlot slot) {
  Place& place = places_[static_cast<std::size_t>(slot)];
  const auto bucket = static_cast<std::size_t>(place.bucket);
  if (place.stage == Stage::waiting) {
    waiting_[bucket].jobs.erase(slot, heap_places_);
    --waiting_jobs_;
  } else if (place.stage == Stage::running) {
    running_[bucket].jobs.erase(slot, heap_places_);
  }
  clear_timer(slot);
  place.stage = Stage::absent;
}

std::int32_t RankedQueue::waiting_bucket(const JobView& job, std::size_t types) {
  const std::uint64_t mask = types_of(job, types);
  std::vector<std::int32_t>& same_types = waiting_by_types_[mask];
  for (const std::int32_t bucket : same_types) {
    if (waiting_[static_cast<std::size_t>(bucket)].gpus == job.gpus) return bucket;
  }
  same_types.push_back(static_cast<std::int32_t>(waiting_.size()));
  waiting_.push_back({.gpus = job.gpus, .types = mask});
  return same_types.back();
}

std::int32_t RankedQueue::running_bucket(const JobView& job) {
  std::vector<std::int32_t>& buckets = running_by_type_[static_cast<std::size_t>(job.type)];
  for (const std::int32_t bucket : buckets) {
    if (running_[static_cast<std::size_t>(bucket)].gpus == job.gpus) return bucket;
  }
  buckets.push_back(static_cast<std::int32_t>(running_.size()));
  running_.push_back({.gpus = job.gpus});
  return buckets.back();
}

double RankedQueue::wake(const ClusterView& view) const {
  double wake_s = std::numeric_limits<double>::infinity();
  for (const Timers* timers : {&waiting_timers_, &running_timers_}) {
    if (!timers->empty()) wake_s = std::min(wake_s, timers->top().value);
  }
  if (options_.quantum_s <= 0) return wake_s;
  bool runs = false;
  for (std::size_t t = 0; t < view.types.size(); ++t) runs = runs || free_[t] < view.types[t].gpus;
  return runs ? std::min(wake_s, view.now_s + options_.quantum_s) : wake_s;
}

}  // namespace sextant::schedule
