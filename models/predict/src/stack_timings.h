// What the user's timings say of one stack: of the cases that were timed, of the devices that they were timed
// on, and of all other devices.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "sextant/predict/batch_line.h"
#include "sextant/predict/carried_factor.h"
#include "sextant/predict/stack.h"
#include "sextant/predict/timed_cases.h"

namespace sextant::predict {

class StackTimings {
 public:
  StackTimings() = default;
  // All of this stack; their devices are in the catalogue.
  StackTimings(const Stack& stack, std::span<const Measurement> timed, const catalog::Catalog& catalog);

  struct Device {
    Anchor anchor;
    BatchLines lines;
  };
  // Nothing for a device that was not timed.
  [[nodiscard]] const Device* device(const std::string& gpu) const;
  [[nodiscard]] const CarriedFactor& factor() const { return factor_; }
  [[nodiscard]] const TimedCases& cases() const { return cases_; }
  [[nodiscard]] bool empty() const { return devices_.empty(); }
  // Timings that may be in another unit: a sentence for each.
  [[nodiscard]] const std::vector<std::string>& doubts() const { return doubts_; }
  // "3 timings on a100-sxm4-40gb"
  [[nodiscard]] std::string summary() const;

 private:
  std::map<std::string, Device> devices_;  // by id of the GPU
  CarriedFactor factor_;
  TimedCases cases_;
  std::vector<std::string> doubts_;
};

}  // namespace sextant::predict
