// Free GPUs of one type over the time to come, as steps: where a gang fits next, and what is left once it is
// promised a place.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "running_ends.h"

namespace sextant::schedule {

class FreeProfile {
 public:
  // What is free now, and what running jobs give back.
  void reset(double now_s, std::int64_t free, std::span<const ExpectedEnd> ends);
  // First time from now on at which `gpus` stay free for `length_s`; infinite: never.
  [[nodiscard]] double earliest(std::int64_t gpus, double length_s) const;
  void reserve(double from_s, double length_s, std::int64_t gpus);

 private:
  struct Step {
    double from_s = 0;  // to that of the next; the last has no end
    std::int64_t free = 0;
  };
  std::size_t split(double at_s);  // index of the step that begins there

  std::vector<Step> steps_;
};

}  // namespace sextant::schedule
