// This machine as a device that predictions know: made, and checked against steps that are really run.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "sextant/calibrate/calibrate.h"
#include "sextant/calibrate/local_accuracy.h"
#include "sextant/catalog/catalog.h"

namespace sextant::ask {

struct CalibrateQuestion {
  std::string id = "local";  // of the device
  std::int64_t threads = 1;  // of each worker
  std::string budget = "4min";
  std::string folder = {};  // where the device is kept; it has to be named
  std::uint64_t seed = 0;
};

// `interrupted` ends the timing early; what was timed by then is fitted.
calibrate::LocalCalibration calibrate(const CalibrateQuestion& question, Progress& progress,
                                      const std::function<bool()>& interrupted = {});

struct CalibrationCheck {
  std::vector<calibrate::AccuracyRow> rows = {};
  bool interrupted = false;
};
// Networks of the zoo trained here, against what is predicted of the device, with the threads that it was
// calibrated with. InputError where it is not calibrated.
CalibrationCheck check_calibration(const CalibrateQuestion& question, const catalog::Catalog& catalog,
                                   Progress& progress, const std::function<bool()>& interrupted = {});

// Per-layer regressions of AlexNet and GoogLeNet, timed here, each asked about AlexNet.
std::vector<calibrate::TransferRow> per_layer_transfer(const CalibrateQuestion& question,
                                                       const catalog::Catalog& catalog, Progress& progress);

}  // namespace sextant::ask
