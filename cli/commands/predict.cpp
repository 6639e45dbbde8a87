// sextant predict NET: time, cost and memory of a step, on devices or on machines of the catalogue.
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "catalog_option.h"
#include "kinds.h"
#include "network_options.h"
#include "sextant/cli/command.h"
#include "sextant/cli/run.h"
#include "sextant/core/text.h"
#include "sextant/predict/predictor.h"
#include "sextant/report/prediction_report.h"

namespace sextant {
namespace {

struct PredictArgs {
  NetworkArgs network;
  std::vector<std::string> gpus;
  std::vector<std::string> machines;
  std::vector<std::int64_t> batches = {32};
  std::string mode = "train";
  std::string precision = "fp32";
  std::string optimizer = "sgd";
  std::string predictor = "roofline";
  std::optional<std::string> region;
  std::optional<double> epochs;
  std::optional<std::int64_t> samples;
  std::optional<std::int64_t> top;
};

// A device to ask about: on its own, or one GPU of a machine that has to be rented whole.
struct Place {
  const Gpu* gpu = nullptr;
  std::string machine = {};
  std::optional<DollarRate> price = {};
};

std::optional<Duration> duration(const PredictArgs& args) {
  if (args.samples) return Duration{args.epochs.value_or(1), *args.samples};
  if (args.epochs) throw InputError({"--epochs"}, "needs --samples, the size of the data set");
  return std::nullopt;
}

TrainingJob job_of(const PredictArgs& args, std::int64_t batch) {
  return {.network = args.network.net,
          .sizes = args.network.binding(batch),
          .mode = parse_mode(args.mode, {"--mode"}),
          .precision = parse_precision(args.precision, {"--precision"}),
          .optimizer = parse_optimizer(args.optimizer, {"--optimizer"}),
          .layout = {},
          .duration = duration(args)};
}

bool wants_all(const std::vector<std::string>& names) {
  return names == std::vector<std::string>{"all"};
}

std::vector<Place> gpu_places(const PredictArgs& args, const Catalog& catalog) {
  std::vector<Place> places;
  if (wants_all(args.gpus)) {
    for (const Gpu& gpu : catalog.gpus.all()) places.push_back({&gpu});
    return places;
  }
  for (const auto& name : args.gpus) places.push_back({&catalog.gpus.get(name, {"--gpu"})});
  return places;
}

std::optional<DollarRate> price_of(const Machine& machine, const std::optional<std::string>& region) {
  if (!region) return lowest_on_demand(machine);
  const Price* price = find_price(machine, *region);
  return price == nullptr ? std::nullopt : price->on_demand;
}

// With `all`, machines without a whole known GPU are passed over, and so are those not sold in the region.
std::vector<Place> machine_places(const PredictArgs& args, const Catalog& catalog) {
  std::vector<Place> places;
  const bool all = wants_all(args.machines);
  std::vector<const Machine*> machines;
  for (const auto& machine : catalog.machines.all()) {
    if (all && machine.gpu_known && machine.gpu_count >= 1 && !machine.accelerator_only)
      machines.push_back(&machine);
  }
  if (!all) {
    for (const auto& name : args.machines) machines.push_back(&catalog.machines.get(name, {"--machine"}));
  }
  for (const Machine* machine : machines) {
    const auto price = price_of(*machine, args.region);
    if (args.region && !price && all) continue;
    if (args.region && !price)
      throw InputError({"--region"}, machine->id + " has no price in '" + *args.region + "'");
    if (machine->gpu.empty() || !machine->gpu_known) {
      throw InputError({"--machine"}, machine->id + " has no GPU that the catalogue knows");
    }
    places.push_back({&catalog.gpus.get(machine->gpu), machine->id, price});
  }
  return places;
}

// Places in the order asked for; a search over all machines is ranked: what fits first, then cost, then time.
void rank(std::vector<Answer>& answers) {
  std::ranges::stable_sort(answers, [](const Answer& a, const Answer& b) {
    if (a.prediction.fits != b.prediction.fits) return a.prediction.fits;
    const auto cost = [](const Answer& x) {
      return x.price ? (*x.price * x.prediction.iteration).value / static_cast<double>(x.job.sizes.batch)
                     : 1e300;
    };
    return std::pair(cost(a), a.prediction.iteration.value) <
           std::pair(cost(b), b.prediction.iteration.value);
  });
}

std::vector<Answer> answer_all(const PredictArgs& args, const std::vector<Place>& places) {
  const Network network = find_network(args.network.net, {"NET"});
  const auto predictor = predictors().get(args.predictor, {"--predictor"}).make();
  std::vector<Answer> answers;
  for (const std::int64_t batch : args.batches) {
    TrainingJob job = job_of(args, batch);
    job.network = network.id;
    const Graph graph = build(network, job.sizes);
    const GraphCost counted = cost(graph, job.precision);
    for (const auto& place : places) {
      answers.push_back({.job = job,
                         .gpu = place.gpu->id,
                         .machine = place.machine,
                         .prediction = predictor->predict({job, graph, counted, *place.gpu}),
                         .price = place.price,
                         .gpu_memory = place.gpu->memory});
    }
  }
  return answers;
}

void warn_once(const Io& io, const std::vector<Answer>& answers) {
  std::vector<std::string> seen;
  for (const auto& answer : answers) {
    for (const auto& warning : answer.prediction.warnings) {
      if (std::ranges::find(seen, warning) != seen.end()) continue;
      seen.push_back(warning);
      warn(io, warning);
    }
  }
}

int predict(const PredictArgs& args, const Io& io, const Globals& globals) {
  if (args.gpus.empty() && args.machines.empty()) {
    throw InputError({}, "--gpu or --machine is missing: where should '" + args.network.net + "' run?",
                     "such as '--gpu v100,a100', or '--machine all' for the whole catalogue");
  }
  const Catalog catalog = open_catalog(io, globals);
  std::vector<Place> places = gpu_places(args, catalog);
  std::ranges::move(machine_places(args, catalog), std::back_inserter(places));
  std::vector<Answer> answers = answer_all(args, places);
  if (wants_all(args.machines)) rank(answers);
  if (args.top && static_cast<std::size_t>(*args.top) < answers.size()) {
    answers.erase(answers.begin() + *args.top, answers.end());
  }
  warn_once(io, answers);
  if (globals.chosen_format() != Format::json) {
    write_table(io, globals, answers_table(answers));
    return kDone;
  }
  Json list = Json::array();
  for (const auto& answer : answers) list.push_back(to_json(answer));
  write_json(io, globals, std::move(list));
  return kDone;
}

std::vector<Option> predict_options(PredictArgs& a) {
  std::vector<Option> options = network_options(a.network);
  options.insert(options.end(),
                 {{.name = "gpu",
                   .summary = "GPUs to ask about, or 'all'",
                   .target = &a.gpus,
                   .value_name = "LIST",
                   .names = gpu_names},
                  {.name = "machine",
                   .summary = "machine types to ask about (one GPU of each), or 'all', ranked by cost",
                   .target = &a.machines,
                   .value_name = "LIST",
                   .names = machine_names},
                  {.name = "batch",
                   .summary = "samples in a step",
                   .target = &a.batches,
                   .value_name = "LIST",
                   .low = 1},
                  {.name = "mode",
                   .summary = "what is run",
                   .target = &a.mode,
                   .value_name = "M",
                   .choices = {"train", "infer"}},
                  {.name = "precision",
                   .summary = "number format",
                   .target = &a.precision,
                   .value_name = "P",
                   .choices = {"fp32", "tf32", "fp16"}},
                  {.name = "optimizer",
                   .summary = "what updates the weights",
                   .target = &a.optimizer,
                   .value_name = "O",
                   .choices = {"none", "sgd", "momentum", "adam"}},
                  {.name = "samples",
                   .summary = "samples in the data set",
                   .target = &a.samples,
                   .value_name = "N",
                   .low = 1},
                  {.name = "epochs",
                   .summary = "passes over the data set",
                   .target = &a.epochs,
                   .value_name = "E",
                   .low = 0},
                  {.name = "region",
                   .summary = "price of this region, instead of the lowest",
                   .target = &a.region,
                   .value_name = "R"},
                  {.name = "top",
                   .summary = "only the first so many answers",
                   .target = &a.top,
                   .value_name = "N",
                   .low = 1},
                  {.name = "predictor",
                   .summary = "the model that answers",
                   .target = &a.predictor,
                   .value_name = "ID",
                   .names = predictor_names}});
  return options;
}

}  // namespace

std::vector<Command> command_predict() {
  const auto args = std::make_shared<PredictArgs>();
  return {{.path = "predict",
           .summary = "time, memory and cost of a step, on GPUs or machines of the catalogue",
           .details = "Lists give the product: every GPU with every batch size.",
           .examples = {"sextant predict resnet50 --gpu v100,a100 --batch 32,64",
                        "sextant predict resnet50 --machine all --epochs 90 --samples 1281167"},
           .options = predict_options(*args),
           .run = [args](const Io& io, const Globals& globals) { return predict(*args, io, globals); }}};
}

}  // namespace sextant
