// What models see of a configuration: features on a common scale. Positive ones count by ratios; a count
// times a positive feature of something else is a total (memory of a machine times machines), a feature too,
// because programs that need so much memory in all care for nothing else.
#pragma once

#include <span>
#include <vector>

#include "gp.h"
#include "sextant/explore/space.h"

namespace sextant::explore {

enum class Totals { added, none };

class FeatureMap {
 public:
  // Ranges come from `sample`, which should cover the space. Features that do not vary in it are left out.
  FeatureMap(const SearchSpace& space, std::span<const Configuration> sample, Totals totals = Totals::added);

  // A column per configuration; numbers in [0, 1] within the sample, two levels without features 1 apart.
  [[nodiscard]] GpPoints points(std::span<const Configuration> configurations) const;
  [[nodiscard]] Eigen::Index rows() const { return static_cast<Eigen::Index>(rows_.size()); }
  // Rows with one number share a length scale: the dummies of one factor.
  [[nodiscard]] Eigen::Index group(Eigen::Index row) const {
    return rows_[static_cast<std::size_t>(row)].group;
  }
  [[nodiscard]] Eigen::Index groups() const { return groups_; }
  // Rows of numbers, where a threshold makes sense.
  [[nodiscard]] const std::vector<Eigen::Index>& numeric_rows() const { return numeric_; }
  // Of these, amounts of something: positive, and not a real factor's own number. Little of them is a small
  // configuration, much a large one.
  [[nodiscard]] const std::vector<Eigen::Index>& amounts() const { return amounts_; }

 private:
  struct Row {
    std::size_t column = 0;
    std::optional<std::size_t> times = {};  // a total: product with this column
    bool log = false;
    double low = 0;
    double width = 1;
    Eigen::Index group = 0;
  };
  void add_numeric(Row row, const stats::Matrix& sample, bool amount);
  void add_totals(const std::vector<std::size_t>& amounts, const stats::Matrix& sample);
  void add_dummies(const SearchSpace& space, const stats::Matrix& sample);
  static double value(const Row& row, std::span<const double> features);

  const SearchSpace* space_;
  std::vector<Row> rows_;
  std::vector<Eigen::Index> numeric_;
  std::vector<Eigen::Index> amounts_;
  Eigen::Index groups_ = 0;
};

}  // namespace sextant::explore
