// Many online runs: workloads x seeds x methods, on all cores. All methods of a workload and seed see the
// same errors and faults, so that they are compared in pairs. Results stand in the order of the product,
// whatever the number of threads.
#pragma once

#include <cstdint>
#include <vector>

#include "sextant/capacity/online.h"
#include "sextant/core/run_list.h"

namespace sextant::capacity {

struct OnlineSweepPlan {
  std::vector<Workload> workloads = {};
  std::vector<MethodChoice> methods = {};
  OnlineOptions run = {};  // method, seed and what gives it up come from here
  std::uint64_t first_seed = 0;
  std::int64_t seeds = 1;
  std::size_t threads = 0;  // 0: all cores
  RunStop stop = {};
};

struct OnlineSweepRun {
  std::size_t workload = 0;  // in the plan, as the one below
  std::size_t method = 0;
  std::uint64_t seed = 0;
  bool done = false;  // false: the sweep was stopped before
  OnlineResult result = {};
};

// The first error in the order of the product is thrown when all runs have ended.
std::vector<OnlineSweepRun> sweep_online(const OnlineSweepPlan& plan, Progress& progress);

}  // namespace sextant::capacity
