// Time of a subject relative to a baseline, both run in turn in the same process so that the machine's
// speed cancels out; the median over the iterations is printed as the counter "ratio".
#pragma once

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <vector>

namespace sextant::bench {

template <typename Work>
double seconds_of(Work&& work) {
  const auto start = std::chrono::steady_clock::now();
  benchmark::DoNotOptimize(work());
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// Register with UseManualTime(): the reported time is the subject's alone.
template <typename Subject, typename Baseline>
void report_ratio(benchmark::State& state, Subject subject, Baseline baseline) {
  std::vector<double> ratios;
  for ([[maybe_unused]] auto iteration : state) {
    const double reference = seconds_of(baseline);
    const double measured = seconds_of(subject);
    state.SetIterationTime(measured);
    ratios.push_back(measured / reference);
  }
  std::ranges::nth_element(ratios, ratios.begin() + std::ssize(ratios) / 2);
  state.counters["ratio"] = ratios[ratios.size() / 2];
}

}  // namespace sextant::bench
