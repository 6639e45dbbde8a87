// Levenberg and Marquardt's method; far rows weigh less (pseudo-Huber).
#include <algorithm>
#include <cmath>

#include "step_equations.h"

namespace sextant::llm {
namespace {

constexpr double kFar = 2;  // spreads beyond which a row weighs less
constexpr int kMostSteps = 40;
constexpr int kMostDampings = 8;
constexpr double kMostChange = 1;  // of a logarithm in one step
constexpr double kEnough = 1e-3;   // relative change of the objective that ends the search
constexpr double kEnoughAlways = 0.5;

double far_root(double z) {
  return std::sqrt(1 + (z / kFar) * (z / kFar));
}

std::vector<SlopeEntry> entries_of(const StepRow& row, const StepValues& slope) {
  std::vector<SlopeEntry> entries;
  entries.reserve(row.terms.size());
  for (const auto& term : row.terms) {
    const double value = slope[term.field] * term.times;
    if (value != 0) entries.push_back({static_cast<Eigen::Index>(term.unknown), value});
  }
  std::ranges::sort(entries, {}, &SlopeEntry::unknown);
  return entries;
}

}  // namespace

double step_objective(const StepProblem& problem, const std::vector<std::size_t>& kept,
                      const std::vector<double>& unknowns) {
  double sum = 0;
  for (const std::size_t i : kept) {
    const StepRow& row = problem.rows[i];
    const double z =
        (std::log(step_seconds(row.demand, row_values(row, unknowns))) - row.log_seconds) * row.weight;
    sum += 2 * kFar * kFar * (far_root(z) - 1);
  }
  for (std::size_t j = 0; j < unknowns.size(); ++j) {
    const double z = (unknowns[j] - problem.unknowns[j].mean) / problem.unknowns[j].deviation;
    sum += z * z;
  }
  return sum;
}

StepLinear linearise(const StepProblem& problem, const std::vector<std::size_t>& kept,
                     const std::vector<double>& unknowns) {
  const auto n = static_cast<Eigen::Index>(unknowns.size());
  StepLinear out;
  out.curvature = Eigen::MatrixXd::Zero(n, n);
  out.gradient = Eigen::VectorXd::Zero(n);
  for (const std::size_t i : kept) {
    const StepRow& row = problem.rows[i];
    const StepSlope slope = step_slope(row.demand, row_values(row, unknowns));
    const double residual = slope.log_seconds - row.log_seconds;
    const double weight = row.weight * row.weight / far_root(residual * row.weight);
    auto entries = entries_of(row, slope.slope);
    for (std::size_t a = 0; a < entries.size(); ++a) {
      const double scaled = weight * entries[a].slope;
      out.gradient(entries[a].unknown) += scaled * residual;
      for (std::size_t b = 0; b <= a; ++b)
        out.curvature(entries[a].unknown, entries[b].unknown) += scaled * entries[b].slope;
    }
    out.slopes.push_back(std::move(entries));
    out.residuals.push_back(residual);
    out.weights.push_back(weight);
  }
  for (Eigen::Index j = 0; j < n; ++j) {
    const StepUnknown& unknown = problem.unknowns[static_cast<std::size_t>(j)];
    const double precision = 1 / (unknown.deviation * unknown.deviation);
    out.curvature(j, j) += precision;
    out.gradient(j) += precision * (unknowns[static_cast<std::size_t>(j)] - unknown.mean);
  }
  out.curvature.triangularView<Eigen::StrictlyUpper>() = out.curvature.transpose();
  return out;
}

std::vector<double> solve_steps(const StepProblem& problem, const std::vector<std::size_t>& kept,
                                std::vector<double> unknowns) {
  double damping = 1e-3;
  double best = step_objective(problem, kept, unknowns);
  for (int step = 0; step < kMostSteps; ++step) {
    const StepLinear linear = linearise(problem, kept, unknowns);
    bool better = false;
    double gained = 0;
    for (int tried = 0; tried < kMostDampings && !better; ++tried) {
      Eigen::MatrixXd damped = linear.curvature;
      damped.diagonal() *= 1 + damping;
      const Eigen::VectorXd change = -damped.llt().solve(linear.gradient);
      std::vector<double> next = unknowns;
      for (std::size_t j = 0; j < next.size(); ++j)
        next[j] += std::clamp(change(static_cast<Eigen::Index>(j)), -kMostChange, kMostChange);
      const double objective = step_objective(problem, kept, next);
      better = objective < best;
      if (!better) {
        damping *= 5;
        continue;
      }
      gained = best - objective;
      best = objective;
      unknowns = std::move(next);
      damping = std::max(damping / 5, 1e-6);
    }
    if (!better || (gained < kEnough * best && gained < kEnoughAlways)) break;
  }
  return unknowns;
}

}  // namespace sextant::llm
