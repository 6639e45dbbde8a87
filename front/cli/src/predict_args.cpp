#include "predict_args.h"

#include "kinds.h"
#include "layout_options.h"
#include "network_options.h"

namespace sextant::cli {
namespace {

// Their product is a number of steps, which has to fit 64 bits.
constexpr double kMostEpochs = 1e6;
constexpr double kMostSamples = 1e12;

std::vector<Option> place_options(ask::PredictQuestion& a) {
  return {{.name = "gpu",
           .summary = "GPUs to ask about, or 'all'; 'v100+t4' mixes kinds, each on its share of the nodes",
           .target = &a.gpus,
           .value_name = "LIST",
           .names = gpu_names},
          {.name = "machine",
           .summary = "machine types to ask about, or 'all', ranked by cost; one GPU, or --count or --nodes",
           .target = &a.machines,
           .value_name = "LIST",
           .names = machine_names},
          {.name = "region",
           .summary = "price of this region, instead of the lowest",
           .target = &a.region,
           .value_name = "R"},
          {.name = "top",
           .summary = "only the first so many answers",
           .target = &a.top,
           .value_name = "N",
           .low = 1}};
}

std::vector<Option> job_options(ask::PredictQuestion& a) {
  return {{.name = "batch",
           .summary = "samples in a step, on each GPU",
           .target = &a.batches,
           .value_name = "LIST",
           .low = 1},
          {.name = "max-batch",
           .summary = "instead of --batch: the largest that fits the memory",
           .target = &a.max_batch},
          {.name = "mode",
           .summary = "what is run",
           .target = &a.job.mode,
           .value_name = "M",
           .choices = {"train", "infer"}},
          {.name = "samples",
           .summary = "samples in the data set",
           .target = &a.samples,
           .value_name = "N",
           .low = 1,
           .high = kMostSamples},
          {.name = "epochs",
           .summary = "passes over the data set",
           .target = &a.epochs,
           .value_name = "E",
           .low = 0,
           .high = kMostEpochs}};
}

std::vector<Option> case_options(PredictArgs& a) {
  return {{.name = "cases",
           .summary = "CSV of many questions, a row each ('-': standard input)",
           .target = &a.cases,
           .value_name = "FILE"},
          {.name = "out",
           .summary = "CSV for the answers to --cases; standard output unless stated",
           .target = &a.out,
           .value_name = "FILE",
           .writes = Writes::file}};
}

}  // namespace

std::vector<Option> software_options(ask::JobFields& a) {
  return {{.name = "precision",
           .summary = "number format",
           .target = &a.precision,
           .value_name = "P",
           .choices = {"fp32", "tf32", "fp16"}},
          {.name = "stack",
           .summary = "software that runs it: the calibration to use",
           .target = &a.stack,
           .value_name = "S"},
          {.name = "optimizer",
           .summary = "what updates the weights",
           .target = &a.optimizer,
           .value_name = "O",
           .choices = {"none", "sgd", "momentum", "adam"}}};
}

std::vector<Option> predictor_options(ask::ModelFields& a) {
  return {{.name = "predictor",
           .summary = "the model that answers",
           .target = &a.predictor,
           .value_name = "ID",
           .names = predictor_names},
          {.name = "model",
           .summary = "coefficients from this file, instead of those that ship",
           .target = &a.model,
           .value_name = "FILE"},
          {.name = "measured",
           .summary = "CSV of steps that were timed: columns of --cases, and measured_s or measured_ms",
           .target = &a.measured,
           .value_name = "FILE"},
          {.name = "from",
           .summary = "the GPU that --measured was timed on, to predict others from it",
           .target = &a.from,
           .value_name = "GPU",
           .names = gpu_names}};
}

std::vector<Option> predict_options(PredictArgs& args) {
  ask::PredictQuestion& question = args.question;
  std::vector<Option> options = grouped("Sizes of the network", network_options(question.job.net));
  options.front().required = false;  // NET: a file of cases can name its own
  for (const auto& group : {place_options(question), job_options(question),
                            grouped("Several GPUs", layout_options(question.layout)),
                            grouped("Software", software_options(question.job)),
                            grouped("Model that answers", predictor_options(question.model)),
                            grouped("Many questions at once", case_options(args))}) {
    options.insert(options.end(), group.begin(), group.end());
  }
  return options;
}

}  // namespace sextant::cli
