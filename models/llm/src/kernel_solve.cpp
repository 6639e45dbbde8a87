#include "kernel_solve.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <map>

#include "kernel_trees.h"

namespace sextant::llm {
namespace {

constexpr double kDeviceWeight = 300;  // of all calls of a device together
constexpr double kHuber = 0.1;         // residuals beyond count less and less
constexpr double kHoldShared = 0.005;
constexpr double kFurthest = 2;     // a departure, in the logarithm
constexpr double kStep = 1e-4;      // of a difference
constexpr double kTreeBound = 0.6;  // of a residual that trees see

// The unknowns: shared coefficients, then for each architecture those that may depart.
struct LawProblem {
  const KernelLaw& law;
  std::vector<const TimedCall*> calls = {};
  std::vector<double> weights = {};
  std::vector<std::size_t> groups = {};  // of each call, its architecture
  std::vector<std::string> architectures = {};
  std::vector<std::size_t> departing = {};  // parameters

  [[nodiscard]] std::size_t shared() const { return law.parameters.size(); }
  [[nodiscard]] std::size_t unknowns() const { return shared() + architectures.size() * departing.size(); }
  [[nodiscard]] std::size_t place(std::size_t group, std::size_t which) const {
    return shared() + group * departing.size() + which;
  }
};

double coefficient(const LawParameter& p, double value) {
  return p.plain ? value : std::log(value);
}

LawProblem make_problem(const KernelLaw& law, const std::vector<TimedCall>& calls, std::size_t stride) {
  LawProblem problem{law};
  std::map<std::string, double> counts;
  std::map<std::string, std::size_t> groups;
  for (std::size_t i = 0; i < calls.size(); i += stride) counts[calls[i].device->id] += 1;
  for (const TimedCall& call : calls) groups.emplace(call.device->architecture, 0);
  for (auto& [architecture, place] : groups) {
    place = problem.architectures.size();
    problem.architectures.push_back(architecture);
  }
  for (std::size_t i = 0; i < calls.size(); i += stride) {
    problem.calls.push_back(&calls[i]);
    problem.weights.push_back(kDeviceWeight / counts[calls[i].device->id]);
    problem.groups.push_back(groups[calls[i].device->architecture]);
  }
  for (std::size_t i = 0; i < law.parameters.size(); ++i) {
    if (law.parameters[i].spread > 0) problem.departing.push_back(i);
  }
  return problem;
}

std::vector<double> coefficients_of(const LawProblem& problem, const Eigen::VectorXd& x, std::size_t group) {
  std::vector<double> sum(x.data(), x.data() + problem.shared());
  for (std::size_t j = 0; j < problem.departing.size(); ++j)
    sum[problem.departing[j]] += x[static_cast<Eigen::Index>(problem.place(group, j))];
  return sum;
}

double residual_of(const LawProblem& problem, std::size_t i, std::span<const double> coefficients) {
  const TimedCall& call = *problem.calls[i];
  return law_log_seconds(problem.law, coefficients, call.shape, *call.device) - std::log(call.seconds);
}

double hold_of(const LawProblem& problem, std::size_t unknown) {
  const auto& parameters = problem.law.parameters;
  const std::size_t n = problem.shared();
  if (unknown < n) {
    const double hold = kHoldShared * parameters[unknown].hold;
    return kDeviceWeight * hold * hold;
  }
  const LawParameter& p = parameters[problem.departing[(unknown - n) % problem.departing.size()]];
  const double hold = problem.law.hold_departures / p.spread;
  return kDeviceWeight * hold * hold;
}

double start_of(const LawProblem& problem, std::size_t unknown) {
  if (unknown >= problem.shared()) return 0;
  const LawParameter& p = problem.law.parameters[unknown];
  return coefficient(p, p.start);
}

double objective(const LawProblem& problem, const Eigen::VectorXd& x) {
  double sum = 0;
  std::vector<std::vector<double>> by_group;
  for (std::size_t g = 0; g < problem.architectures.size(); ++g)
    by_group.push_back(coefficients_of(problem, x, g));
  for (std::size_t i = 0; i < problem.calls.size(); ++i) {
    const double r = residual_of(problem, i, by_group[problem.groups[i]]) / kHuber;
    sum += problem.weights[i] * 2 * kHuber * kHuber * (std::sqrt(1 + r * r) - 1);
  }
  for (std::size_t u = 0; u < problem.unknowns(); ++u) {
    const double away = x[static_cast<Eigen::Index>(u)] - start_of(problem, u);
    sum += hold_of(problem, u) * away * away;
  }
  return sum;
}

struct NormalEquations {
  Eigen::MatrixXd matrix;
  Eigen::VectorXd gradient;
};

// A shared coefficient and the departure from it move a call alike, so one difference gives both.
NormalEquations equations(const LawProblem& problem, const Eigen::VectorXd& x) {
  const auto n = static_cast<Eigen::Index>(problem.unknowns());
  NormalEquations e{Eigen::MatrixXd::Zero(n, n), Eigen::VectorXd::Zero(n)};
  std::vector<Eigen::Index> places;
  std::vector<double> slopes;
  for (std::size_t i = 0; i < problem.calls.size(); ++i) {
    std::vector<double> at = coefficients_of(problem, x, problem.groups[i]);
    const double r = residual_of(problem, i, at);
    places.clear();
    slopes.clear();
    std::size_t departing = 0;
    for (std::size_t j = 0; j < problem.shared(); ++j) {
      const double before = at[j];
      at[j] += kStep;
      const double slope = (residual_of(problem, i, at) - r) / kStep;
      at[j] = before;
      places.push_back(static_cast<Eigen::Index>(j));
      slopes.push_back(slope);
      if (problem.law.parameters[j].spread <= 0) continue;
      places.push_back(static_cast<Eigen::Index>(problem.place(problem.groups[i], departing++)));
      slopes.push_back(slope);
    }
    const double weight = problem.weights[i] / std::sqrt(1 + r * r / (kHuber * kHuber));
    for (std::size_t a = 0; a < places.size(); ++a) {
      e.gradient[places[a]] += weight * slopes[a] * r;
      for (std::size_t b = 0; b < places.size(); ++b)
        e.matrix(places[a], places[b]) += weight * slopes[a] * slopes[b];
    }
  }
  for (Eigen::Index u = 0; u < n; ++u) {
    const double hold = hold_of(problem, static_cast<std::size_t>(u));
    e.matrix(u, u) += hold;
    e.gradient[u] += hold * (x[u] - start_of(problem, static_cast<std::size_t>(u)));
  }
  return e;
}

Eigen::VectorXd bounded(const LawProblem& problem, Eigen::VectorXd x) {
  for (std::size_t u = 0; u < problem.unknowns(); ++u) {
    double& value = x[static_cast<Eigen::Index>(u)];
    if (u >= problem.shared()) {
      value = std::clamp(value, -kFurthest, kFurthest);
      continue;
    }
    const LawParameter& p = problem.law.parameters[u];
    value = std::clamp(value, coefficient(p, p.low), coefficient(p, p.high));
  }
  return x;
}

// Levenberg and Marquardt, with steps cut at the bounds.
Eigen::VectorXd solve(const LawProblem& problem, int rounds) {
  Eigen::VectorXd x(static_cast<Eigen::Index>(problem.unknowns()));
  for (std::size_t u = 0; u < problem.unknowns(); ++u) x[static_cast<Eigen::Index>(u)] = start_of(problem, u);
  double best = objective(problem, x);
  double damping = 1e-2;
  for (int round = 0; round < rounds; ++round) {
    const NormalEquations e = equations(problem, x);
    const double before = best;
    for (int attempt = 0; attempt < 6; ++attempt) {
      Eigen::MatrixXd damped = e.matrix;
      damped.diagonal() *= 1 + damping;
      damped.diagonal().array() += 1e-9;
      const Eigen::VectorXd next = bounded(problem, x - damped.ldlt().solve(e.gradient));
      const double value = objective(problem, next);
      if (value < best) {
        x = next;
        best = value;
        damping = std::max(1e-6, damping / 5);
        break;
      }
      damping *= 6;
    }
    if (before - best < 1e-5 * before) break;
  }
  return x;
}

void add_leftover(const KernelLaw& law, const std::vector<TimedCall>& calls, FittedLaw& fitted) {
  std::map<std::string, std::pair<std::vector<std::vector<double>>, std::vector<double>>> by_architecture;
  for (const TimedCall& call : calls) {
    const double left = std::log(call.seconds) - log_seconds(law, fitted, call.shape, *call.device);
    for (const std::string& key : {call.device->architecture, std::string()}) {
      by_architecture[key].first.push_back(law.features(call.shape, *call.device));
      by_architecture[key].second.push_back(std::clamp(left, -kTreeBound, kTreeBound));
    }
  }
  std::map<std::string, std::vector<ObliviousTree>> grown;
  for (const auto& [key, rows] : by_architecture) {
    const TreeSettings settings =
        key.empty() ? TreeSettings{.trees = 40, .depth = 3, .rate = 0.15, .shrink = 20} : TreeSettings{};
    grown[key] = grow_trees(rows.first, rows.second, settings);
  }
  fitted.leftover = std::move(grown);
}

}  // namespace

FittedLaw fit_law(const KernelLaw& law, const std::vector<TimedCall>& calls, const SolveSettings& settings) {
  const LawProblem problem = make_problem(law, calls, settings.stride);
  const Eigen::VectorXd x = solve(problem, settings.rounds);
  FittedLaw fitted;
  fitted.rows = static_cast<int>(calls.size());
  fitted.shared.assign(x.data(), x.data() + problem.shared());
  for (std::size_t g = 0; g < problem.architectures.size(); ++g) {
    std::vector<double>& away = fitted.departures[problem.architectures[g]];
    away.assign(problem.shared(), 0);
    for (std::size_t j = 0; j < problem.departing.size(); ++j)
      away[problem.departing[j]] = x[static_cast<Eigen::Index>(problem.place(g, j))];
  }
  if (settings.leftover) add_leftover(law, calls, fitted);
  return fitted;
}

}  // namespace sextant::llm
