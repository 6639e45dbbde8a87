#include "sextant/ask/answer.h"

namespace sextant::ask {

double Answer::samples_per_second() const {
  return static_cast<double>(step_samples()) / prediction.iteration.value;
}

std::optional<Dollars> Answer::sample_cost() const {
  if (!price) return std::nullopt;
  return Dollars{(*price * prediction.iteration).value / static_cast<double>(step_samples())};
}

std::optional<Seconds> Answer::total_time() const {
  if (!job.duration) return std::nullopt;
  return static_cast<double>(step_count(job, *job.duration)) * prediction.iteration;
}

std::optional<Dollars> Answer::total_cost() const {
  const auto time = total_time();
  if (!time || !price) return std::nullopt;
  return *price * *time;
}

}  // namespace sextant::ask
