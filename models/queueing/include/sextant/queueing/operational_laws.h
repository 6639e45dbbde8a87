// Operational laws (Denning, Buzen 1978): what follows from counts and times alone, with no assumption about
// distributions. Give what was measured; everything that follows comes back, with the law it follows by.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sextant/core/units.h"

namespace sextant::queueing {

struct Measured {
  std::optional<Seconds> period = {};      // T, of observation
  std::optional<double> completions = {};  // C, jobs that left the system
  std::optional<Seconds> busy = {};        // B, of the device
  std::optional<double> visits = {};       // V, of one job to the device
  std::optional<Seconds> service = {};     // S, of one visit
  std::optional<Seconds> residence = {};   // R, of one job in the system
  std::optional<double> users = {};        // N, in the system or, with a think time, in the loop
  std::optional<Seconds> think = {};       // Z
};

struct Derived {
  std::string quantity;  // "throughput"
  double value = 0;
  std::string unit;  // "1/s", "s" or ""
  std::string law;   // "X = C / T"
};

// In the order of the laws. InputError: values that are negative or not finite, a period, number of
// completions or visits of 0, a device busy for longer than the period, and when nothing follows.
std::vector<Derived> operational_laws(const Measured& measured);

}  // namespace sextant::queueing
