// What `sextant predict` takes: a question, or with --cases what its rows leave empty.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sextant/ask/predict.h"
#include "sextant/cli/command.h"

namespace sextant::cli {

struct PredictArgs {
  ask::PredictQuestion question;
  std::optional<std::string> cases;
  std::optional<std::string> out;
};

std::vector<Option> predict_options(PredictArgs& args);
// Parts of them that other commands share: the job's software, and the model that answers.
std::vector<Option> software_options(ask::JobFields& fields);
// Of large language models: how much is trained in a step, and what of the network.
std::vector<Option> training_options(ask::DecoderFields& fields);
inline constexpr double kMostTokens = 1e18;
std::vector<Option> predictor_options(ask::ModelFields& fields);

}  // namespace sextant::cli
