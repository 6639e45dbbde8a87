// What `sextant predict` takes, and how that becomes a job and a predictor. The forms of the command
// (one network, a file of cases, the largest batch) share it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "layout_options.h"
#include "network_options.h"
#include "sextant/catalog/catalog.h"
#include "sextant/cli/command.h"
#include "sextant/predict/case_file.h"
#include "sextant/predict/predictor.h"

namespace sextant {

struct PredictArgs {
  NetworkArgs network;
  std::vector<std::string> gpus;
  std::vector<std::string> machines;
  LayoutArgs layout;
  std::vector<std::int64_t> batches = {32};
  bool max_batch = false;
  std::string mode = "train";
  std::string precision = "fp32";
  std::string stack = "pytorch";
  std::string optimizer = "sgd";
  std::string predictor = "kernel";
  std::optional<std::string> measured;
  std::optional<std::string> from;
  std::optional<std::string> model;
  std::optional<std::string> cases;
  std::optional<std::string> out;
  std::optional<std::string> region;
  std::optional<double> epochs;
  std::optional<std::int64_t> samples;
  std::optional<std::int64_t> top;
};

std::vector<Option> predict_options(PredictArgs& args);
// Parts of them that other commands share: the job's software, and the model that answers.
std::vector<Option> software_options(PredictArgs& args);
std::vector<Option> predictor_options(PredictArgs& args);

TrainingJob job_of(const PredictArgs& args, std::int64_t batch);

// Defaults for files of cases and of measurements.
CaseDefaults case_defaults(const PredictArgs& args);

// Reads --measured and --model. The catalogue must outlive the predictor.
std::unique_ptr<Predictor> make_predictor(const PredictArgs& args, const Catalog& catalog);

}  // namespace sextant
