// How crowded a cluster is over time: GPUs asked for by the jobs in the system, waiting or running, over the
// GPUs there are, never below 1. Its mean over a job's life says what a fair share would have cost the job
// (the finish-time fairness of Themis, NSDI'20, with the crowd as it was rather than at arrival).
#pragma once

#include <cstdint>
#include <vector>

namespace sextant::simulate {

struct Presence {
  double from_s = 0;
  double to_s = 0;
  std::int32_t gpus = 0;
};

class Contention {
 public:
  // O(n log n).
  Contention(const std::vector<Presence>& jobs, std::int64_t gpus);

  // Mean of max(1, asked/GPUs) over [from, to]; its value at `from` where they are equal. O(log n).
  [[nodiscard]] double mean(double from_s, double to_s) const;

 private:
  [[nodiscard]] std::size_t step_at(double time_s) const;
  [[nodiscard]] double integral(double time_s) const;

  std::vector<double> times_;      // of changes, ascending
  std::vector<double> levels_;     // from times_[i] on
  std::vector<double> integrals_;  // up to times_[i]
};

}  // namespace sextant::simulate
