#include "sextant/solve/linear_program.h"

#include <stdexcept>

#include "backend.h"

namespace sextant::solve {

struct LinearProgram::Impl {
  Impl(Sense sense, Solver solver) : backend(make_backend(sense, solver)) {}

  void flush() {
    if (pending.empty()) return;
    backend->add(pending);
    pending.told();
  }

  std::unique_ptr<Backend> backend;
  PendingProgram pending;
  std::vector<int> integers;
};

LinearProgram::LinearProgram(Sense sense, Solver solver) : impl_(std::make_unique<Impl>(sense, solver)) {}
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
  impl_->backend->set_objective(column, value);
}

void LinearProgram::set_row_bounds(std::size_t row, double low, double high) {
  if (row >= rows()) throw std::logic_error("no such row");
  impl_->flush();
  impl_->backend->set_row_bounds(row, low, high);
}

void LinearProgram::set_column_bounds(std::size_t column, double low, double high) {
  if (column >= columns()) throw std::logic_error("no such column");
  impl_->flush();
  impl_->backend->set_column_bounds(column, low, high);
}

std::size_t LinearProgram::rows() const {
  return impl_->pending.rows();
}

std::size_t LinearProgram::columns() const {
  return impl_->pending.columns();
}

Solution LinearProgram::solve(const SolveLimits& limits) {
  if (!limits.start.empty() && limits.start.size() != columns())
    throw std::logic_error("a start has other columns");
  impl_->flush();
  return impl_->backend->solve(impl_->integers, limits);
}

}  // namespace sextant::solve
