// A device that somebody calibrated by timing operators on it: time of a step as the sum over its operators
// (operator_regression.h), and what a whole step adds to that sum. Made by `sextant calibrate`, kept as JSON.
// Page: docs/models/local-device.md.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sextant/core/json.h"
#include "sextant/core/progress.h"
#include "sextant/predict/operator_regression.h"

namespace sextant::predict {

// A whole iteration, seconds.
struct TimedStep {
  double forward_s = 0;
  double backward_s = 0;
  double optimizer_s = 0;
  double total_s = 0;
};

// A network of which operators, whole steps, or both were timed.
struct TimedNetwork {
  std::string name;
  nets::Graph graph;
  jobs::Optimizer optimizer = jobs::Optimizer::momentum;
  std::vector<double> forward_s = {};   // by node; empty: operators were not timed
  std::vector<double> backward_s = {};  // 0 where nothing runs backward
  std::optional<TimedStep> step = {};
};

// A part of a step from the sum over its operators.
struct PartLine {
  double scale = 1;  // of the sum
  double s_per_call = 0;
  double s_per_parameter = 0;  // gradients that are collected
  double fixed_s = 0;
};

// What an iteration takes outside its three parts: mostly the handing over of a batch.
struct RestLine {
  double s_per_value = 0;  // of the network's inputs
  double fixed_s = 0;
};

struct CalibratedDevice {
  std::map<std::pair<std::string, Direction>, OperatorRegression> operators = {};
  OperatorRegression update;
  CallCost other;  // for kinds of operators that were not timed
  // FLOP/s that the fastest timed calls reached: none is taken to be faster. 0: not known, from older files.
  double fastest = 0;
  PartLine forward;
  PartLine backward;
  RestLine rest;
  double half_width = 0.2;  // of the 90 % interval, of log time, from networks that were left out
  double mean_error = 0;    // relative, of the steps of networks that were left out
  std::int64_t threads = 1;
  std::size_t networks = 0;
  double most_samples = 0;  // largest batch that was timed
};

struct DeviceStep {
  double forward_s = 0;
  double backward_s = 0;
  double optimizer_s = 0;
  double rest_s = 0;
  double overhead_s = 0;                  // of these: calls and what is fixed
  double outside_share = 0;               // of the sum: operators unlike any that was timed
  double untimed_share = 0;               // of the sum: operators of kinds that were not timed at all
  std::vector<std::string> untimed = {};  // kinds that were not timed at all
  std::vector<OpTime> nodes = {};         // one for each node; their sum is less than the step
  [[nodiscard]] double total_s() const { return forward_s + backward_s + optimizer_s + rest_s; }
};

DeviceStep device_step(const CalibratedDevice& device, const nets::Graph& graph, const nets::GraphCost& cost,
                       const jobs::Job& job);

// From networks of which at least one has timed operators and one a timed step. The interval and the error
// come from predicting networks that were left out. InputError for networks that do not suffice.
CalibratedDevice fit_calibrated_device(std::span<const TimedNetwork> networks, Progress& progress);

// The text of this is Setup::model of the predictor `calibrated`.
using CalibratedDevices = std::map<std::string, CalibratedDevice>;  // by id in the catalogue
Json to_json(const CalibratedDevices& devices);
CalibratedDevices calibrated_devices_from_json(const std::string& text, const std::string& file_name);

// From the file that the device names (Gpu::calibration).
CalibratedDevice load_calibration(const catalog::Gpu& gpu);

// The answer to a query about a calibrated device.
Prediction predict_calibrated(const CalibratedDevice& device, const Query& query);

}  // namespace sextant::predict
