#include "sextant/ask/answer.h"

#include <cmath>

namespace sextant::ask {

std::int64_t Answer::step_samples() const {
  if (generation) return static_cast<std::int64_t>(generation->sequences);
  return decoder ? static_cast<std::int64_t>(decoder->global_batch) : job.sizes.batch * job.layout.devices();
}

double Answer::samples_per_second() const {
  return static_cast<double>(step_samples()) / prediction.iteration.value;
}

std::optional<Dollars> Answer::sample_cost() const {
  if (!price) return std::nullopt;
  return Dollars{(*price * prediction.iteration).value / static_cast<double>(step_samples())};
}

std::optional<Seconds> Answer::total_time() const {
  if (!job.duration) return std::nullopt;
  if (decoder) {
    const double samples = job.duration->epochs * static_cast<double>(job.duration->samples);
    return std::ceil(samples / decoder->global_batch) * prediction.iteration;
  }
  return static_cast<double>(step_count(job, *job.duration)) * prediction.iteration;
}

std::optional<Dollars> Answer::total_cost() const {
  const auto time = total_time();
  if (!time || !price) return std::nullopt;
  return *price * *time;
}

}  // namespace sextant::ask
