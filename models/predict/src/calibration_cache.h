// Calibrations of the devices that are asked about, each read once: files that nobody needs may be missing.
#pragma once

#include <map>
#include <mutex>
#include <string>

#include "sextant/predict/calibrated_device.h"

namespace sextant::predict {

class CalibrationCache {
 public:
  const CalibratedDevice& of(const catalog::Gpu& gpu) const {
    const std::scoped_lock lock(mutex_);
    const auto it = devices_.find(gpu.calibration);
    return it != devices_.end() ? it->second
                                : devices_.emplace(gpu.calibration, load_calibration(gpu)).first->second;
  }

 private:
  mutable std::mutex mutex_;
  mutable std::map<std::string, CalibratedDevice> devices_;  // by file
};

}  // namespace sextant::predict
