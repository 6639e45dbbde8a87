// What a job will get done under failures like the recorded ones: a replay, with an interval, and the time
// between checkpoints that would have been best.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sextant/failures/replay.h"

namespace sextant::failures {

// How much the rate of failures of a cluster changes from one half of its log to the other: the root mean
// square of the logarithm of their ratio. Logs of more than one node with at least `fewest` failures count.
double rate_drift(std::span<const FailureLog> logs, std::size_t fewest = 100);

struct ForecastOptions {
  // rate_drift() of the recorded systems of docs/models/failures.md.
  double drift = 1.1;
  std::int64_t draws = 200;      // of a job's nodes
  std::int64_t resamples = 200;  // of the log, for the interval
};

struct Forecast {
  double goodput = 0;  // of a replay of the log
  double low = 0;      // 90 % interval: the log resampled in blocks, at rates that drift
  double high = 0;
};

// Jobs of one size, drawn once: what is asked of them is compared on the same failures.
class JobForecaster {
 public:
  JobForecaster(const FailureLog& log, const JobOnNodes& job, const Rng& rng, ForecastOptions options = {});

  [[nodiscard]] Forecast at(Seconds every) const;
  // The time between checkpoints with the most goodput in the replay, on a grid around Young's.
  [[nodiscard]] Seconds best_interval() const;
  [[nodiscard]] double replayed(Seconds every) const;

 private:
  InterruptionCosts costs_;
  Seconds young_;
  std::vector<Interruptions> jobs_;
  std::vector<Interruptions> resampled_;
};

}  // namespace sextant::failures
