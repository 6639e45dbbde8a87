// Rows, columns and elements that were added since the solver was last told: solvers take them in one batch
// far faster than one by one.
#pragma once

#include <span>
#include <vector>

#include "sextant/solve/linear_program.h"

namespace sextant::solve {

// New columns as compressed sparse columns, which is how solvers take them.
struct ColumnBatch {
  std::vector<int> starts = {};  // one more than columns
  std::vector<int> rows = {};
  std::vector<double> values = {};
};

class PendingProgram {
 public:
  std::size_t add_row(double low, double high, std::span<const LinearTerm> columns);
  std::size_t add_column(double objective, double low, double high, std::span<const LinearTerm> rows);

  [[nodiscard]] std::size_t rows() const { return told_rows_ + row_low.size(); }
  [[nodiscard]] std::size_t columns() const { return told_columns_ + column_low.size(); }
  [[nodiscard]] std::size_t told_rows() const { return told_rows_; }
  [[nodiscard]] std::size_t told_columns() const { return told_columns_; }
  [[nodiscard]] bool empty() const { return row_low.empty() && column_low.empty(); }

  // Elements of the new rows in columns that the solver knows, by row.
  [[nodiscard]] ColumnBatch rows_in_old_columns() const;
  [[nodiscard]] ColumnBatch new_columns() const;
  void told();

  std::vector<double> row_low = {};
  std::vector<double> row_high = {};
  std::vector<double> objective = {};
  std::vector<double> column_low = {};
  std::vector<double> column_high = {};

 private:
  struct Element {
    std::size_t row = 0;
    std::size_t column = 0;
    double value = 0;
  };
  std::size_t told_rows_ = 0;
  std::size_t told_columns_ = 0;
  std::vector<Element> elements_;
};

}  // namespace sextant::solve
