#include "pending_program.h"

#include <cmath>
#include <optional>
#include <stdexcept>

namespace sextant::solve {
namespace {

void check_bounds(double low, double high) {
  if (std::isnan(low) || std::isnan(high) || low > high) {
    throw std::logic_error("bounds of a linear program must be ordered numbers");
  }
}

void check_term(const LinearTerm& term, std::size_t count) {
  if (term.index >= count) throw std::logic_error("a term of a linear program names what is not there");
  if (!std::isfinite(term.value)) throw std::logic_error("a coefficient of a linear program is not finite");
}

// Counting sort into compressed form: stable, so the solver sees the order of the calls.
template <class Elements, class Major, class Minor>
ColumnBatch compress(const Elements& elements, std::size_t count, Major major, Minor minor) {
  ColumnBatch batch;
  batch.starts.assign(count + 1, 0);
  for (const auto& element : elements) {
    if (const auto at = major(element)) ++batch.starts[*at + 1];
  }
  for (std::size_t i = 0; i < count; ++i) batch.starts[i + 1] += batch.starts[i];
  batch.rows.resize(static_cast<std::size_t>(batch.starts[count]));
  batch.values.resize(batch.rows.size());
  std::vector<int> next(batch.starts.begin(), batch.starts.end() - 1);
  for (const auto& element : elements) {
    const auto at = major(element);
    if (!at) continue;
    const auto place = static_cast<std::size_t>(next[*at]++);
    batch.rows[place] = static_cast<int>(minor(element));
    batch.values[place] = element.value;
  }
  return batch;
}

}  // namespace

std::size_t PendingProgram::add_row(double low, double high, std::span<const LinearTerm> terms) {
  check_bounds(low, high);
  for (const LinearTerm& term : terms) check_term(term, columns());
  const std::size_t row = rows();
  row_low.push_back(low);
  row_high.push_back(high);
  for (const LinearTerm& term : terms) elements_.push_back({row, term.index, term.value});
  return row;
}

std::size_t PendingProgram::add_column(double cost, double low, double high,
                                       std::span<const LinearTerm> terms) {
  check_bounds(low, high);
  if (!std::isfinite(cost)) throw std::logic_error("an objective of a linear program is not finite");
  for (const LinearTerm& term : terms) check_term(term, rows());
  const std::size_t column = columns();
  objective.push_back(cost);
  column_low.push_back(low);
  column_high.push_back(high);
  for (const LinearTerm& term : terms) elements_.push_back({term.index, column, term.value});
  return column;
}

ColumnBatch PendingProgram::rows_in_old_columns() const {
  return compress(
      elements_, row_low.size(),
      [this](const Element& e) {
        return e.column < told_columns_ ? std::optional(e.row - told_rows_) : std::nullopt;
      },
      [](const Element& e) { return e.column; });
}

ColumnBatch PendingProgram::new_columns() const {
  return compress(
      elements_, column_low.size(),
      [this](const Element& e) {
        return e.column >= told_columns_ ? std::optional(e.column - told_columns_) : std::nullopt;
      },
      [](const Element& e) { return e.row; });
}

void PendingProgram::told() {
  told_rows_ = rows();
  told_columns_ = columns();
  row_low.clear();
  row_high.clear();
  objective.clear();
  column_low.clear();
  column_high.clear();
  elements_.clear();
}

}  // namespace sextant::solve
