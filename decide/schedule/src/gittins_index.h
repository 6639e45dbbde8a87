// The Gittins index of a job by the sizes of others: the best chance, per second spent, that it ends soon.
// G(a) = max over d of P(S - a <= d | S > a) / E[min(S - a, d) | S > a]; larger goes first. Gittins 1979;
// Aalto, Ayesta and Righter 2009.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace sextant::schedule {

// Sizes ascend. 0 where none is above what the job has had: nothing says that it will end.
double gittins_index(std::span<const double> sizes, double attained);

// The index over a grid of attained service, from the sizes of jobs that have ended.
class GittinsTable {
 public:
  GittinsTable();

  void add(double size) { fresh_.push_back(size); }
  void refresh();  // takes in what was added

  // At the last point of the grid that was reached, so that a rank holds until the next.
  [[nodiscard]] double index(double attained) const;
  // Infinite behind the last point.
  [[nodiscard]] double next_point(double attained) const;

 private:
  [[nodiscard]] std::size_t point(double attained) const;

  std::vector<double> sizes_;  // ascending
  std::vector<double> fresh_;
  std::vector<double> grid_;
  std::vector<double> index_;  // at the points of the grid; 0 before anything has ended
};

}  // namespace sextant::schedule
