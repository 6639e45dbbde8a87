// Instances for tests: two small ones whose optima are known, and random ones.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "sextant/capacity/method.h"

namespace sextant::capacity {

// Two jobs, one node, machines A (2 K80, 1.13 USD/h) and B (2 M60, 1.24 USD/h): solved by hand. `third` adds
// a third job and machine C (1 K80, 0.56 USD/h).
struct SmallInstance {
  int nodes = 1;
  bool third = false;
  double rho = 2;
  NodeCost cost = NodeCost::makespan;
};
Snapshot small_instance(const SmallInstance& wanted);

// A few jobs, nodes and machine types, with due dates that are tight and loose, jobs that run, and jobs that
// may not run everywhere.
Snapshot random_instance(std::uint64_t seed);

std::unique_ptr<Method> method_of(std::string_view text, std::uint64_t seed = 1);

// What a whole run costs: decided again at every end, until all jobs are done.
double cost_of_run(Snapshot snapshot, std::string_view method);

}  // namespace sextant::capacity
