// LinearProgram on CLP, and on CBC where columns are integers.
#include <CbcModel.hpp>
#include <ClpSimplex.hpp>
#include <OsiClpSolverInterface.hpp>
#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "pending_program.h"

namespace sextant {
namespace {

constexpr double kTolerance = 1e-9;  // of rows and of reduced costs; CLP's own is 1e-7

double coin_bound(double bound) {
  return std::clamp(bound, -COIN_DBL_MAX, COIN_DBL_MAX);
}

void to_coin(std::vector<double>& bounds) {
  for (double& bound : bounds) bound = coin_bound(bound);
}

SolveStatus status_of(const ClpSimplex& model) {
  if (model.isProvenOptimal()) return SolveStatus::optimal;
  if (model.isProvenPrimalInfeasible()) return SolveStatus::infeasible;
  if (model.isProvenDualInfeasible()) return SolveStatus::unbounded;
  return SolveStatus::limit;
}

}  // namespace

struct LinearProgram::Impl {
  explicit Impl(Sense sense) {
    model.setLogLevel(0);
    model.setPrimalTolerance(kTolerance);
    model.setDualTolerance(kTolerance);
    model.setOptimizationDirection(sense == Sense::maximise ? -1 : 1);
  }

  void flush() {
    if (pending.empty()) return;
    to_coin(pending.row_low);
    to_coin(pending.row_high);
    to_coin(pending.column_low);
    to_coin(pending.column_high);
    if (!pending.row_low.empty()) {
      const ColumnBatch rows = pending.rows_in_old_columns();
      model.addRows(static_cast<int>(pending.row_low.size()), pending.row_low.data(), pending.row_high.data(),
                    rows.starts.data(), rows.rows.data(), rows.values.data());
    }
    if (!pending.column_low.empty()) {
      const ColumnBatch columns = pending.new_columns();
      model.addColumns(static_cast<int>(pending.column_low.size()), pending.column_low.data(),
                       pending.column_high.data(), pending.objective.data(), columns.starts.data(),
                       columns.rows.data(), columns.values.data());
    }
    if (solved && !pending.column_low.empty()) dual_feasible = false;
    pending.told();
  }

  Solution solve_linear() {
    // New columns and objectives leave the last basis primal feasible, new rows and bounds dual feasible.
    if (dual_feasible) {
      model.dual(0);
    } else {
      model.primal(0);
    }
    dual_feasible = true;
    solved = true;
    Solution out;
    out.status = status_of(model);
    out.iterations = static_cast<std::size_t>(std::max(0, model.getIterationCount()));
    if (out.status != SolveStatus::optimal) return out;
    out.objective = model.getObjValue();
    const double* values = model.getColSolution();
    out.columns.assign(values, values + model.getNumCols());
    const double* duals = model.getRowPrice();
    out.duals.assign(duals, duals + model.getNumRows());
    return out;
  }

  Solution solve_integer() {
    OsiClpSolverInterface solver(&model);
    solver.setHintParam(OsiDoReducePrint, true, OsiHintTry);
    solver.messageHandler()->setLogLevel(0);
    for (const int column : integers) solver.setInteger(column);
    CbcModel search(solver);
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
    if (out.status != SolveStatus::optimal) return out;
    const double* values = search.bestSolution();
    out.columns.assign(values, values + model.getNumCols());
    for (const int column : integers) {
      double& value = out.columns[static_cast<std::size_t>(column)];
      value = std::round(value);
    }
    const double* cost = model.objective();
    for (std::size_t i = 0; i < out.columns.size(); ++i) out.objective += cost[i] * out.columns[i];
    return out;
  }

  ClpSimplex model;
  PendingProgram pending;
  std::vector<int> integers;
  bool solved = false;
  bool dual_feasible = true;  // the last basis
};

LinearProgram::LinearProgram(Sense sense) : impl_(std::make_unique<Impl>(sense)) {}
LinearProgram::~LinearProgram() = default;
LinearProgram::LinearProgram(LinearProgram&&) noexcept = default;
LinearProgram& LinearProgram::operator=(LinearProgram&&) noexcept = default;

std::size_t LinearProgram::add_row(double low, double high, std::span<const LinearTerm> columns) {
  return impl_->pending.add_row(low, high, columns);
}

std::size_t LinearProgram::add_column(double objective, double low, double high,
                                      std::span<const LinearTerm> rows) {
  return impl_->pending.add_column(objective, low, high, rows);
}

void LinearProgram::set_integer(std::size_t column) {
  if (column >= columns()) throw std::logic_error("no such column");
  impl_->integers.push_back(static_cast<int>(column));
}

void LinearProgram::set_objective(std::size_t column, double value) {
  if (column >= columns()) throw std::logic_error("no such column");
  impl_->flush();
  impl_->model.setObjectiveCoefficient(static_cast<int>(column), value);
  impl_->dual_feasible = !impl_->solved;
}

void LinearProgram::set_row_bounds(std::size_t row, double low, double high) {
  if (row >= rows()) throw std::logic_error("no such row");
  impl_->flush();
  impl_->model.setRowBounds(static_cast<int>(row), coin_bound(low), coin_bound(high));
}

void LinearProgram::set_column_bounds(std::size_t column, double low, double high) {
  if (column >= columns()) throw std::logic_error("no such column");
  impl_->flush();
  impl_->model.setColumnBounds(static_cast<int>(column), coin_bound(low), coin_bound(high));
}

std::size_t LinearProgram::rows() const {
  return impl_->pending.rows();
}

std::size_t LinearProgram::columns() const {
  return impl_->pending.columns();
}

Solution LinearProgram::solve() {
  impl_->flush();
  return impl_->integers.empty() ? impl_->solve_linear() : impl_->solve_integer();
}

std::string solver_name() {
  return std::string("clp ") + CLP_VERSION;
}

}  // namespace sextant
