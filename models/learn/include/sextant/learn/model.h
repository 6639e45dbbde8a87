// A fitted model as it travels: method, parameters, what it reads, the range it was trained on, its
// error on rows that chose nothing, and the widths of its intervals. File: "sextant.model/1".
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sextant/core/json.h"
#include "sextant/learn/conformal.h"
#include "sextant/learn/dataset.h"
#include "sextant/learn/domain.h"
#include "sextant/learn/method.h"
#include "sextant/learn/metrics.h"

namespace sextant::learn {

struct ModelError {
  std::string validation;  // "kfold:5"
  std::string procedure;   // what was validated: a method's id, or "auto"
  Metrics metrics;
};

struct Model {
  std::string method;
  MethodSettings parameters;
  std::string response;
  std::vector<Feature> features;
  std::vector<std::string> dropped;
  std::size_t rows = 0;
  double floor = 0;  // predictions of a positive response are held above it; 0: not held
  std::shared_ptr<const Regressor> regressor;
  Domain domain;
  ModelError error;
  ConformalCalibration calibration;
};

struct RowPrediction {
  double value = 0;
  std::optional<stats::Interval> interval;
  bool extrapolating = false;
};

RowPrediction predict(const Model& model, const EncodedRow& row);

// A response of a positive kind never gets a prediction of zero or less.
double positive_floor(std::span<const double> responses);

Json to_json(const Model& model);
// InputError that names the field for anything that to_json() would not write.
Model model_from_json(const Json& json, const std::string& file_name);
Model read_model_file(const std::string& path);

}  // namespace sextant::learn
