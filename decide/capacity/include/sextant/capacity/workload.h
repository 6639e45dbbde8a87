// What an online run is given: machines that may be rented, nodes, and a stream of jobs with due dates, each
// with the time that it takes in every way to run it. From tables (workload_files.h) or drawn
// (workload_draws.h).
#pragma once

#include <string>
#include <vector>

#include "sextant/capacity/snapshot.h"

namespace sextant::capacity {

struct WorkloadJob {
  std::string id;
  Seconds submit{};
  Seconds due{std::numeric_limits<double>::infinity()};
  DollarRate tardiness{};
  double priority = 0;
  std::vector<JobOption> options = {};   // with the time of the whole job; sorted by type, then GPUs
  std::vector<std::int32_t> nodes = {};  // may run only there; empty: anywhere
};

struct Workload {
  std::string name;  // of the instance
  std::vector<MachineType> types = {};
  std::vector<NodeState> nodes = {};   // as they are before the first job comes
  std::vector<WorkloadJob> jobs = {};  // in the order of submission
};

}  // namespace sextant::capacity
