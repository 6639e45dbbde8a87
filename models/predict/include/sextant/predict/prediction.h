// The answer of every predictor: a time with an interval, where the time goes, and what it needs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sextant/core/units.h"
#include "sextant/predict/memory.h"

namespace sextant::predict {

struct TimeInterval {
  Seconds low;
  std::optional<Seconds> high;  // none: the model only bounds from below
};

// Of a step that takes at least this: a lower end below the bound would contradict it.
inline TimeInterval from_below(Seconds bound) {
  return {.low = bound, .high = std::nullopt};
}

struct Breakdown {
  Seconds compute;
  Seconds communication;
  Seconds input;
  Seconds overhead;

  [[nodiscard]] Seconds total() const { return compute + communication + input + overhead; }
};

// What of the user's own timings an answer rests on, from nothing to the most.
enum class Evidence {
  none,     // no timings
  carried,  // timings on other devices, as far as they tell of the software
  device,   // timings on this device
  timed,    // timings of this very case
};

struct Prediction {
  Seconds iteration;
  TimeInterval interval;
  Breakdown breakdown;
  MemoryNeed memory;
  bool fits = true;
  bool extrapolating = false;  // outside the range that the model was fitted on
  Evidence evidence = Evidence::none;
  std::string model;
  std::string strategy = {};  // of a step on several devices: "pipeline:micro=8"; empty on one
  std::string degrees = {};   // how it uses the devices, for people: "data 8 x filter 4"
  std::vector<std::string> warnings;
  std::vector<std::string> outside = {};  // why it is outside of what the model was fitted on
  std::vector<std::string> notes = {};    // what people should know who read the time
};

}  // namespace sextant::predict
