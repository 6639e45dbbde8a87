#include "share_finish_time.h"

#include <algorithm>
#include <cmath>

#include "share_uniform.h"

namespace sextant::schedule {

namespace {

constexpr double kReached = 1 - 1e-11;  // level at which a ratio counts as reached
constexpr int kMostSteps = 60;

}  // namespace

void IsolatedHistory::targets(const ShareProblem& problem, const ShareProgram& program,
                              std::vector<FinishTarget>& out) {
  ++calls_;
  out.assign(problem.jobs.size(), {});
  for (std::size_t i = 0; i < problem.jobs.size(); ++i) {
    const ShareJob& job = problem.jobs[i];
    const double rate = isolated_rate(problem, program, i);
    Past& past = past_[job.id];
    const double done = past.remaining - job.remaining;
    if (past.seen != 0 && past.rate > 0 && std::isfinite(done)) past.spent_s += done / past.rate;
    past = {.spent_s = past.spent_s, .remaining = job.remaining, .rate = rate, .seen = calls_};
    const double isolated_s = rate > 0 ? counted(past.spent_s + job.remaining / rate) : 0;
    if (isolated_s <= 0 || counted(job.remaining) <= 0) continue;
    out[i].age_s = std::max(0.0, problem.now_s - job.arrival_s);
    out[i].left = job.remaining;
    out[i].isolated_s = isolated_s;
  }
  std::erase_if(past_, [&](const auto& entry) { return entry.second.seen != calls_; });
}

namespace {

void demand_at(double ratio, const std::vector<FinishTarget>& targets, ShareProgram& program) {
  for (std::size_t i = 0; i < targets.size(); ++i) {
    const FinishTarget& target = targets[i];
    program.demand[i] = target.left > 0 ? target.left / (ratio * target.isolated_s - target.age_s) : 0;
  }
}

// With all of its time on its fastest type: no job ends earlier.
double least_ratio(const std::vector<FinishTarget>& targets, const ShareProgram& program) {
  double ratio = 0;
  for (std::size_t i = 0; i < targets.size(); ++i) {
    const double fastest = fastest_rate(program, i);
    if (targets[i].left <= 0 || fastest <= 0) continue;
    ratio = std::max(ratio, (targets[i].age_s + targets[i].left / fastest) / targets[i].isolated_s);
  }
  return ratio;
}

// The ratio at which sum worth_i demand_i(ratio) has fallen to `bound`, which every ratio that can be reached
// exceeds: Newton on the reciprocal of the sum, which is concave and rises (a line for a single job).
double next_ratio(double ratio, double bound, const std::vector<FinishTarget>& targets,
                  const std::vector<double>& worth) {
  for (int step = 0; step < kMostSteps; ++step) {
    double sum = 0;
    double slope = 0;
    for (std::size_t i = 0; i < targets.size(); ++i) {
      if (targets[i].left <= 0 || worth[i] <= 0) continue;
      const double span = ratio * targets[i].isolated_s - targets[i].age_s;
      const double term = worth[i] * targets[i].left / span;
      sum += term;
      slope += term * targets[i].isolated_s / span;
    }
    if (!(slope > 0) || !(bound > 0)) return ratio;
    const double advance = (sum / bound - 1) * sum / slope;
    ratio += std::max(0.0, advance);
    if (advance <= 1e-14 * ratio) break;
  }
  return ratio;
}

}  // namespace

double solve_finish_time(const FinishTimes& jobs, ShareProgram& program, LevelSolver& solver,
                         ShareOptimum& out) {
  const std::vector<FinishTarget>& targets = jobs.targets;
  double ratio = least_ratio(targets, program);
  const bool uniform = is_uniform(program);
  for (int step = 0; step < kMostSteps; ++step) {
    demand_at(ratio, targets, program);
    if (uniform) {
      // The pool is the only price: worth of a job's demand is the GPU time that it takes.
      out.value = uniform_level(program);
      out.worth.assign(program.jobs(), 0);
      for (std::size_t i = 0; i < program.jobs(); ++i) {
        const double rate = program.rate[i * program.types];
        if (rate > 0) out.worth[i] = program.gpus[i] / rate;
      }
    } else {
      solver.find_level(program, out);
    }
    if (out.value >= kReached || out.value <= 0) break;
    double demanded = 0;
    for (std::size_t i = 0; i < targets.size(); ++i) demanded += out.worth[i] * program.demand[i];
    const double next = next_ratio(ratio, out.value * demanded, targets, out.worth);
    if (next <= ratio) break;
    ratio = next;
  }
  if (uniform) {
    fill_uniform(program, jobs.weight, out);
  } else {
    solver.share_rest(program, out);
  }
  return ratio;
}

}  // namespace sextant::schedule
