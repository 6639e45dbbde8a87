#include "sextant/stats/matrix.h"

#include <algorithm>
#include <string>

#include "sextant/core/error.h"

namespace sextant::stats {
namespace {
void check_index(std::size_t index, std::size_t count, const std::string& kind) {
  if (index < count) return;
  throw InputError({}, "matrix has no " + kind + " " + std::to_string(index) + " (counted from 0)",
                   "it has " + std::to_string(count));
}
}  // namespace

Matrix::Matrix(std::size_t rows, std::size_t columns, double value)
    : rows_(rows), columns_(columns), values_(rows * columns, value) {}

Matrix Matrix::from_rows(std::initializer_list<std::vector<double>> rows) {
  return from_rows(std::span<const std::vector<double>>(rows.begin(), rows.size()));
}

Matrix Matrix::from_rows(std::span<const std::vector<double>> rows) {
  Matrix m(rows.size(), rows.empty() ? 0 : rows.front().size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].size() != m.columns_) {
      throw InputError({},
                       "matrix row " + std::to_string(i + 1) + " has " + std::to_string(rows[i].size()) +
                           " values, row 1 has " + std::to_string(m.columns_),
                       "every row needs the same number of values");
    }
    std::ranges::copy(rows[i], m.values_.begin() + static_cast<std::ptrdiff_t>(i * m.columns_));
  }
  return m;
}

std::vector<double> Matrix::column(std::size_t column) const {
  check_index(column, columns_, "column");
  std::vector<double> out(rows_);
  for (std::size_t i = 0; i < rows_; ++i) out[i] = (*this)(i, column);
  return out;
}

Matrix Matrix::select_columns(std::span<const std::size_t> keep) const {
  for (const std::size_t j : keep) check_index(j, columns_, "column");
  Matrix out(rows_, keep.size());
  for (std::size_t i = 0; i < rows_; ++i) {
    for (std::size_t j = 0; j < keep.size(); ++j) out(i, j) = (*this)(i, keep[j]);
  }
  return out;
}

Matrix Matrix::select_rows(std::span<const std::size_t> keep) const {
  for (const std::size_t i : keep) check_index(i, rows_, "row");
  Matrix out(keep.size(), columns_);
  for (std::size_t i = 0; i < keep.size(); ++i) {
    for (std::size_t j = 0; j < columns_; ++j) out(i, j) = (*this)(keep[i], j);
  }
  return out;
}

Matrix with_ones(const Matrix& x) {
  Matrix out(x.rows(), x.columns() + 1, 1.0);
  for (std::size_t i = 0; i < x.rows(); ++i) {
    for (std::size_t j = 0; j < x.columns(); ++j) out(i, j + 1) = x(i, j);
  }
  return out;
}

}  // namespace sextant::stats
