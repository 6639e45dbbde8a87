// Problems and measures that the tests of share policies have in common.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "sextant/core/rng.h"
#include "sextant/schedule/policy.h"
#include "share_program.h"

namespace sextant::schedule::test {

// A problem with the speeds that its jobs point to.
struct OwnedProblem {
  ShareProblem problem = {};
  std::vector<std::vector<double>> rates = {};

  void add(std::vector<double> rate, ShareJob job = {}) {
    rates.push_back(std::move(rate));
    job.id = static_cast<std::int64_t>(problem.jobs.size());
    job.slot = static_cast<JobSlot>(job.id);
    problem.jobs.push_back(job);
    point();
  }
  void point() {
    for (std::size_t i = 0; i < rates.size(); ++i) problem.jobs[i].rate = rates[i].data();
  }
};

// Notes' example: one device of each of two types, three jobs of one GPU and weight 1.
inline OwnedProblem two_types_three_jobs() {
  OwnedProblem out;
  out.problem.types = {"a", "b"};
  out.problem.gpus = {1, 1};
  out.problem.price_usd_h = {0, 0};
  for (const auto& [rate, left] :
       {std::pair<std::vector<double>, double>{{4, 1}, 400}, {{3, 1}, 300}, {{2, 2}, 200}}) {
    ShareJob job;
    job.remaining = job.work = left;
    out.add(rate, job);
  }
  return out;
}

inline OwnedProblem draw_problem(Rng& rng, std::size_t jobs, std::size_t types) {
  static const std::vector<std::string> names = {"k80", "p100", "v100", "a100", "h100", "t4", "l4", "m60"};
  OwnedProblem out;
  out.problem.now_s = 1e4;
  for (std::size_t j = 0; j < types; ++j) {
    out.problem.types.push_back(names[j]);
    out.problem.gpus.push_back(static_cast<double>(1 + rng.below(12)));
    out.problem.price_usd_h.push_back(0.5 + rng.uniform());
  }
  for (std::size_t i = 0; i < jobs; ++i) {
    ShareJob job;
    job.gpus = 1 << rng.below(3);
    job.weight = 1.0 + static_cast<double>(rng.below(3));
    job.arrival_s = 1e4 * rng.uniform();
    const double scale = std::exp(2 * rng.normal());
    std::vector<double> rate;
    for (std::size_t j = 0; j < types; ++j) {
      const double faster = (1 + static_cast<double>(j)) * (0.5 + rng.uniform());
      rate.push_back(rng.uniform() < 0.1 ? 0 : scale * faster);
    }
    job.work = 1e4 * scale * (0.1 + rng.uniform());
    job.remaining = job.work * rng.uniform();
    out.add(rate, job);
  }
  return out;
}

inline Shares allocate(const std::string& policy, const ShareProblem& problem) {
  const PolicyChoice choice = parse_policy(policy);
  Shares out;
  choice.policy->share({.parameters = choice.parameters, .seed = 1})->allocate(problem, out);
  return out;
}

inline double speed(const ShareProblem& problem, const Shares& shares, std::size_t job) {
  double sum = 0;
  for (std::size_t j = 0; j < shares.types; ++j) sum += problem.jobs[job].rate[j] * shares.at(job, j);
  return sum;
}

}  // namespace sextant::schedule::test
