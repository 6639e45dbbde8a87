// M/G/1 with classes of priority: the server always takes the most urgent job that waits, and never
// interrupts one. Cobham (1954): W_k = W0 / ((1 - s_{k-1}) (1 - s_k)), s_k the utilisation by classes 1..k.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sextant/core/csv.h"
#include "sextant/queueing/open_queue.h"

namespace sextant::queueing {

struct PriorityClass {
  std::string name;
  Hertz arrival_rate;
  Seconds service_time;
  double service_scv = 1;
};

struct PriorityClassResult {
  PriorityClass job;
  bool stable = true;
  double utilisation = 0;  // by this class alone
  double in_system = 0;
  double in_queue = 0;
  Seconds response;  // infinite when not stable
  Seconds waiting;
};

struct PriorityResult {
  std::vector<PriorityClassResult> classes;  // most urgent first
  bool stable = true;
  double utilisation = 0;
  std::optional<std::int64_t> stable_servers = {};
  Seconds response;  // means over all jobs
  Seconds waiting;
};

// The first class is the most urgent. Under overload the classes that still keep up have finite times: the
// first class that does not takes what they leave, and those below it are never served.
// InputError for no class, and for rates, times and scvs as in open_queue.h.
PriorityResult priority_mg1(const std::vector<PriorityClass>& classes);

// A row per class, most urgent first: columns class, arrival_per_s, service_s and, if there, service_scv.
std::vector<PriorityClass> priority_classes(const CsvTable& table);

}  // namespace sextant::queueing
