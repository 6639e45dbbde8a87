// A dense table of doubles, row by row: the form in which data reach the statistics and leave them.
// It stores and indexes; the linear algebra stays inside the library.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <span>
#include <vector>

namespace sextant::stats {

class Matrix {
 public:
  Matrix() = default;
  Matrix(std::size_t rows, std::size_t columns, double value = 0);
  // Rows of unequal length are an InputError.
  static Matrix from_rows(std::initializer_list<std::vector<double>> rows);
  static Matrix from_rows(std::span<const std::vector<double>> rows);

  [[nodiscard]] std::size_t rows() const { return rows_; }
  [[nodiscard]] std::size_t columns() const { return columns_; }
  double& operator()(std::size_t row, std::size_t column) { return values_[row * columns_ + column]; }
  double operator()(std::size_t row, std::size_t column) const { return values_[row * columns_ + column]; }
  [[nodiscard]] std::span<const double> row(std::size_t row) const {
    return {values_.data() + row * columns_, columns_};
  }
  [[nodiscard]] std::vector<double> column(std::size_t column) const;
  [[nodiscard]] const double* data() const { return values_.data(); }

  // The columns named by `keep`, in that order; an index out of range is an InputError.
  [[nodiscard]] Matrix select_columns(std::span<const std::size_t> keep) const;
  [[nodiscard]] Matrix select_rows(std::span<const std::size_t> keep) const;

  bool operator==(const Matrix&) const = default;

 private:
  std::size_t rows_ = 0;
  std::size_t columns_ = 0;
  std::vector<double> values_;
};

// A column of ones in front, for models whose constant is a term like the others (NNLS).
Matrix with_ones(const Matrix& x);

}  // namespace sextant::stats
