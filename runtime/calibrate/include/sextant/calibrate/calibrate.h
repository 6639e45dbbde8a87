// Makes this machine a device that `predict` knows: times operators and whole steps of random networks within
// a budget, fits a calibrated device to them (predict/calibrated_device.h), and writes the device and its
// calibration where the user's catalogue is found. Page: docs/models/local-device.md.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "sextant/core/progress.h"
#include "sextant/predict/calibrated_device.h"
#include "sextant/records/record.h"

namespace sextant::calibrate {

struct CalibrateOptions {
  std::string id = "local";
  std::int64_t threads = 1;
  double budget_s = 240;
  std::filesystem::path folder;       // of the user's catalogue; made if need be
  std::filesystem::path worker = {};  // empty: beside this program
  std::uint64_t seed = 0;
  std::function<bool()> interrupted = [] { return false; };
};

struct LocalCalibration {
  predict::CalibratedDevice device;
  catalog::Gpu gpu;                        // as the catalogue has it now
  std::filesystem::path catalog_file;      // <folder>/<id>.toml
  std::filesystem::path calibration_file;  // <folder>/<id>.json
  std::filesystem::path records_file;      // <folder>/<id>.csv: the timed operators
  std::size_t networks = 0;                // of which operators were timed
  std::size_t steps = 0;                   // of which whole steps were timed
  std::size_t operators = 0;               // timed, each forward and backward
  double seconds = 0;                      // that it took
  bool interrupted = false;                // earlier than the budget
  std::vector<std::string> warnings = {};  // networks that could not be run, and why
};

// InputError for options that make no sense, SystemError where the worker cannot be run or the folder not be
// written; a calibration that was there stays until the new one is complete.
LocalCalibration calibrate(const CalibrateOptions& options, Progress& progress);

}  // namespace sextant::calibrate
