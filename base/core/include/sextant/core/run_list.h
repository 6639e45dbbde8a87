// Many runs that do not depend on each other, on all cores. Who keeps the results by the number of the run
// has the same results whatever the number of threads.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "sextant/core/progress.h"

namespace sextant {

struct RunList {
  std::size_t runs = 0;
  std::size_t threads = 0;               // 0: all cores
  std::function<bool()> stopped = {};    // true: finish the runs in hand, begin no other
  std::string note = "runs";             // what they are, for the progress
  std::function<bool(std::size_t)> run;  // false: it was given up, and with it the rest of its thread
};

// After an error no run is begun; the first one in the order of the runs is thrown when those in hand have
// ended.
void work_through(const RunList& list, Progress& progress);

}  // namespace sextant
