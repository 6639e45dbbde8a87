#include "share_policy.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sextant::schedule {

bool can_run(const ShareProblem& problem, std::size_t job, std::size_t type) {
  const ShareJob& asks = problem.jobs[job];
  if (asks.rate == nullptr || asks.gpus > problem.gpus[type]) return false;
  return asks.rate[type] > 0 && std::isfinite(asks.rate[type]);
}

namespace {

constexpr double kNoGpus = 1e-9;  // a type without GPUs runs nothing, but its row must be one

// The number of types where the job can run nowhere.
std::size_t reference_type(const ShareProblem& problem, std::size_t job) {
  const auto v100 = std::ranges::find(problem.types, std::string_view("v100"));
  const auto named = static_cast<std::size_t>(v100 - problem.types.begin());
  if (named < problem.types.size() && can_run(problem, job, named)) return named;
  std::size_t type = 0;
  while (type < problem.types.size() && !can_run(problem, job, type)) ++type;
  return type;
}

}  // namespace

void load_share_program(const ShareProblem& problem, RateView view, ShareProgram& program) {
  const std::size_t n = problem.gpus.size();
  program.reset(problem.jobs.size(), n);
  for (std::size_t j = 0; j < n; ++j) program.capacity[j] = problem.gpus[j] > 0 ? problem.gpus[j] : kNoGpus;
  for (std::size_t i = 0; i < problem.jobs.size(); ++i) {
    program.gpus[i] = std::max(1, problem.jobs[i].gpus);
    const std::size_t reference = reference_type(problem, i);
    if (reference == n) continue;
    for (std::size_t j = 0; j < n; ++j) {
      double& rate = program.rate[i * n + j];
      if (view == RateView::by_type) rate = can_run(problem, i, j) ? problem.jobs[i].rate[j] : 0;
      if (view == RateView::one) rate = 1;
      if (view == RateView::reference) rate = problem.jobs[i].rate[reference];
    }
  }
}

double counted(double value) {
  return value > 0 && std::isfinite(value) ? value : 0;
}

double fastest_rate(const ShareProgram& program, std::size_t job) {
  double fastest = 0;
  for (std::size_t j = 0; j < program.types; ++j) {
    fastest = std::max(fastest, program.rate[job * program.types + j]);
  }
  return fastest;
}

double proportional_rate(const ShareProblem& problem, const ShareProgram& program, std::size_t job) {
  double sum = 0;
  double gpus = 0;
  for (std::size_t j = 0; j < program.types; ++j) {
    sum += program.rate[job * program.types + j] * problem.gpus[j];
    gpus += problem.gpus[j];
  }
  return gpus > 0 ? sum / gpus : 0;
}

double isolated_rate(const ShareProblem& problem, const ShareProgram& program, std::size_t job) {
  double gpus = 0;
  for (const double each : problem.gpus) gpus += each;
  const double time = gpus / (static_cast<double>(program.jobs()) * program.gpus[job]);
  return proportional_rate(problem, program, job) * std::min(1.0, time);
}

std::vector<double> weights_of(const ShareProblem& problem) {
  std::vector<double> out;
  for (const ShareJob& job : problem.jobs) out.push_back(counted(job.weight));
  return out;
}

double max_min_demand(const ShareProblem& problem, const ShareProgram& program, std::size_t job) {
  const double weight = counted(problem.jobs[job].weight);
  return counted(weight * proportional_rate(problem, program, job) / program.gpus[job]);
}

namespace {

// Scales a job's shares to its time.
void fit_row(double time, std::size_t job, Shares& shares) {
  double sum = 0;
  for (std::size_t j = 0; j < shares.types; ++j) sum += shares.at(job, j);
  for (std::size_t j = 0; j < shares.types && sum > 0; ++j) shares.at(job, j) *= time / sum;
}

// Scales shares of types that are oversubscribed; returns by how much the worst was.
double fit_columns(const ShareProblem& problem, Shares& shares) {
  double worst = 0;
  for (std::size_t j = 0; j < shares.types; ++j) {
    double used = 0;
    for (std::size_t i = 0; i < problem.jobs.size(); ++i) used += shares.at(i, j) * problem.jobs[i].gpus;
    if (used <= problem.gpus[j]) continue;
    worst = std::max(worst, used / problem.gpus[j] - 1);
    for (std::size_t i = 0; i < problem.jobs.size(); ++i) shares.at(i, j) *= problem.gpus[j] / used;
  }
  return worst;
}

// Numbers so far apart that no solver copes: everybody has an equal part.
void equal_shares(const ShareProblem& problem, Shares& out) {
  for (std::size_t i = 0; i < problem.jobs.size(); ++i) {
    const double gpus = static_cast<double>(problem.jobs.size()) * std::max(1, problem.jobs[i].gpus);
    double time = 0;
    for (std::size_t j = 0; j < out.types; ++j) {
      out.at(i, j) = std::max(0.0, problem.gpus[j]) / gpus;
      time += out.at(i, j);
    }
    if (time > 1) fit_row(1, i, out);
  }
}

void move_where_possible(const ShareProblem& problem, Shares& out) {
  constexpr int kMostLevelSteps = 200;
  std::vector<double> time(problem.jobs.size(), 0);
  bool moved = false;
  for (std::size_t i = 0; i < problem.jobs.size(); ++i) {
    for (std::size_t j = 0; j < out.types; ++j) {
      time[i] += out.at(i, j);
      if (can_run(problem, i, j) || out.at(i, j) == 0) continue;
      out.at(i, j) = 0;
      moved = true;
    }
  }
  for (int step = 0; moved && step < kMostLevelSteps; ++step) {
    for (std::size_t i = 0; i < problem.jobs.size(); ++i) fit_row(time[i], i, out);
    if (fit_columns(problem, out) < 1e-12) break;
  }
}

}  // namespace

void store_shares(const ShareOptimum& optimum, const ShareProblem& problem, Shares& out) {
  out.reset(problem.jobs.size() + problem.pairs.size(), problem.gpus.size());
  if (optimum.feasible) {
    std::ranges::copy(optimum.share, out.values.begin());
  } else {
    equal_shares(problem, out);
  }
  move_where_possible(problem, out);
}

double remaining_demand(const ShareProblem& problem, const ShareProgram& program, std::size_t job) {
  return fastest_rate(program, job) > 0 ? counted(problem.jobs[job].remaining) : 0;
}

namespace {

// A job is owed the level that all reach; what it has beyond, it has because GPUs would stand idle.
void store_owed(const ShareProgram& program, const ShareOptimum& optimum, Shares& out) {
  std::vector<double> level(program.jobs(), 0);
  double common = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < program.jobs(); ++i) {
    if (program.demand[i] <= 0) continue;
    for (std::size_t j = 0; j < program.types; ++j) {
      const std::size_t ij = i * program.types + j;
      level[i] += program.rate[ij] * optimum.share[ij] / program.demand[i];
    }
    common = std::min(common, level[i]);
  }
  if (!(common > 0) || !std::isfinite(common)) return;
  out.owed.assign(out.rows(), 1.0);
  for (std::size_t i = 0; i < program.jobs(); ++i) {
    if (level[i] > common) out.owed[i] = common / level[i];
  }
}

class LevelPolicy final : public SharePolicy {
 public:
  explicit LevelPolicy(const LevelRule& rule) : rule_(rule) {}

  void allocate(const ShareProblem& problem, Shares& out) override {
    load_share_program(problem, rule_.view, program_);
    for (std::size_t i = 0; i < problem.jobs.size(); ++i)
      program_.demand[i] = rule_.demand(problem, program_, i);
    (solver_.*rule_.solve)(program_, weights_of(problem), optimum_);
    store_shares(optimum_, problem, out);
    if (optimum_.feasible && rule_.solve == &LevelSolver::solve) store_owed(program_, optimum_, out);
  }

 private:
  LevelRule rule_;
  ShareProgram program_;
  ShareOptimum optimum_;
  LevelSolver solver_;
};

}  // namespace

std::unique_ptr<SharePolicy> make_level_policy(const LevelRule& rule) {
  return std::make_unique<LevelPolicy>(rule);
}

PolicyInfo share_policy_info(const SharePolicyText& text,
                             std::unique_ptr<SharePolicy> (*share)(const PolicySetup&)) {
  PolicyInfo info;
  info.id = text.id;
  info.summary = text.summary;
  info.reference =
      "Narayanan et al., Heterogeneity-Aware Cluster Scheduling Policies for Deep Learning "
      "Workloads, OSDI 2020";
  if (!text.gavel.empty()) info.aliases = {text.gavel};
  info.gavel = text.gavel;
  info.aware = text.aware;
  info.sees_run_times = text.sees_run_times;
  info.share = share;
  return info;
}

}  // namespace sextant::schedule
