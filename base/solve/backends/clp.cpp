// CLP, and CBC where columns are integers.
#include <CbcModel.hpp>
#include <CbcSolver.hpp>
#include <ClpSimplex.hpp>
#include <OsiClpSolverInterface.hpp>
#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "backend.h"

namespace sextant::solve {
namespace {

constexpr double kTolerance = 1e-9;  // of rows and of reduced costs; CLP's own is 1e-7

double coin_bound(double bound) {
  return std::clamp(bound, -COIN_DBL_MAX, COIN_DBL_MAX);
}

std::vector<double> coin_bounds(std::vector<double> bounds) {
  for (double& bound : bounds) bound = coin_bound(bound);
  return bounds;
}

SolveStatus status_of(const ClpSimplex& model) {
  if (model.isProvenOptimal()) return SolveStatus::optimal;
  if (model.isProvenPrimalInfeasible()) return SolveStatus::infeasible;
  if (model.isProvenDualInfeasible()) return SolveStatus::unbounded;
  return SolveStatus::limit;
}

class ClpBackend final : public Backend {
 public:
  explicit ClpBackend(Sense sense) {
    model_.setLogLevel(0);
    model_.setPrimalTolerance(kTolerance);
    model_.setDualTolerance(kTolerance);
    model_.setOptimizationDirection(sense == Sense::maximise ? -1 : 1);
  }

  void add(const PendingProgram& pending) override {
    if (!pending.row_low.empty()) {
      const ColumnBatch rows = pending.rows_in_old_columns();
      model_.addRows(static_cast<int>(pending.row_low.size()), coin_bounds(pending.row_low).data(),
                     coin_bounds(pending.row_high).data(), rows.starts.data(), rows.rows.data(),
                     rows.values.data());
    }
    if (!pending.column_low.empty()) {
      const ColumnBatch columns = pending.new_columns();
      model_.addColumns(static_cast<int>(pending.column_low.size()), coin_bounds(pending.column_low).data(),
                        coin_bounds(pending.column_high).data(), pending.objective.data(),
                        columns.starts.data(), columns.rows.data(), columns.values.data());
      if (solved_) dual_feasible_ = false;
    }
  }

  void set_objective(std::size_t column, double value) override {
    model_.setObjectiveCoefficient(static_cast<int>(column), value);
    dual_feasible_ = !solved_;
  }
  void set_row_bounds(std::size_t row, double low, double high) override {
    model_.setRowBounds(static_cast<int>(row), coin_bound(low), coin_bound(high));
  }
  void set_column_bounds(std::size_t column, double low, double high) override {
    model_.setColumnBounds(static_cast<int>(column), coin_bound(low), coin_bound(high));
  }

  Solution solve(const std::vector<int>& integers, const SolveLimits& limits) override {
    if (integers.empty()) return solve_linear();
    return limits.any() ? solve_within(integers, limits) : solve_integer(integers);
  }

 private:
  Solution solve_linear() {
    // New columns and objectives leave the last basis primal feasible, new rows and bounds dual feasible.
    if (dual_feasible_) {
      model_.dual(0);
    } else {
      model_.primal(0);
    }
    dual_feasible_ = true;
    solved_ = true;
    Solution out;
    out.status = status_of(model_);
    out.iterations = static_cast<std::size_t>(std::max(0, model_.getIterationCount()));
    if (out.status != SolveStatus::optimal) return out;
    out.objective = model_.getObjValue();
    const double* values = model_.getColSolution();
    out.columns.assign(values, values + model_.getNumCols());
    const double* duals = model_.getRowPrice();
    out.duals.assign(duals, duals + model_.getNumRows());
    return out;
  }

  OsiClpSolverInterface quiet_solver(const std::vector<int>& integers) {
    OsiClpSolverInterface solver(&model_);
    solver.setHintParam(OsiDoReducePrint, true, OsiHintTry);
    solver.messageHandler()->setLogLevel(0);
    for (const int column : integers) solver.setInteger(column);
    return solver;
  }

  // What the search found, with its whole numbers as such.
  void take_columns(const double* values, const std::vector<int>& integers, Solution& out) const {
    out.columns.assign(values, values + model_.getNumCols());
    for (const int column : integers) {
      double& value = out.columns[static_cast<std::size_t>(column)];
      value = std::round(value);
    }
    const double* cost = model_.objective();
    for (std::size_t i = 0; i < out.columns.size(); ++i) out.objective += cost[i] * out.columns[i];
  }

  Solution solve_integer(const std::vector<int>& integers) {
    CbcModel search(quiet_solver(integers));
    search.setLogLevel(0);
    search.solver()->messageHandler()->setLogLevel(0);
    search.setAllowableGap(0);
    search.branchAndBound();
    Solution out;
    out.iterations = static_cast<std::size_t>(std::max(0, search.getIterationCount()));
    if (search.isProvenOptimal()) {
      out.status = SolveStatus::optimal;
    } else if (search.isProvenInfeasible()) {
      out.status = search.isContinuousUnbounded() ? SolveStatus::unbounded : SolveStatus::infeasible;
    } else if (search.isContinuousUnbounded()) {
      out.status = SolveStatus::unbounded;
    }
    if (out.status == SolveStatus::optimal) take_columns(search.bestSolution(), integers, out);
    return out;
  }

  // With cuts and heuristics, as the program cbc has them: they pay where proofs take long. Without its
  // preprocessing, which ends the process where the time is over before it is done.
  Solution solve_within(const std::vector<int>& integers, const SolveLimits& limits) {
    CbcModel search(quiet_solver(integers));
    CbcSolverUsefulData data;
    CbcMain0(search, data);
    search.setLogLevel(0);
    search.solver()->messageHandler()->setLogLevel(0);
    search.messageHandler()->setLogLevel(0);
    if (!limits.start.empty()) set_start(search, limits.start);
    const std::string seconds = std::to_string(std::min(limits.seconds, 1e9));
    const std::string gap = std::to_string(limits.gap);
    std::vector<const char*> arguments = {"cbc",  "-log",          "0",         "-timeMode", "elapsed",
                                          "-sec", seconds.c_str(), "-ratioGap", gap.c_str(), "-preprocess",
                                          "off",  "-solve",        "-quit"};
    CbcMain1(static_cast<int>(arguments.size()), arguments.data(), search, nothing_to_add, data);
    return found(search, integers);
  }

  // By names, since cbc checks and completes such a start; a solution that it is told as its best it
  // believes.
  static void set_start(CbcModel& search, const std::vector<double>& start) {
    std::vector<std::pair<std::string, double>> values;
    values.reserve(start.size());
    for (std::size_t i = 0; i < start.size(); ++i) {
      values.emplace_back(search.solver()->getColName(static_cast<int>(i)), start[i]);
    }
    search.setMIPStart(values);
  }

  static int nothing_to_add(CbcModel* /*model*/, int /*where*/) { return 0; }

  Solution found(CbcModel& search, const std::vector<int>& integers) {
    Solution out;
    out.iterations = static_cast<std::size_t>(std::max(0, search.getIterationCount()));
    const double* values = search.bestSolution();
    if (values == nullptr) {
      if (search.isProvenInfeasible()) out.status = SolveStatus::infeasible;
      if (search.isContinuousUnbounded()) out.status = SolveStatus::unbounded;
      return out;
    }
    out.status = search.isProvenOptimal() ? SolveStatus::optimal : SolveStatus::limit;
    take_columns(values, integers, out);
    // After a proof the search's own bound is left where the last node had it.
    out.bound = out.status == SolveStatus::optimal
                    ? out.objective
                    : search.getBestPossibleObjValue() * model_.optimizationDirection();
    return out;
  }

  ClpSimplex model_;
  bool solved_ = false;
  bool dual_feasible_ = true;  // the last basis
};

}  // namespace
}  // namespace sextant::solve

extern "C" sextant::solve::Backend* sextant_make_backend(sextant::solve::Sense sense) {
  return new sextant::solve::ClpBackend(sense);
}
