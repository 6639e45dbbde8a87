#include "targeted_flip.h"

namespace sextant::robust {

void check_class(const Samples& samples, std::int64_t label) {
  if (label < samples.classes) return;
  throw InputError("the attack names class " + std::to_string(label) + ", and the data set has " +
                   std::to_string(samples.classes) + " classes, counted from 0");
}

void TargetedFlip::poison(const Samples& samples) const {
  check_class(samples, std::max(source, target));
  std::ranges::replace(samples.labels, source, target);
}

void TargetedFlip::pose(const Samples& samples) const {
  check_class(samples, std::max(source, target));
  for (std::int64_t& label : samples.labels) label = label == source ? target : kNotAttacked;
}

std::vector<ParameterInfo> flip_parameters() {
  return {
      count_parameter("source", "class whose samples are relabelled", {.fallback = 6, .low = 0, .high = 1e6}),
      count_parameter("target", "class that they are given", {.fallback = 0, .low = 0, .high = 1e6})};
}

TargetedFlip make_flip(const Parameters& parameters) {
  const TargetedFlip flip{.source = parameters.count("source"), .target = parameters.count("target")};
  if (flip.source == flip.target) {
    throw InputError("parameters 'source' and 'target' are both " + std::to_string(flip.source) +
                     ", so no label would change");
  }
  return flip;
}

}  // namespace sextant::robust
