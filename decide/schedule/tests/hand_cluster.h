// A cluster made by hand, for tests of policies without a simulator: it shows what a scheduler would show,
// carries out what a policy decides, and holds it to the rules.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "sextant/schedule/policy.h"

namespace sextant::schedule::test {

// The same shares whenever it is asked, by id of the job; pairs by (id, id).
class FixedShares final : public SharePolicy {
 public:
  std::map<std::int64_t, std::vector<double>> alone = {};
  std::map<std::pair<std::int64_t, std::int64_t>, std::vector<double>> pairs = {};
  int* calls = nullptr;

  void allocate(const ShareProblem& problem, Shares& out) override {
    if (calls != nullptr) ++*calls;
    const std::size_t jobs = problem.jobs.size();
    out.reset(jobs + problem.pairs.size(), problem.types.size());
    for (std::size_t j = 0; j < jobs; ++j) {
      const auto it = alone.find(problem.jobs[j].id);
      for (std::size_t t = 0; it != alone.end() && t < out.types; ++t) out.at(j, t) = it->second[t];
    }
    for (std::size_t p = 0; p < problem.pairs.size(); ++p) {
      const auto it =
          pairs.find({problem.jobs[problem.pairs[p].first].id, problem.jobs[problem.pairs[p].second].id});
      for (std::size_t t = 0; it != pairs.end() && t < out.types; ++t) out.at(jobs + p, t) = it->second[t];
    }
  }
};

class HandCluster {
 public:
  explicit HandCluster(const std::vector<std::int64_t>& gpus) {
    for (const std::int64_t count : gpus) types_.push_back({.name = "t", .gpus = count, .free = count});
  }

  JobSlot arrive(std::int32_t gpus, const std::vector<double>& rate) {
    rates_.push_back(std::make_unique<std::vector<double>>(rate));
    const auto slot = static_cast<JobSlot>(jobs_.size());
    jobs_.push_back({.id = slot,
                     .arrival_s = now_s,
                     .gpus = gpus,
                     .kind = slot,
                     .work = 1e9,
                     .rate = rates_.back()->data(),
                     .remaining = 1e9});
    partner_.push_back(-1);
    arrived_.push_back(slot);
    return slot;
  }
  void end(JobSlot slot) {
    leave(slot);
    ended_.push_back(slot);
  }
  void lose(JobSlot slot) {
    leave(slot);
    lost_.push_back(slot);
  }

  const Decision& ask(QueuePolicy& policy) {
    decision.clear();
    policy.decide(
        {.now_s = now_s, .types = types_, .jobs = jobs_, .arrived = arrived_, .ended = ended_, .lost = lost_},
        decision);
    arrived_.clear();
    ended_.clear();
    lost_.clear();
    for (const JobSlot slot : decision.stop) {
      EXPECT_TRUE(jobs_[static_cast<std::size_t>(slot)].runs()) << "stops a job that waits";
      leave(slot);
    }
    for (const Start& start : decision.start) begin(start);
    return decision;
  }
  // At the time for which it asked.
  const Decision& wake(QueuePolicy& policy) {
    now_s = decision.wake_s;
    return ask(policy);
  }
  [[nodiscard]] std::vector<JobSlot> running() const {
    std::vector<JobSlot> list;
    for (std::size_t i = 0; i < jobs_.size(); ++i) {
      if (jobs_[i].runs()) list.push_back(static_cast<JobSlot>(i));
    }
    return list;
  }
  [[nodiscard]] std::int32_t type_of(JobSlot slot) const {
    return jobs_[static_cast<std::size_t>(slot)].type;
  }
  [[nodiscard]] JobSlot partner_of(JobSlot slot) const { return partner_[static_cast<std::size_t>(slot)]; }

  double now_s = 0;
  Decision decision = {};

 private:
  void leave(JobSlot slot) {
    JobView& job = jobs_[static_cast<std::size_t>(slot)];
    if (!job.runs()) return;
    const JobSlot other = partner_of(slot);
    if (other >= 0)
      partner_[static_cast<std::size_t>(other)] = -1;
    else
      types_[static_cast<std::size_t>(job.type)].free += job.gpus;
    partner_[static_cast<std::size_t>(slot)] = -1;
    job.type = -1;
  }
  void begin(const Start& start) {
    JobView& job = jobs_[static_cast<std::size_t>(start.job)];
    TypeView& type = types_[static_cast<std::size_t>(start.type)];
    EXPECT_FALSE(job.runs()) << "starts a job that runs";
    EXPECT_GT(job.rate[start.type], 0) << "starts a job where it cannot run";
    job.type = start.type;
    if (start.beside < 0) {
      EXPECT_GE(type.free, job.gpus) << "starts more than fits";
      type.free -= job.gpus;
      return;
    }
    EXPECT_EQ(type_of(start.beside), start.type) << "beside a job that is not there";
    EXPECT_EQ(partner_of(start.beside), -1) << "a third job on the same GPUs";
    partner_[static_cast<std::size_t>(start.beside)] = start.job;
    partner_[static_cast<std::size_t>(start.job)] = start.beside;
  }

  std::vector<TypeView> types_ = {};
  std::vector<JobView> jobs_ = {};
  std::vector<JobSlot> partner_ = {};
  std::vector<std::unique_ptr<std::vector<double>>> rates_ = {};
  std::vector<JobSlot> arrived_ = {};
  std::vector<JobSlot> ended_ = {};
  std::vector<JobSlot> lost_ = {};
};

}  // namespace sextant::schedule::test
