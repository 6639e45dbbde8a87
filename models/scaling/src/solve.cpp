// Levenberg and Marquardt's method with Huber's weights. The departures of each cell are eliminated first
// (Schur's complement), so the work grows with the number of cells, not with its cube.
#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "problem.h"
#include "sextant/core/error.h"

namespace sextant::scaling {
namespace {

constexpr double kHuber = 1.0;         // in spreads
constexpr double kLeastSpread = 0.01;  // timers and schedulers are no better
constexpr double kMedianToSpread = 1.4826;
constexpr int kMostSteps = 40;
constexpr double kEnough = 1e-5;  // relative change of the objective that ends the search

using Eigen::MatrixXd;
using Eigen::VectorXd;

struct Block {
  MatrixXd own;     // cell by cell
  MatrixXd shared;  // cell by global
  VectorXd slope;
};

struct Equations {
  MatrixXd shared;
  VectorXd slope;
  std::vector<Block> cells;
};

struct Step {
  VectorXd shared;
  std::vector<VectorXd> cells;
};

std::vector<LawPoint> evaluate_all(const Problem& problem) {
  std::vector<LawPoint> points;
  points.reserve(problem.rows.size());
  for (const auto& row : problem.rows) points.push_back(evaluate(row));
  return points;
}

double spread_of(const Problem& problem, const std::vector<LawPoint>& points) {
  std::vector<double> sizes;
  for (std::size_t i = 0; i < points.size(); ++i)
    sizes.push_back(std::abs(problem.rows[i].log_time - points[i].log_time));
  const auto middle = sizes.begin() + static_cast<std::ptrdiff_t>(sizes.size() / 2);
  std::ranges::nth_element(sizes, middle);
  return std::max(kMedianToSpread * *middle, kLeastSpread);
}

double penalty(const FreeValue& v) {
  const double z = (*v.value - v.mean) / v.deviation;
  return 0.5 * z * z;
}

double objective(const Problem& problem, const std::vector<LawPoint>& points, double spread) {
  double sum = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double r = std::abs(problem.rows[i].log_time - points[i].log_time) / spread;
    sum += r < kHuber ? 0.5 * r * r : kHuber * (r - 0.5 * kHuber);
  }
  for (const auto& v : problem.global) sum += penalty(v);
  for (const auto& cell : problem.cells)
    for (const auto& v : cell) sum += penalty(v);
  return sum;
}

void add_prior(const std::vector<FreeValue>& values, MatrixXd& matrix, VectorXd& slope) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto k = static_cast<Eigen::Index>(i);
    const double weight = 1 / (values[i].deviation * values[i].deviation);
    matrix(k, k) += weight;
    slope(k) -= weight * (*values[i].value - values[i].mean);
  }
}

struct Derivative {
  Eigen::Index index;
  double value;
};

// The row's derivatives, those of global values first.
void gather(const RowTerms& row, LawInputs slopes, Eigen::Index globals, std::vector<Derivative>& out) {
  out.clear();
  for (const auto& term : row.terms) {
    const double slope = term.weight * part_of(slopes, term.part);
    if (term.index >= 0) out.push_back({term.index + (term.own ? globals : 0), slope});
  }
  std::ranges::stable_sort(out, {}, &Derivative::index);
}

struct Weighted {
  double residual;
  double weight;
};

void add_row(Equations& eq, Block& cell, const std::vector<Derivative>& row, const Weighted& by) {
  const Eigen::Index globals = eq.slope.size();
  for (const auto& a : row) {
    const bool own = a.index >= globals;
    (own ? cell.slope(a.index - globals) : eq.slope(a.index)) += by.weight * by.residual * a.value;
    for (const auto& b : row) {
      if (b.index > a.index) break;
      const double product = by.weight * a.value * b.value;
      if (!own) {
        eq.shared(a.index, b.index) += product;
      } else if (b.index < globals) {
        cell.shared(a.index - globals, b.index) += product;
      } else {
        cell.own(a.index - globals, b.index - globals) += product;
      }
    }
  }
}

Equations assemble(const Problem& problem, const std::vector<LawPoint>& points, double spread) {
  const auto globals = static_cast<Eigen::Index>(problem.global.size());
  Equations eq{MatrixXd::Zero(globals, globals), VectorXd::Zero(globals), {}};
  for (const auto& cell : problem.cells) {
    const auto n = static_cast<Eigen::Index>(cell.size());
    eq.cells.push_back({MatrixXd::Zero(n, n), MatrixXd::Zero(n, globals), VectorXd::Zero(n)});
  }
  std::vector<Derivative> derivatives;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double residual = problem.rows[i].log_time - points[i].log_time;
    const double weight =
        std::min(1.0, kHuber * spread / std::max(std::abs(residual), 1e-12)) / (spread * spread);
    gather(problem.rows[i], points[i].slope, globals, derivatives);
    add_row(eq, eq.cells[problem.rows[i].cell], derivatives, {residual, weight});
  }
  add_prior(problem.global, eq.shared, eq.slope);
  for (std::size_t c = 0; c < problem.cells.size(); ++c) {
    add_prior(problem.cells[c], eq.cells[c].own, eq.cells[c].slope);
  }
  return eq;
}

Step solve_equations(const Equations& eq, double damping) {
  MatrixXd shared = eq.shared;
  shared.diagonal() *= 1 + damping;
  VectorXd slope = eq.slope;
  std::vector<Eigen::LLT<MatrixXd>> factors;
  for (const auto& cell : eq.cells) {
    MatrixXd own = cell.own;
    own.diagonal() *= 1 + damping;
    factors.emplace_back(own);
    const MatrixXd half = factors.back().solve(cell.shared);
    shared.triangularView<Eigen::Lower>() -= cell.shared.transpose() * half;
    slope -= half.transpose() * cell.slope;
  }
  Step step;
  step.shared = shared.selfadjointView<Eigen::Lower>().llt().solve(slope);
  for (std::size_t c = 0; c < eq.cells.size(); ++c) {
    step.cells.emplace_back(factors[c].solve(eq.cells[c].slope - eq.cells[c].shared * step.shared));
  }
  return step;
}

void move(Problem& problem, const Step& step, double sign) {
  for (std::size_t i = 0; i < problem.global.size(); ++i)
    *problem.global[i].value += sign * step.shared(static_cast<Eigen::Index>(i));
  for (std::size_t c = 0; c < problem.cells.size(); ++c) {
    for (std::size_t i = 0; i < problem.cells[c].size(); ++i) {
      *problem.cells[c][i].value += sign * step.cells[c](static_cast<Eigen::Index>(i));
    }
  }
}

}  // namespace

double solve(Problem& problem) {
  constexpr double kMostDamping = 1e8;
  auto points = evaluate_all(problem);
  double damping = 1e-3;
  for (int n = 0; n < kMostSteps; ++n) {
    const double spread = spread_of(problem, points);
    const double before = objective(problem, points, spread);
    const Equations equations = assemble(problem, points, spread);
    double after = before;
    for (; damping < kMostDamping; damping *= 5) {
      const Step step = solve_equations(equations, damping);
      move(problem, step, 1);
      auto moved = evaluate_all(problem);
      after = objective(problem, moved, spread);
      if (after <= before) {
        points = std::move(moved);
        break;
      }
      move(problem, step, -1);
    }
    if (damping >= kMostDamping || before - after < kEnough * before) break;
    damping = std::max(damping / 5, 1e-6);
  }
  return spread_of(problem, points);
}

}  // namespace sextant::scaling
