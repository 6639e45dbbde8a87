// Many runs that do not depend on each other, on several threads. Who keeps the results by the number of the
// run has the same results whatever the number of threads.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <string>

#include "sextant/core/progress.h"

namespace sextant {

// run(0) ... run(count - 1); 0 threads: all cores. After an error no run is begun; the first one in the order
// of the runs is thrown when those in hand have ended.
void in_parallel(std::size_t count, std::size_t threads, const std::function<void(std::size_t)>& run);

// How somebody ends them before all are done.
struct RunStop {
  const std::atomic<bool>* finish = nullptr;  // set: the runs in hand are finished, no other begins
  std::function<bool()> abandon = {};         // true: those in hand are given up, too; asked by many threads

  [[nodiscard]] bool asked() const { return (finish != nullptr && *finish) || (abandon && abandon()); }
};

// Thrown by a run that is given up: nothing is left of it.
struct RunAbandoned {};

struct RunList {
  std::size_t runs = 0;
  std::size_t threads = 0;  // 0: all cores
  RunStop stop = {};
  std::string note = "runs";             // what they are, for the progress
  std::function<void(std::size_t)> run;  // after a RunAbandoned no other is begun
};

// In parallel, with progress.
void work_through(const RunList& list, Progress& progress);

}  // namespace sextant
