// Makes this machine a device that `predict` knows: times operators within a budget, fits the kernel model to
// them, and writes the device and its calibration where the user's catalogue is found.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "sextant/core/json.h"
#include "sextant/core/progress.h"

namespace sextant {

struct CalibrateOptions {
  std::string id = "local";
  std::int64_t threads = 1;
  double budget_s = 240;
  std::filesystem::path folder;  // of the user's catalogue
  std::filesystem::path worker = {};
  std::uint64_t seed = 0;
};

}  // namespace sextant
