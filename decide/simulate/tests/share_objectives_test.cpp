// The objective of every allocation problem that a simulation poses, against an exact solve of our own making
// by the general solver. The traces are not part of the repository.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <map>

#include "sextant/simulate/gavel.h"
#include "sextant/solve/linear_program.h"
#include "shared_data.h"

namespace sextant::simulate {
namespace {

double speed(const schedule::ShareProblem& p, const schedule::Shares& x, std::size_t job) {
  double sum = 0;
  for (std::size_t j = 0; j < p.types.size(); ++j) sum += p.jobs[job].rate[j] * x.at(job, j);
  return sum;
}

// Speed in proportion to the GPUs of each type, and with an equal part of each, as Gavel defines them.
double proportional(const schedule::ShareProblem& p, std::size_t job) {
  double sum = 0;
  double gpus = 0;
  for (std::size_t j = 0; j < p.types.size(); ++j) {
    sum += p.jobs[job].rate[j] * p.gpus[j];
    gpus += p.gpus[j];
  }
  return sum / gpus;
}

double isolated(const schedule::ShareProblem& p, std::size_t job) {
  const double parts = static_cast<double>(p.jobs.size()) * p.jobs[job].gpus;
  double sum = 0;
  double time = 0;
  for (std::size_t j = 0; j < p.types.size(); ++j) {
    sum += p.jobs[job].rate[j] * p.gpus[j] / parts;
    time += p.gpus[j] / parts;
  }
  return sum / std::max(1.0, time);
}

// Base constraints; rows 0.. are the capacities. Column i*types+j is the share of job i on type j, `gain` its
// worth.
struct Program {
  solve::LinearProgram lp{solve::Sense::maximise};
  std::vector<std::size_t> work = {};  // row of each job's speed
};

Program base_program(const schedule::ShareProblem& p, const std::vector<double>& needed, bool gains) {
  Program program;
  const std::size_t types = p.types.size();
  for (std::size_t j = 0; j < types; ++j) program.lp.add_row(-solve::kUnbounded, p.gpus[j]);
  for (std::size_t i = 0; i < p.jobs.size(); ++i) {
    const std::size_t time = program.lp.add_row(-solve::kUnbounded, 1);
    program.work.push_back(program.lp.add_row(needed[i], solve::kUnbounded));
    for (std::size_t j = 0; j < types; ++j) {
      const double rate = p.jobs[i].rate[j];
      const std::vector<solve::LinearTerm> terms = {
          {j, static_cast<double>(p.jobs[i].gpus)}, {time, 1}, {program.work[i], rate}};
      program.lp.add_column(gains ? rate : 0, 0, rate > 0 ? solve::kUnbounded : 0, terms);
    }
  }
  return program;
}

// max t with speed_i >= demand_i * t
double best_level(const schedule::ShareProblem& p, const std::vector<double>& demand) {
  Program program = base_program(p, std::vector<double>(p.jobs.size(), 0.0), false);
  std::vector<solve::LinearTerm> terms;
  for (std::size_t i = 0; i < p.jobs.size(); ++i) terms.push_back({program.work[i], -demand[i]});
  program.lp.add_column(1, 0, solve::kUnbounded, terms);
  return program.lp.solve().objective;
}

std::vector<double> max_min_demand(const schedule::ShareProblem& p) {
  std::vector<double> demand;
  for (std::size_t i = 0; i < p.jobs.size(); ++i)
    demand.push_back(p.jobs[i].weight * proportional(p, i) / p.jobs[i].gpus);
  return demand;
}

std::vector<double> remaining_of(const schedule::ShareProblem& p) {
  std::vector<double> remaining;
  for (const schedule::ShareJob& job : p.jobs) remaining.push_back(job.remaining);
  return remaining;
}

double level(const schedule::ShareProblem& p, const schedule::Shares& x, const std::vector<double>& demand) {
  double least = solve::kUnbounded;
  for (std::size_t i = 0; i < p.jobs.size(); ++i) least = std::min(least, speed(p, x, i) / demand[i]);
  return least;
}

// What finish-time fairness remembers of each job between two problems.
class History {
 public:
  // Seconds that the job would take in all with an equal part.
  double alone_s(const schedule::ShareProblem& p, std::size_t i) {
    Past& past = jobs_[p.jobs[i].id];
    if (past.speed > 0) past.seconds += (past.remaining - p.jobs[i].remaining) / past.speed;
    past = {.remaining = p.jobs[i].remaining, .speed = isolated(p, i), .seconds = past.seconds};
    return past.seconds + p.jobs[i].remaining / past.speed;
  }

 private:
  struct Past {
    double remaining = 0;
    double speed = 0;
    double seconds = 0;
  };
  std::map<std::int64_t, Past> jobs_;
};

// Smallest rho with speed_i >= remaining_i / (rho * alone_i - age_i) for all jobs, by bisection.
double best_ratio(const schedule::ShareProblem& p, const std::vector<double>& alone) {
  const auto reachable = [&](double rho) {
    std::vector<double> needed;
    for (std::size_t i = 0; i < p.jobs.size(); ++i) {
      const double left = rho * alone[i] - (p.now_s - p.jobs[i].arrival_s);
      if (left <= 0) return false;
      needed.push_back(p.jobs[i].remaining / left);
    }
    return best_level(p, needed) >= 1;
  };
  double low = 0;
  double high = 1;
  while (!reachable(high)) {
    low = high;
    high *= 2;
  }
  while (high - low > 1e-8 * high) {
    const double middle = (low + high) / 2;
    (reachable(middle) ? high : low) = middle;
  }
  return high;
}

struct Gaps {
  std::size_t every = 1;  // look at each so manieth problem
  std::size_t seen = 0;
  std::size_t checked = 0;
  double worst = 0;  // relative, by which an allocation misses the optimum
};
Gaps gaps;  // of the run in hand: a policy is made by a plain function, which can carry nothing

template <int kind>  // 0 max-min, 1 throughput, 2 makespan, 3 finish-time fairness
class Checked final : public schedule::SharePolicy {
 public:
  explicit Checked(std::unique_ptr<schedule::SharePolicy> policy) : policy_(std::move(policy)) {}

  void allocate(const schedule::ShareProblem& p, schedule::Shares& out) override {
    policy_->allocate(p, out);
    std::vector<double> alone;
    if (kind == 3) {
      for (std::size_t i = 0; i < p.jobs.size(); ++i) alone.push_back(history_.alone_s(p, i));
    }
    if (gaps.seen++ % gaps.every != 0 || p.jobs.empty()) return;
    ++gaps.checked;
    const double found = gap(p, out, alone);
    // Better than the optimum is as wrong as worse: the shares would not be feasible. NaN compares with
    // nothing.
    gaps.worst = std::isfinite(found) ? std::max(gaps.worst, std::abs(found)) : solve::kUnbounded;
  }

 private:
  static double gap(const schedule::ShareProblem& p, const schedule::Shares& x,
                    const std::vector<double>& alone) {
    if (kind == 1) {
      double sum = 0;
      for (std::size_t i = 0; i < p.jobs.size(); ++i) sum += speed(p, x, i);
      return 1 - sum / base_program(p, std::vector<double>(p.jobs.size(), 0.0), true).lp.solve().objective;
    }
    if (kind == 3) {
      double worst = 0;
      for (std::size_t i = 0; i < p.jobs.size(); ++i) {
        const double end = p.now_s - p.jobs[i].arrival_s + p.jobs[i].remaining / speed(p, x, i);
        if (!std::isfinite(end / alone[i])) return solve::kUnbounded;
        worst = std::max(worst, end / alone[i]);
      }
      return worst / best_ratio(p, alone) - 1;
    }
    const std::vector<double> demand = kind == 0 ? max_min_demand(p) : remaining_of(p);
    return 1 - level(p, x, demand) / best_level(p, demand);
  }

  std::unique_ptr<schedule::SharePolicy> policy_;
  History history_;
};

template <int kind>
schedule::PolicyInfo checked(const char* id) {
  static const schedule::PolicyInfo* original = nullptr;
  original = &schedule::policies().get(id);
  schedule::PolicyInfo info = *original;
  info.share = [](const schedule::PolicySetup& setup) -> std::unique_ptr<schedule::SharePolicy> {
    return std::make_unique<Checked<kind>>(original->share(setup));
  };
  return info;
}

class ShareObjectivesAccuracy : public testing::Test {
 protected:
  Gaps run(const schedule::PolicyInfo& info, const std::string& trace_file, std::vector<std::int64_t> counts,
           std::size_t every) {
    const jobs::ThroughputTable table = jobs::ThroughputTable::read_file(table_);
    clusters::Cluster cluster{.name = "", .pools = {{.type = "v100"}, {.type = "p100"}, {.type = "k80"}}};
    for (std::size_t t = 0; t < counts.size(); ++t) cluster.pools[t].gpus = counts[t];
    const auto speeds = speeds_from_table(table, cluster);
    const jobs::Trace trace = jobs::read_trace((folder_ / "traces" / trace_file).string());
    const JobSet jobs = make_job_set(trace, cluster, {.speeds = speeds.get()});
    gaps = {.every = every};
    GavelOptions options;
    options.policy = {.policy = &info, .parameters = Parameters(info)};
    simulate_gavel(jobs, cluster, options);
    return gaps;
  }
  void SetUp() override {
    SEXTANT_NEEDS_DATA(table, "gavel/simulation_throughputs.json");  // NOLINT(performance-*)
    SEXTANT_NEEDS_DATA(index, "../reference/gavel/INDEX.csv");       // NOLINT(performance-*)
    table_ = table;
    folder_ = std::filesystem::path(index).parent_path();
  }
  std::string table_;
  std::filesystem::path folder_;
};

constexpr const char* kMixed = "max_min_fairness.trace";
constexpr const char* kSingle = "cont_single_n500_lam720_s0.trace";

TEST_F(ShareObjectivesAccuracy, MaxMin) {
  const schedule::PolicyInfo info = checked<0>("max-min");
  EXPECT_LE(run(info, kMixed, {8, 16, 24}, 1).worst, 1e-6);
  EXPECT_GT(gaps.checked, 25U);
  EXPECT_LE(run(info, kSingle, {12, 12, 12}, 1).worst, 1e-6);
  EXPECT_GT(gaps.checked, 250U);
}

TEST_F(ShareObjectivesAccuracy, Throughput) {
  const schedule::PolicyInfo info = checked<1>("max-throughput");
  EXPECT_LE(run(info, kMixed, {8, 16, 24}, 1).worst, 1e-6);
  EXPECT_LE(run(info, kSingle, {12, 12, 12}, 1).worst, 1e-6);
  EXPECT_GT(gaps.checked, 250U);
}

TEST_F(ShareObjectivesAccuracy, Makespan) {
  const schedule::PolicyInfo exact = checked<2>("makespan");
  EXPECT_LE(run(exact, kMixed, {8, 16, 24}, 1).worst, 1e-6);
  // Gavel's bisection stops when the bracket is within 5 %.
  const schedule::PolicyInfo bisected = checked<2>("gavel-makespan");
  EXPECT_LE(run(bisected, kMixed, {8, 16, 24}, 1).worst, 1 - 1 / 1.05);
  EXPECT_GT(gaps.worst, 0.01);
  EXPECT_GT(gaps.checked, 25U);
}

TEST_F(ShareObjectivesAccuracy, FinishTimeFairness) {
  const schedule::PolicyInfo info = checked<3>("finish-time-fairness");
  EXPECT_LE(run(info, kMixed, {8, 16, 24}, 1).worst, 1e-6);
  EXPECT_GT(gaps.checked, 25U);
  EXPECT_LE(run(info, kSingle, {12, 12, 12}, 10).worst, 1e-6);
  EXPECT_GT(gaps.checked, 25U);
}

}  // namespace
}  // namespace sextant::simulate
