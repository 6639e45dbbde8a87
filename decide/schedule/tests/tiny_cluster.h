// A cluster small enough to follow by hand: drives a queue policy over a few jobs, event by event, and checks
// that it never starts what does not fit. Slots are used again, and hold rubbish once their job has left.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "sextant/schedule/policy.h"

namespace sextant::schedule::test {

struct TinyJob {
  double arrival_s = 0;
  std::int32_t gpus = 1;
  std::vector<double> length_s = {};  // by type; the last holds for those that follow; 0: cannot run there
  std::int32_t user = -1;
  double cpus = 0;
  double memory_gib = 0;
};

struct TinyOutcome {
  double start_s = -1;  // first
  double end_s = -1;
  std::int32_t type = -1;
  int stops = 0;
};

class TinyCluster {
 public:
  TinyCluster(std::vector<std::int64_t> gpus, const std::vector<TinyJob>& jobs)
      : gpus_(std::move(gpus)), jobs_(jobs) {
    for (const TinyJob& job : jobs_) {
      std::vector<double> rate;
      for (std::size_t t = 0; t < gpus_.size(); ++t) {
        const double length = job.length_s[std::min(t, job.length_s.size() - 1)];
        rate.push_back(length > 0 ? 1 / length : 0);  // work is 1
      }
      rates_.push_back(std::move(rate));
    }
    outcomes_.resize(jobs_.size());
    free_ = gpus_;
  }

  std::vector<TinyOutcome> run(QueuePolicy& policy,
                               double until_s = std::numeric_limits<double>::infinity()) {
    constexpr int kMostSteps = 200000;
    for (int step = 0; step < kMostSteps; ++step) {
      const double now = next_time();
      if (now > until_s || now == std::numeric_limits<double>::infinity()) return outcomes_;
      take_ends(now);
      take_arrivals(now);
      decide(policy, now);
    }
    ADD_FAILURE() << "the policy does not come to an end";
    return outcomes_;
  }

 private:
  static constexpr double kClose = 1e-9;

  static double end_of(const JobView& job) { return job.since_s + job.remaining / job.speed; }

  [[nodiscard]] double next_time() const {
    double next = wake_s_;
    if (next_arrival_ < jobs_.size()) next = std::min(next, jobs_[next_arrival_].arrival_s);
    for (const JobSlot slot : active_) {
      const JobView& job = views_[static_cast<std::size_t>(slot)];
      if (job.runs()) next = std::min(next, end_of(job));
    }
    return next;
  }

  void take_ends(double now) {
    ended_.clear();
    for (const JobSlot slot : active_) {
      JobView& job = views_[static_cast<std::size_t>(slot)];
      if (!job.runs() || end_of(job) > now + kClose) continue;
      outcomes_[static_cast<std::size_t>(job.id)].end_s = now;
      free_[static_cast<std::size_t>(job.type)] += job.gpus;
      ended_.push_back(slot);
    }
    std::erase_if(active_, [&](JobSlot slot) { return std::ranges::count(ended_, slot) > 0; });
    for (const JobSlot slot : ended_) {
      JobView rubbish;
      rubbish.gpus = -1000000;
      rubbish.id = -7;
      rubbish.user = 12345;
      rubbish.remaining = std::numeric_limits<double>::quiet_NaN();
      views_[static_cast<std::size_t>(slot)] = rubbish;
    }
  }

  void take_arrivals(double now) {
    arrived_.clear();
    for (; next_arrival_ < jobs_.size() && jobs_[next_arrival_].arrival_s <= now; ++next_arrival_) {
      const TinyJob& from = jobs_[next_arrival_];
      JobView job;
      job.id = static_cast<std::int64_t>(next_arrival_);
      job.arrival_s = from.arrival_s;
      job.gpus = from.gpus;
      job.user = from.user;
      job.cpus = from.cpus;
      job.memory_gib = from.memory_gib;
      job.work = 1;
      job.remaining = 1;
      job.rate = rates_[next_arrival_].data();
      job.since_s = now;
      const JobSlot slot = take_slot();
      views_[static_cast<std::size_t>(slot)] = job;
      active_.push_back(slot);
      arrived_.push_back(slot);
    }
  }

  JobSlot take_slot() {
    if (unused_.empty()) {
      views_.emplace_back();
      return static_cast<JobSlot>(views_.size() - 1);
    }
    const JobSlot slot = unused_.back();
    unused_.pop_back();
    return slot;
  }

  void decide(QueuePolicy& policy, double now) {
    std::vector<TypeView> types;
    for (std::size_t t = 0; t < gpus_.size(); ++t)
      types.push_back({.name = "t", .gpus = gpus_[t], .free = free_[t]});
    ClusterView view;
    view.now_s = now;
    view.types = types;
    view.jobs = views_;
    view.arrived = arrived_;
    view.ended = ended_;
    Decision decision;
    policy.decide(view, decision);
    for (const JobSlot slot : decision.stop) stop(slot, now);
    for (const Start& start : decision.start) begin(start, now);
    wake_s_ = decision.wake_s > now ? decision.wake_s : now + kClose;
    unused_.insert(unused_.end(), ended_.begin(), ended_.end());
  }

  void stop(JobSlot slot, double now) {
    JobView& job = views_[static_cast<std::size_t>(slot)];
    ASSERT_TRUE(job.runs());
    free_[static_cast<std::size_t>(job.type)] += job.gpus;
    job.remaining = job.remaining_at(now);
    job.executed_s = job.executed_at(now);
    job.type = -1;
    job.speed = 0;
    job.since_s = now;
    job.stopped_s = now;
    ++outcomes_[static_cast<std::size_t>(job.id)].stops;
  }

  void begin(const Start& start, double now) {
    JobView& job = views_[static_cast<std::size_t>(start.job)];
    const auto type = static_cast<std::size_t>(start.type);
    ASSERT_FALSE(job.runs());
    ASSERT_GT(job.rate[type], 0);
    ASSERT_GE(free_[type], job.gpus) << "job " << job.id << " at " << now;
    free_[type] -= job.gpus;
    job.type = start.type;
    job.speed = job.rate[type];
    job.since_s = now;
    job.productive_s = now;
    if (job.first_start_s < 0) job.first_start_s = now;
    TinyOutcome& outcome = outcomes_[static_cast<std::size_t>(job.id)];
    if (outcome.start_s < 0) outcome.start_s = now;
    outcome.type = start.type;
  }

  std::vector<std::int64_t> gpus_;
  std::vector<TinyJob> jobs_;  // by arrival
  std::vector<std::vector<double>> rates_;
  std::vector<std::int64_t> free_;
  std::vector<JobView> views_;
  std::vector<JobSlot> active_;
  std::vector<JobSlot> unused_;
  std::vector<JobSlot> arrived_;
  std::vector<JobSlot> ended_;
  std::vector<TinyOutcome> outcomes_;
  std::size_t next_arrival_ = 0;
  double wake_s_ = std::numeric_limits<double>::infinity();
};

inline std::unique_ptr<QueuePolicy> queue_policy(const std::string& text) {
  const PolicyChoice choice = parse_policy(text);
  return choice.policy->queue({.parameters = choice.parameters, .seed = 1});
}

inline std::vector<TinyOutcome> run_tiny(const std::string& policy, std::vector<std::int64_t> gpus,
                                         const std::vector<TinyJob>& jobs) {
  return TinyCluster(std::move(gpus), jobs).run(*queue_policy(policy));
}

}  // namespace sextant::schedule::test
