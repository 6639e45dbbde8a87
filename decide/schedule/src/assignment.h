// Rows to columns at least cost, every row once, no column twice: shortest augmenting paths (Jonker and
// Volgenant 1987, in the form of Crouse 2016), with ties broken as SciPy's linear_sum_assignment breaks them.
// Costs are asked for, not stored: O(rows² · columns) time, O(rows + columns) memory.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "sextant/core/infinity.h"

namespace sextant::schedule {

inline constexpr std::size_t kUnassigned = static_cast<std::size_t>(-1);

// cost(row, column) is finite; there are at least as many columns as rows.
template <class Cost>
class Assignment {
 public:
  Assignment(std::size_t rows, std::size_t columns, const Cost& cost)
      : cost_(cost),
        row_price_(rows, 0.0),
        column_price_(columns, 0.0),
        column_of_(rows, kUnassigned),
        row_of_(columns, kUnassigned),
        path_(columns, kUnassigned),
        distance_(columns),
        remaining_(columns) {}

  // The column of each row.
  std::vector<std::size_t> solve() {
    for (std::size_t row = 0; row < column_of_.size(); ++row) augment(row);
    return column_of_;
  }

 private:
  void augment(std::size_t row) {
    reached_rows_.clear();
    reached_columns_.clear();
    const auto [sink, shortest] = search(row);
    row_price_[row] += shortest;
    for (const std::size_t r : reached_rows_) {
      if (r != row) row_price_[r] += shortest - distance_[column_of_[r]];
    }
    for (const std::size_t c : reached_columns_) column_price_[c] -= shortest - distance_[c];
    std::size_t column = sink;
    while (true) {
      const std::size_t r = path_[column];
      row_of_[column] = r;
      std::swap(column_of_[r], column);
      if (r == row) return;
    }
  }

  // Dijkstra over columns from a free row to a free column: the column and its distance.
  std::pair<std::size_t, double> search(std::size_t row) {
    std::size_t left = remaining_.size();
    for (std::size_t i = 0; i < left; ++i) {
      remaining_[i] = left - i - 1;
      distance_[i] = kInfinity;
    }
    double shortest = 0;
    while (true) {
      reached_rows_.push_back(row);
      std::size_t nearest = 0;
      double lowest = kInfinity;
      for (std::size_t i = 0; i < left; ++i) {
        const std::size_t c = remaining_[i];
        const double length = shortest + cost_(row, c) - row_price_[row] - column_price_[c];
        if (length < distance_[c]) {
          path_[c] = row;
          distance_[c] = length;
        }
        // Among equals, one that ends the search.
        if (distance_[c] < lowest || (distance_[c] == lowest && row_of_[c] == kUnassigned)) {
          lowest = distance_[c];
          nearest = i;
        }
      }
      shortest = lowest;
      const std::size_t column = remaining_[nearest];
      reached_columns_.push_back(column);
      remaining_[nearest] = remaining_[--left];
      if (row_of_[column] == kUnassigned) return {column, shortest};
      row = row_of_[column];
    }
  }

  const Cost& cost_;
  std::vector<double> row_price_;
  std::vector<double> column_price_;
  std::vector<std::size_t> column_of_;
  std::vector<std::size_t> row_of_;
  std::vector<std::size_t> path_;  // row before each column
  std::vector<double> distance_;
  std::vector<std::size_t> remaining_;
  std::vector<std::size_t> reached_rows_ = {};
  std::vector<std::size_t> reached_columns_ = {};
};

template <class Cost>
std::vector<std::size_t> assign_rows(std::size_t rows, std::size_t columns, const Cost& cost) {
  return Assignment<Cost>(rows, columns, cost).solve();
}

}  // namespace sextant::schedule
