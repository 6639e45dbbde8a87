// How far predictions of a calibrated device are off: known networks are trained here, each for a few steps
// in turns, and compared with what was predicted. Also the per-layer regression, fitted to the operators of
// one network and asked about another, as Gianniti et al. (SBAC-PAD 2018) did on GPUs.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "sextant/core/progress.h"
#include "sextant/predict/calibrated_device.h"

namespace sextant::calibrate {

struct AccuracyOptions {
  std::vector<jobs::Job> cases;  // of one device
  std::int64_t threads = 1;
  double budget_s = 900;
  std::filesystem::path worker = {};
  std::uint64_t seed = 0;
  std::function<bool()> interrupted = [] { return false; };
};

struct AccuracyRow {
  jobs::Job job;
  double measured_s = 0;  // median step
  double predicted_s = 0;
  bool inside = false;  // the measured step is within the predicted interval
  bool extrapolating = false;
  [[nodiscard]] double error() const { return predicted_s / measured_s - 1; }
};

// Ten networks of the zoo and LeNet, at batches 1, 4 and 16 where a step ends within seconds.
std::vector<jobs::Job> usual_accuracy_cases();

// SGD with momentum. Rows in the order of the cases; those that failed are left out.
std::vector<AccuracyRow> local_accuracy(const predict::CalibratedDevice& device, const catalog::Gpu& gpu,
                                        const AccuracyOptions& options, Progress& progress);

struct ErrorMeans {
  double rows = 0;      // mean |error| of all rows
  double networks = 0;  // mean over networks of their mean |error|
  double inside = 0;    // share of rows within their interval
};
ErrorMeans error_means(const std::vector<AccuracyRow>& rows);

// Per-layer regression fitted to the operators of one network, asked about the steps of another.
struct TransferRow {
  std::string fitted_on;
  std::string asked;
  std::int64_t batch = 0;
  double measured_s = 0;  // sum of the operators that have a rule
  double predicted_s = 0;
};
struct TransferOptions {
  std::vector<std::string> fitted_on = {"alexnet", "googlenet"};
  std::string asked = "alexnet";
  std::vector<std::int64_t> batches = {1, 2, 4, 8, 16};
  std::int64_t threads = 1;
  std::filesystem::path worker = {};
};
std::vector<TransferRow> per_layer_transfer(const catalog::Gpu& gpu, const TransferOptions& options,
                                            Progress& progress);

}  // namespace sextant::calibrate
