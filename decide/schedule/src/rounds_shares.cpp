// Shares of time, turned into starts and stops at the boundaries of rounds.
#include "rounds_shares.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace sextant::schedule {

ShareRounds::ShareRounds(std::unique_ptr<SharePolicy> policy, const PolicyInfo& info,
                         const RoundOptions& options)
    : shares_(std::move(policy), info.packs, options),
      clock_(options.round),
      reset_s_(options.reset.value),
      aware_(info.aware),
      takes_idle_(info.takes_idle),
      rng_(Rng(options.seed).stream("rounds")) {
  if (!(options.reset >= Seconds{0}))
    throw InputError("the time between two allocations must not be negative");
}

void ShareRounds::decide(const ClusterView& view, Decision& out) {
  take_changes(view);
  if (active_.empty()) {
    clock_.stop();
    return;
  }
  const bool begins = clock_.begins(view.now_s);
  if (begins) {
    credit(view.now_s);
    if (allocation_is_due(view)) {
      shares_.allocate(view, active_);
      order_types(view);
      last_allocation_s_ = view.now_s;
      changed_ = newcomers_ = false;
    }
    fill(view);
    seats_.move_to(wanted_, active_, out);
    note_stays(view.now_s);
  }
  // Where everybody has what it wants, only a change can make a difference.
  if (!begins || !settled_)
    out.wake_s = clock_.boundary(view.now_s);
  else if (changed_)
    out.wake_s = clock_.boundary(last_allocation_s_ + reset_s_);
}

void ShareRounds::take_changes(const ClusterView& view) {
  seats_.resize(view.jobs.size());
  taken_.resize(view.jobs.size(), 0);
  changed_ = changed_ || !view.arrived.empty() || !view.ended.empty();
  newcomers_ = newcomers_ || !view.arrived.empty();
  for (const JobSlot job : view.ended) {
    end_stay(job, view.now_s);
    shares_.leave(job);
    std::erase(active_, job);
  }
  for (const JobSlot job : view.lost) end_stay(job, view.now_s);
  if (!view.arrived.empty() && active_.empty()) since_s_ = view.now_s;
  active_.insert(active_.end(), view.arrived.begin(), view.arrived.end());
}

// A partner goes on alone.
void ShareRounds::end_stay(JobSlot job, double now_s) {
  const auto it = std::ranges::find_if(
      stays_, [&](const Stay& stay) { return stay.group.first == job || stay.group.second == job; });
  seats_.vacate(job);
  if (it == stays_.end()) return;
  receive(*it, now_s);
  const JobSlot other = it->group.first == job ? it->group.second : it->group.first;
  if (other < 0)
    stays_.erase(it);
  else
    *it = {.group = {.first = other, .second = -1, .type = it->group.type}, .since_s = now_s};
}

void ShareRounds::receive(Stay& stay, double now_s) {
  shares_.receive(shares_.row_of_pair(stay.group.first, stay.group.second),
                  static_cast<std::size_t>(stay.group.type), now_s - stay.since_s);
  stay.since_s = now_s;
}

void ShareRounds::credit(double now_s) {
  for (Stay& stay : stays_) receive(stay, now_s);
  shares_.pass(now_s - since_s_);
  since_s_ = now_s;
}

bool ShareRounds::allocation_is_due(const ClusterView& view) const {
  if (newcomers_ || shares_.other_cluster(view)) return true;
  return changed_ && view.now_s - last_allocation_s_ >= reset_s_;
}

// Fastest first: by how fast the active jobs run there, each relative to its best type.
void ShareRounds::order_types(const ClusterView& view) {
  std::vector<double> speed(view.types.size(), 0.0);
  for (const JobSlot slot : active_) {
    const JobView& job = view.jobs[static_cast<std::size_t>(slot)];
    const std::int32_t best = fastest_type(job, view.types);
    if (best < 0) continue;
    for (std::size_t t = 0; t < speed.size(); ++t) speed[t] += job.rate[t] / job.rate[best];
  }
  order_.resize(speed.size());
  std::iota(order_.begin(), order_.end(), std::size_t{0});
  std::ranges::stable_sort(order_, [&](std::size_t a, std::size_t b) { return speed[a] > speed[b]; });
}

void ShareRounds::note_stays(double now_s) {
  stays_.clear();
  for (const RoundGroup& group : wanted_) stays_.push_back({.group = group, .since_s = now_s});
}

std::unique_ptr<RoundedPolicy> make_round_policy(std::unique_ptr<SharePolicy> policy, const PolicyInfo& info,
                                                 const RoundOptions& options) {
  return std::make_unique<ShareRounds>(std::move(policy), info, options);
}

}  // namespace sextant::schedule
