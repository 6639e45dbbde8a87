// How the time of some work grows with its size: the exponent between a size and four times it. 1 is linear,
// 2 is quadratic.
#pragma once

#include <cmath>

#include "ratio.h"

namespace sextant::bench {

inline constexpr std::int64_t kGrowthStep = 4;

// `work(size)` gives what was made, for the compiler's eyes. The counters are the exponent and the rate at
// the larger size, which is the benchmark's argument. Register with UseManualTime().
template <typename Work>
void report_growth(benchmark::State& state, Work work) {
  const std::int64_t size = state.range(0);
  std::vector<double> exponents;
  double seconds = 0;
  for ([[maybe_unused]] auto iteration : state) {
    const double small = seconds_of([&] { return work(size / kGrowthStep); });
    seconds = seconds_of([&] { return work(size); });
    state.SetIterationTime(seconds);
    exponents.push_back(std::log(seconds / small) / std::log(static_cast<double>(kGrowthStep)));
  }
  std::ranges::nth_element(exponents, exponents.begin() + std::ssize(exponents) / 2);
  state.counters["exponent"] = exponents[exponents.size() / 2];
  state.counters["rows_per_s"] = static_cast<double>(size) / seconds;
}

}  // namespace sextant::bench
