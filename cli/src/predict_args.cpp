#include "predict_args.h"

#include "kinds.h"
#include "sextant/core/csv.h"

namespace sextant {
namespace {

// Their product is a number of steps, which has to fit 64 bits.
constexpr double kMostEpochs = 1e6;
constexpr double kMostSamples = 1e12;

std::optional<Duration> duration(const PredictArgs& args) {
  if (args.samples) return Duration{args.epochs.value_or(1), *args.samples};
  if (args.epochs) throw InputError({"--epochs"}, "needs --samples, the size of the data set");
  return std::nullopt;
}

std::vector<Option> place_options(PredictArgs& a) {
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

std::vector<Option> job_options(PredictArgs& a) {
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
           .target = &a.mode,
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
           .summary = "CSV for the answers to --cases ('-' or nothing: standard output)",
           .target = &a.out,
           .value_name = "FILE"}};
}

}  // namespace

std::vector<Option> software_options(PredictArgs& a) {
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

std::vector<Option> predictor_options(PredictArgs& a) {
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
  std::vector<Option> options = network_options(args.network);
  options.front().required = false;  // NET: a file of cases can name its own
  for (const auto& group : {place_options(args), layout_options(args.layout), job_options(args),
                            software_options(args), predictor_options(args), case_options(args)}) {
    options.insert(options.end(), group.begin(), group.end());
  }
  return options;
}

TrainingJob job_of(const PredictArgs& args, std::int64_t batch) {
  return {.network = args.network.net,
          .sizes = args.network.binding(batch),
          .mode = parse_mode(args.mode, {"--mode"}),
          .precision = parse_precision(args.precision, {"--precision"}),
          .optimizer = parse_optimizer(args.optimizer, {"--optimizer"}),
          .stack = args.stack,
          .layout = {},
          .duration = duration(args)};
}

CaseDefaults case_defaults(const PredictArgs& args) {
  CaseDefaults defaults{
      .gpu = args.gpus.size() == 1 ? args.gpus.front() : "",
      .job = job_of(args, args.batches.size() == 1 ? args.batches.front() : PredictArgs{}.batches.front())};
  if (args.cases) defaults.job.layout = only_layout(args.layout);
  return defaults;
}

std::unique_ptr<Predictor> make_predictor(const PredictArgs& args, const Catalog& catalog) {
  const PredictorInfo& info = predictors().get(args.predictor, {"--predictor"});
  Setup setup{.catalog = &catalog};
  if (args.from) setup.from = catalog.gpus.get(*args.from, {"--from"}).id;
  if (args.measured) {
    CaseDefaults defaults = case_defaults(args);
    defaults.gpu = setup.from;  // what is asked about is no default for what was measured
    setup.measured = read_measured(CsvTable::read_file(*args.measured), catalog, defaults);
  }
  if (args.model) setup.model = read_text_file(*args.model);
  return info.make(setup);
}

}  // namespace sextant
