#include "share_program.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>

#include "sextant/solve/linear_program.h"

namespace sextant::schedule {

namespace {

constexpr double kCertified = 1e-9;

double floor_of(const ShareProgram& program, std::size_t job) {
  return program.floor.empty() ? 0 : program.floor[job];
}

double fastest_of(const ShareProgram& program, std::size_t job) {
  const double* rate = program.rate.data() + job * program.types;
  return *std::max_element(rate, rate + program.types);
}

}  // namespace

void ShareProgram::reset(std::size_t job_count, std::size_t type_count) {
  types = type_count;
  capacity.assign(type_count, 0);
  gpus.assign(job_count, 0);
  rate.assign(job_count * type_count, 0);
  demand.assign(job_count, 0);
  floor.clear();
  gain.clear();
}

namespace {

struct DualBound {
  double value = 0;
  double magnitude = 0;  // of the terms that it is the difference of: what rounding is relative to
};

DualBound dual_bound(const ShareProgram& program, const std::vector<double>& price,
                     const std::vector<double>& worth) {
  double limits = 0;
  double floors = 0;
  double demanded = 0;
  for (std::size_t j = 0; j < program.types; ++j) limits += program.capacity[j] * price[j];
  for (std::size_t i = 0; i < program.jobs(); ++i) {
    double rent = 0;  // what a unit of the job's time is worth above its best price
    for (std::size_t j = 0; j < program.types; ++j) {
      const std::size_t ij = i * program.types + j;
      if (program.rate[ij] <= 0) continue;
      const double earned = program.rate[ij] * worth[i] + (program.seeks_level() ? 0 : program.gain[ij]);
      rent = std::max(rent, earned - program.gpus[i] * price[j]);
    }
    limits += rent;
    floors += floor_of(program, i) * worth[i];
    demanded += program.demand[i] * worth[i];
  }
  if (!program.seeks_level()) return {limits - floors, limits + floors};
  if (!(demanded > 0)) return {std::numeric_limits<double>::infinity(), 0};
  return {(limits - floors) / demanded, (limits + floors) / demanded};
}

}  // namespace

double share_bound(const ShareProgram& program, const std::vector<double>& price,
                   const std::vector<double>& worth) {
  return dual_bound(program, price, worth).value;
}

double share_violation(const ShareProgram& program, const ShareOptimum& optimum) {
  double worst = 0;
  for (const double share : optimum.share) worst = std::max(worst, -share);
  for (std::size_t j = 0; j < program.types; ++j) {
    double used = 0;
    for (std::size_t i = 0; i < program.jobs(); ++i) {
      used += program.gpus[i] * optimum.share[i * program.types + j];
    }
    worst = std::max(worst, (used - program.capacity[j]) / program.capacity[j]);
  }
  const double level = program.seeks_level() ? optimum.value : 0;
  for (std::size_t i = 0; i < program.jobs(); ++i) {
    double time = 0;
    double reached = 0;
    for (std::size_t j = 0; j < program.types; ++j) {
      const std::size_t ij = i * program.types + j;
      time += optimum.share[ij];
      reached += program.rate[ij] * optimum.share[ij];
      if (program.rate[ij] <= 0) worst = std::max(worst, optimum.share[ij]);
    }
    worst = std::max(worst, time - 1);
    const double asked = level * program.demand[i] + floor_of(program, i);
    if (asked > 0) worst = std::max(worst, (asked - reached) / std::max(fastest_of(program, i), asked));
  }
  return worst;
}

bool is_certified(const ShareProgram& program, const ShareOptimum& optimum) {
  if (!optimum.feasible || share_violation(program, optimum) > kCertified) return false;
  const DualBound bound = dual_bound(program, optimum.price, optimum.worth);
  // Written so that what is not a number is refused.
  return bound.value - optimum.value <= kCertified * std::max(bound.magnitude, std::abs(optimum.value));
}

namespace {

// Any order of jobs in which those that are alike stand together.
struct ByDescription {
  const ShareProgram& program;

  [[nodiscard]] int compare(std::size_t left, std::size_t right) const {
    const auto order = [](double a, double b) { return a < b ? -1 : a > b ? 1 : 0; };
    int result = order(program.gpus[left], program.gpus[right]);
    if (result == 0) result = order(program.demand[left], program.demand[right]);
    if (result == 0) result = order(floor_of(program, left), floor_of(program, right));
    for (std::size_t j = 0; j < program.types && result == 0; ++j) {
      const std::size_t l = left * program.types + j;
      const std::size_t r = right * program.types + j;
      result = order(program.rate[l], program.rate[r]);
      if (result == 0 && !program.gain.empty()) result = order(program.gain[l], program.gain[r]);
    }
    return result;
  }
  bool operator()(std::size_t left, std::size_t right) const { return compare(left, right) < 0; }
};

void share_mean(const ShareProgram& program, std::span<const std::size_t> jobs, ShareOptimum& optimum) {
  for (std::size_t j = 0; j < program.types; ++j) {
    double sum = 0;
    for (const std::size_t i : jobs) sum += optimum.share[i * program.types + j];
    const double mean = sum / static_cast<double>(jobs.size());
    for (const std::size_t i : jobs) optimum.share[i * program.types + j] = mean;
  }
}

}  // namespace

void treat_equals_equally(const ShareProgram& program, ShareOptimum& optimum) {
  if (!optimum.feasible) return;
  const ByDescription before{program};
  std::vector<std::size_t> order(program.jobs());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, before);
  for (std::size_t begin = 0; begin < order.size();) {
    std::size_t end = begin + 1;
    while (end < order.size() && before.compare(order[begin], order[end]) == 0) ++end;
    if (end - begin > 1) share_mean(program, std::span(order).subspan(begin, end - begin), optimum);
    begin = end;
  }
}

namespace {

struct GeneralRows {
  std::vector<std::size_t> capacity;
  std::vector<std::size_t> time;
  std::vector<std::size_t> rate;
};

// Rows of rates are divided by the job's fastest rate: steps per second differ by orders of magnitude.
GeneralRows add_rows(solve::LinearProgram& general, const ShareProgram& program) {
  GeneralRows rows;
  for (std::size_t j = 0; j < program.types; ++j) {
    rows.capacity.push_back(general.add_row(-solve::kUnbounded, program.capacity[j]));
  }
  for (std::size_t i = 0; i < program.jobs(); ++i) {
    rows.time.push_back(general.add_row(-solve::kUnbounded, 1));
    const double fastest = fastest_of(program, i);
    const double asked = floor_of(program, i);
    // Twice its fastest rate is as impossible as any more.
    const double scaled = asked > 0 ? std::min(2.0, asked / fastest) : 0;
    rows.rate.push_back(general.add_row(scaled, solve::kUnbounded));
  }
  return rows;
}

// A unit of the scaled level is the largest that one job alone could reach.
double level_scale(const ShareProgram& program) {
  double scale = 0;
  for (std::size_t i = 0; i < program.jobs(); ++i) {
    const double fastest = fastest_of(program, i);
    if (fastest > 0) scale = std::max(scale, program.demand[i] / fastest);
  }
  return scale > 0 ? 1 / scale : 1;
}

std::size_t add_level(solve::LinearProgram& general, const ShareProgram& program, const GeneralRows& rows,
                      double scale) {
  std::vector<solve::LinearTerm> terms;
  for (std::size_t i = 0; i < program.jobs(); ++i) {
    const double fastest = fastest_of(program, i);
    if (program.demand[i] <= 0) continue;
    terms.push_back({rows.rate[i], fastest > 0 ? -(program.demand[i] / fastest) * scale : -1});
  }
  return general.add_column(1, 0, solve::kUnbounded, terms);
}

double gain_scale(const ShareProgram& program) {
  double scale = 0;
  for (const double gain : program.gain) scale = std::max(scale, std::abs(gain));
  return scale > 0 ? scale : 1;
}

void add_shares(solve::LinearProgram& general, const ShareProgram& program, const GeneralRows& rows,
                double unit) {
  for (std::size_t i = 0; i < program.jobs(); ++i) {
    const double fastest = fastest_of(program, i);
    for (std::size_t j = 0; j < program.types; ++j) {
      const std::size_t ij = i * program.types + j;
      const bool runs = program.rate[ij] > 0;
      const solve::LinearTerm terms[] = {{rows.capacity[j], program.gpus[i]},
                                         {rows.time[i], 1},
                                         {rows.rate[i], runs ? program.rate[ij] / fastest : 0}};
      const double gain = program.seeks_level() ? 0 : program.gain[ij] / unit;
      general.add_column(gain, 0, runs ? 1 : 0, terms);
    }
  }
}

}  // namespace

ShareOptimum solve_with_general_solver(const ShareProgram& program) {
  solve::LinearProgram general(solve::Sense::maximise);
  const GeneralRows rows = add_rows(general, program);
  const double unit = program.seeks_level() ? level_scale(program) : gain_scale(program);
  ShareOptimum out;
  if (!std::isfinite(unit) || !(unit > 0)) return out;
  add_shares(general, program, rows, unit);
  if (program.seeks_level()) add_level(general, program, rows, unit);
  const solve::Solution solution = general.solve();
  out.feasible = solution.status == solve::SolveStatus::optimal;
  if (!out.feasible) return out;
  out.value = solution.objective * unit;
  const auto shares = static_cast<std::ptrdiff_t>(program.rate.size());
  out.share.assign(solution.columns.begin(), solution.columns.begin() + shares);
  for (double& share : out.share) share = std::clamp(share, 0.0, 1.0);
  for (const std::size_t row : rows.capacity) {
    out.price.push_back(std::max(0.0, solution.duals[row]) * unit);
  }
  for (std::size_t i = 0; i < program.jobs(); ++i) {
    const double fastest = fastest_of(program, i);
    out.worth.push_back(fastest > 0 ? std::max(0.0, -solution.duals[rows.rate[i]]) / fastest * unit : 0);
  }
  return out;
}

}  // namespace sextant::schedule
