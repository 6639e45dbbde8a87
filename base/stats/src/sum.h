// Neumaier's compensated summation: the running error is kept beside the sum.
#pragma once

#include <cmath>
#include <span>

namespace sextant::stats {

class CompensatedSum {
 public:
  void add(double x) {
    const double next = sum_ + x;
    error_ += std::abs(sum_) >= std::abs(x) ? (sum_ - next) + x : (x - next) + sum_;
    sum_ = next;
  }
  [[nodiscard]] double value() const { return sum_ + error_; }

 private:
  double sum_ = 0;
  double error_ = 0;
};

inline double centred_square_sum(std::span<const double> values, double centre) {
  CompensatedSum squares;
  for (const double v : values) squares.add((v - centre) * (v - centre));
  return squares.value();
}

}  // namespace sextant::stats
