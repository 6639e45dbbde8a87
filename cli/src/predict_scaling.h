// A scaling model where other models stand: predict --cases, and evaluate.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "predict_args.h"
#include "sextant/cli/io.h"

namespace sextant {

// A model that ships by name, or a file whose schema says so; a file that cannot be read is not one.
bool names_scaling_model(const std::string& model);

// Rows of `table` answered by args.model, with the networks of args.measured added.
int predict_scaling(const PredictArgs& args, const CsvTable& table, const Io& io);

struct ScalingEvaluateArgs {
  std::string model;
  std::vector<std::string> data;
  std::optional<std::string> out;
  std::optional<std::string> residuals;
};
int evaluate_scaling(const ScalingEvaluateArgs& args, const Io& io, const Globals& globals);

}  // namespace sextant
