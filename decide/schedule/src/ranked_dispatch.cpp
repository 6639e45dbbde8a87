// Who goes next, and whose GPUs are taken for it.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "ranked_queue.h"

namespace sextant::schedule {
namespace {

// Larger by more than rounding: two jobs that are as good as each other never take turns.
bool worse(const RankKey& a, const RankKey& than) {
  if (a.level != than.level) return a.level > than.level;
  return a.value > than.value + 1e-9 * (1 + std::abs(than.value));
}

RankKey at_now(const RankKey& key, double slope, double now_s) {
  RankKey moved = key;
  if (slope != 0) moved.value += slope * now_s;
  return moved;
}

// As the view will show it once it is stopped.
JobView stopped(const JobView& job, double now_s) {
  JobView after = job;
  after.remaining = job.remaining_at(now_s);
  after.executed_s = job.executed_at(now_s);
  after.since_s = now_s;
  after.type = -1;
  after.speed = 0;
  if (job.runs()) after.stopped_s = now_s;
  return after;
}

// As the view will show it once it runs there, without start-up, at `pace` times the speed of one node.
JobView started(const JobView& job, std::int32_t type, double pace, double now_s) {
  JobView after = stopped(job, now_s);
  after.type = type;
  after.speed = pace * job.rate[type];
  after.productive_s = now_s;
  if (after.first_start_s < 0) after.first_start_s = now_s;
  return after;
}

}  // namespace

void RankedQueue::dispatch(const ClusterView& view, Decision& out) {
  const bool room = std::ranges::any_of(free_, [](std::int64_t free) { return free > 0; });
  if (!room && !options_.preempts) return;
  for (WaitingBucket& bucket : waiting_) bucket.failed = false;
  for (std::int32_t next = best_bucket(view.now_s); next >= 0; next = best_bucket(view.now_s)) {
    const JobSlot slot = waiting_[static_cast<std::size_t>(next)].jobs.top().slot;
    const JobView& job = view.jobs[static_cast<std::size_t>(slot)];
    std::int32_t type = type_with_room(job);
    if (type < 0 && options_.preempts) type = take_from_others(next, view, out);
    if (type >= 0) {
      start(slot, type, view, out);
    } else {
      if (options_.blocks) return;
      waiting_[static_cast<std::size_t>(next)].failed = true;
    }
  }
}

std::int32_t RankedQueue::best_bucket(double now_s) const {
  std::int32_t best = -1;
  RankKey least;
  for (std::size_t i = 0; i < waiting_.size(); ++i) {
    const WaitingBucket& bucket = waiting_[i];
    if (bucket.failed || bucket.jobs.empty()) continue;
    const RankKey head = at_now(bucket.jobs.top(), bucket.slope, now_s);
    if (best >= 0 && !(head < least)) continue;
    best = static_cast<std::int32_t>(i);
    least = head;
  }
  return best;
}

std::int32_t RankedQueue::type_with_room(const JobView& job) const {
  std::int32_t best = -1;
  for (std::size_t t = 0; t < free_.size(); ++t) {
    if (free_[t] < job.gpus || !(job.rate[t] > 0)) continue;
    if (best < 0 || job.rate[t] > job.rate[best]) best = static_cast<std::int32_t>(t);
  }
  return best;
}

// Of the fastest type where jobs of larger rank hold enough GPUs; -1: nowhere.
std::int32_t RankedQueue::take_from_others(std::int32_t bucket, const ClusterView& view, Decision& out) {
  const WaitingBucket& from = waiting_[static_cast<std::size_t>(bucket)];
  const RankKey head = at_now(from.jobs.top(), from.slope, view.now_s);
  const JobView& job = view.jobs[static_cast<std::size_t>(head.slot)];
  renew_ranks(running_timers_, view);
  order_.resize(free_.size());
  std::iota(order_.begin(), order_.end(), 0);
  std::ranges::sort(order_, [&](std::int32_t a, std::int32_t b) {
    return job.rate[a] != job.rate[b] ? job.rate[a] > job.rate[b] : a < b;
  });
  for (const std::int32_t type : order_) {
    if (!(job.rate[type] > 0)) break;
    const std::int32_t worst = worst_on(type, view.now_s);
    if (worst < 0) continue;
    const RunningBucket& victims = running_[static_cast<std::size_t>(worst)];
    if (!worse(at_now(victims.jobs.top(), victims.slope, view.now_s), head)) continue;
    // On this type it may be slower than its rank says: compare like with like.
    const double pace = places_[static_cast<std::size_t>(head.slot)].pace;
    const Rank there = rule_->rank(started(job, type, pace, view.now_s), view);
    const Challenge challenge{.rank = {.value = there.at(view.now_s), .id = job.id, .level = there.level},
                              .type = type,
                              .missing = job.gpus - free_[static_cast<std::size_t>(type)]};
    if (!others_suffice(challenge, view.now_s)) continue;
    choose_victims(challenge, view.now_s);
    stop_victims(type, view, out);
    return type;
  }
  return -1;
}

std::int32_t RankedQueue::worst_on(std::int32_t type, double now_s) const {
  std::int32_t worst = -1;
  RankKey largest;
  for (const std::int32_t b : running_by_type_[static_cast<std::size_t>(type)]) {
    const RunningBucket& bucket = running_[static_cast<std::size_t>(b)];
    if (bucket.jobs.empty()) continue;
    const RankKey top = at_now(bucket.jobs.top(), bucket.slope, now_s);
    if (worst >= 0 && !(largest < top)) continue;
    worst = b;
    largest = top;
  }
  return worst;
}

bool RankedQueue::others_suffice(const Challenge& challenge, double now_s) const {
  std::int64_t missing = challenge.missing;
  for (const std::int32_t b : running_by_type_[static_cast<std::size_t>(challenge.type)]) {
    const RunningBucket& bucket = running_[static_cast<std::size_t>(b)];
    const auto enough = static_cast<std::size_t>((missing + bucket.gpus - 1) / bucket.gpus);
    const std::size_t jobs = bucket.jobs.count_first(
        enough, [&](const RankKey& key) { return worse(at_now(key, bucket.slope, now_s), challenge.rank); });
    missing -= static_cast<std::int64_t>(jobs) * bucket.gpus;
    if (missing <= 0) return true;
  }
  return false;
}

// The worst ones until they suffice; then those that were not needed stay, the smallest first and among those
// the better ones, so that as few as possible are stopped.
void RankedQueue::choose_victims(const Challenge& challenge, double now_s) {
  victims_.clear();
  std::int64_t missing = challenge.missing;
  while (missing > 0) {
    const std::int32_t b = worst_on(challenge.type, now_s);
    RunningBucket& bucket = running_[static_cast<std::size_t>(b)];
    const RankKey key = bucket.jobs.top();
    bucket.jobs.erase(key.slot, heap_places_);
    victims_.push_back(
        {.key = key, .now = at_now(key, bucket.slope, now_s), .bucket = b, .gpus = bucket.gpus});
    missing -= bucket.gpus;
  }
  std::ranges::sort(victims_, [](const Victim& a, const Victim& b) {
    return a.gpus != b.gpus ? a.gpus < b.gpus : a.now < b.now;
  });
  std::int64_t surplus = -missing;
  std::erase_if(victims_, [&](const Victim& victim) {
    if (victim.gpus > surplus) return false;
    surplus -= victim.gpus;
    running_[static_cast<std::size_t>(victim.bucket)].jobs.push(victim.key, heap_places_);
    return true;
  });
}

void RankedQueue::stop_victims(std::int32_t type, const ClusterView& view, Decision& out) {
  for (const Victim& victim : victims_) {
    const JobSlot slot = victim.key.slot;
    const JobView& job = view.jobs[static_cast<std::size_t>(slot)];
    out.stop.push_back(slot);
    free_[static_cast<std::size_t>(type)] += victim.gpus;
    clear_timer(slot);
    // Its nodes may have been far apart, and may be so again: without this memory it would rank before the
    // job that takes its place, and the two would take turns.
    places_[static_cast<std::size_t>(slot)].pace = job.speed / job.rate[type];
    enter_waiting(slot, rule_->rank(stopped(job, view.now_s), view), view);
  }
}

void RankedQueue::start(JobSlot slot, std::int32_t type, const ClusterView& view, Decision& out) {
  const JobView& job = view.jobs[static_cast<std::size_t>(slot)];
  withdraw(slot);
  out.start.push_back({.job = slot, .type = type});
  free_[static_cast<std::size_t>(type)] -= job.gpus;
  places_[static_cast<std::size_t>(slot)].stage = Stage::started;
  if (!options_.preempts) return;  // what runs keeps running: its rank is of no use
  started_.push_back(slot);
  const double pace = places_[static_cast<std::size_t>(slot)].pace;
  set_timer(slot, rule_->rank(started(job, type, pace, view.now_s), view), running_timers_, view.now_s);
}

}  // namespace sextant::schedule
