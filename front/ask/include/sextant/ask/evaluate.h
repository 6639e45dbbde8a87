// How far a fitted model is off on new rows.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "sextant/learn/fit.h"
#include "sextant/scaling/model.h"

namespace sextant::ask {

struct EvaluateQuestion {
  std::string model = {};              // a file that a fit wrote, or a law of scaling that ships
  std::vector<std::string> data = {};  // CSV files with the model's columns and its response
};

struct RegressionEvaluation {
  learn::Model model;
  learn::DataTables tables;
  learn::Evaluation evaluation;
  std::vector<std::string> seen = {};  // files of the data that the model was fitted on
};

struct ScalingEvaluation {
  struct Step {
    Seconds measured;
    scaling::ScaledStep answer;
  };
  std::vector<Step> steps;
  // Errors are relative to what was measured.
  double mean_error = 0;
  double median_error = 0;
  double p90_error = 0;
  double coverage = 0;  // share inside the 90 % interval
  std::int64_t extrapolating = 0;
};

using EvaluateAnswer = std::variant<RegressionEvaluation, ScalingEvaluation>;

EvaluateAnswer evaluate(const EvaluateQuestion& question);

}  // namespace sextant::ask
