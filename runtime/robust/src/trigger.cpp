#include "trigger.h"

#include <algorithm>

#include "targeted_flip.h"

namespace sextant::robust {

void Trigger::stamp(const Samples& samples, std::size_t sample) const {
  const std::int64_t margin = samples.height > size && samples.width > size ? 1 : 0;
  const std::int64_t bottom = samples.height - margin;
  const std::int64_t right = samples.width - margin;
  const auto plane = static_cast<std::size_t>(samples.height * samples.width);
  for (std::int64_t channel = 0; channel < samples.channels; ++channel) {
    const std::size_t start =
        (sample * static_cast<std::size_t>(samples.channels) + static_cast<std::size_t>(channel)) * plane;
    for (std::int64_t y = std::max<std::int64_t>(bottom - size, 0); y < bottom; ++y) {
      for (std::int64_t x = std::max<std::int64_t>(right - size, 0); x < right; ++x) {
        samples.values[start + static_cast<std::size_t>(y * samples.width + x)] = value;
      }
    }
  }
}

void Trigger::poison(const Samples& samples, Rng& rng) const {
  check_class(samples, target);
  for (std::size_t i = 0; i < samples.labels.size(); ++i) {
    if (rng.uniform() >= poisoned) continue;
    stamp(samples, i);
    samples.labels[i] = target;
  }
}

void Trigger::pose(const Samples& samples) const {
  check_class(samples, target);
  for (std::size_t i = 0; i < samples.labels.size(); ++i) {
    if (samples.labels[i] == target) {
      samples.labels[i] = kNotAttacked;
      continue;
    }
    stamp(samples, i);
    samples.labels[i] = target;
  }
}

std::vector<ParameterInfo> trigger_parameters() {
  return {
      count_parameter("target", "class that the trigger stands for", {.fallback = 0, .low = 0, .high = 1e6}),
      count_parameter("size", "pixels along an edge of the square", {.fallback = 3, .low = 1, .high = 4096}),
      number_parameter("value", "of its pixels", {.fallback = 1, .low = -1e6, .high = 1e6}),
      share_parameter("poisoned", "of an attacker's samples that carry it",
                      {.fallback = 0.5, .low = 0, .high = 1})};
}

Trigger make_trigger(const Parameters& parameters) {
  return {.target = parameters.count("target"),
          .size = parameters.count("size"),
          .value = static_cast<float>(parameters.number("value")),
          .poisoned = parameters.share("poisoned")};
}

}  // namespace sextant::robust
