// sextant predict: time, cost and memory of a step, on devices or on machines of the catalogue.
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <span>

#include "catalog_option.h"
#include "predict_args.h"
#include "predict_cases.h"
#include "sextant/cli/command.h"
#include "sextant/cli/run.h"
#include "sextant/core/text.h"
#include "sextant/parallel/cluster_predictor.h"
#include "sextant/predict/max_batch.h"
#include "sextant/report/prediction_report.h"

namespace sextant {
namespace {

// Devices to ask about: on their own, or in machines that have to be rented whole.
struct Place {
  const Gpu* gpu = nullptr;
  const Machine* machine = nullptr;
  std::optional<DollarRate> price = {};
  Layout layout = {};
};

bool wants_all(const std::vector<std::string>& names) {
  return names == std::vector<std::string>{"all"};
}

std::vector<Place> gpu_places(const PredictArgs& args, const Catalog& catalog) {
  std::vector<std::string> names = args.gpus;
  if (wants_all(args.gpus)) {
    names.clear();
    for (const Gpu& gpu : catalog.gpus.all()) names.push_back(gpu.id);
  }
  std::vector<Place> places;
  for (const auto& name : names) {
    for (Layout& layout : layouts(args.layout, nullptr)) {
      const std::string first = mix_gpus(name, layout);
      places.push_back({.gpu = &catalog.gpus.get(first, {"--gpu"}), .layout = std::move(layout)});
    }
  }
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
    for (Layout& layout : layouts(args.layout, machine)) {
      places.push_back({&catalog.gpus.get(machine->gpu), machine, price, std::move(layout)});
    }
  }
  return places;
}

std::vector<std::string> kinds_of(const Place& place) {
  std::vector<std::string> kinds = {place.gpu->id};
  kinds.insert(kinds.end(), place.layout.other_gpus.begin(), place.layout.other_gpus.end());
  return kinds;
}

// Places in the order asked for; a search over all machines is ranked: what fits first, then cost, then time.
void rank(std::vector<Answer>& answers) {
  std::ranges::stable_sort(answers, [](const Answer& a, const Answer& b) {
    if (a.prediction.fits != b.prediction.fits) return a.prediction.fits;
    const auto cost = [](const Answer& x) {
      const auto samples = static_cast<double>(x.job.sizes.batch * x.job.layout.devices());
      return x.price ? (*x.price * x.prediction.iteration).value / samples : 1e300;
    };
    return std::pair(cost(a), a.prediction.iteration.value) <
           std::pair(cost(b), b.prediction.iteration.value);
  });
}

// A network with the predictor that is asked about it.
struct Subject {
  const PredictArgs& args;
  const Network& network;
  const Predictor& predictor;
  const Io& io;
};

Answer answer_place(const Subject& subject, const Place& place, const Query& query) {
  return {.job = query.job,
          .gpu = join(kinds_of(place), "+"),
          .machine = place.machine == nullptr ? "" : place.machine->id,
          .prediction = subject.predictor.predict(query),
          .price = place.price
                       ? std::optional(static_cast<double>(place.layout.placement.nodes()) * *place.price)
                       : std::nullopt,
          .gpu_memory = place.gpu->memory};
}

// In a sweep, a layout that is impossible is passed over and says why; alone it is an error.
void answer_batch(const Subject& subject, std::int64_t batch, std::span<const Place> places,
                  std::vector<Answer>& answers) {
  TrainingJob job = job_of(subject.args, batch);
  job.network = subject.network.id;
  const Graph graph = build(subject.network, job.sizes);
  const GraphCost counted = cost(graph, job.precision);
  for (const auto& place : places) {
    job.layout = place.layout;
    try {
      answers.push_back(answer_place(subject, place, {job, graph, counted, *place.gpu}));
    } catch (const InputError& error) {
      if (place.layout.devices() == 1 || places.size() == 1) throw;
      warn(subject.io, to_string(place.layout.placement) + " GPUs, " + error.message());
    }
  }
}

// Each place at its own largest batch; at 1, marked as not fitting, where none fits.
void answer_max_batch(const Subject& subject, std::span<const Place> places, std::vector<Answer>& answers) {
  if (subject.args.layout.several()) throw InputError({"--max-batch"}, "is the largest batch of one device");
  BatchMemory memory(subject.network, job_of(subject.args, 1));
  for (const auto& place : places) {
    const std::int64_t largest = memory.max_batch(place.gpu->memory);
    answer_batch(subject, std::max<std::int64_t>(largest, 1), {&place, 1}, answers);
  }
}

std::vector<Answer> answer_all(const PredictArgs& args, const Io& io, const Catalog& catalog,
                               std::span<const Place> places) {
  const Network network = find_network(args.network.net, {"NET"});
  const auto one_device = make_predictor(args, catalog);
  const ClusterPredictor predictor(catalog, *one_device);
  const Subject subject{args, network, predictor, io};
  std::vector<Answer> answers;
  if (args.max_batch) {
    answer_max_batch(subject, places, answers);
  } else {
    for (const std::int64_t batch : args.batches) answer_batch(subject, batch, places, answers);
  }
  if (answers.empty()) throw InputError({"--strategy"}, "no layout of those asked for is possible");
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

void require_question(const PredictArgs& args) {
  if (args.out)
    throw InputError({"--out"}, "is for the answers to --cases", "'--cases FILE.csv --out FILE.csv'");
  if (args.network.net.empty()) {
    throw InputError({}, "NET is missing: network of the zoo, or an ONNX file",
                     "or '--cases FILE.csv'; see 'sextant predict --help'");
  }
  if (args.gpus.empty() && args.machines.empty()) {
    throw InputError({}, "--gpu or --machine is missing: where should '" + args.network.net + "' run?",
                     "such as '--gpu v100,a100', or '--machine all' for the whole catalogue");
  }
}

// A largest batch that exists nowhere is an answer too, but not the one that was hoped for.
int exit_code(const PredictArgs& args, const Io& io, const std::vector<Answer>& answers) {
  const auto fits = [](const Answer& answer) { return answer.prediction.fits; };
  if (!args.max_batch || std::ranges::any_of(answers, fits)) return kDone;
  warn(io, "no configuration: not even a batch of 1 fits");
  return kInfeasible;
}

int predict(const PredictArgs& args, const Io& io, const Globals& globals) {
  if (args.cases) return predict_cases(args, io, globals);
  require_question(args);
  const std::shared_ptr<const Catalog> shared = shared_catalog(io, globals);
  const Catalog& catalog = *shared;
  std::vector<Place> places = gpu_places(args, catalog);
  std::ranges::move(machine_places(args, catalog), std::back_inserter(places));
  std::vector<Answer> answers = answer_all(args, io, catalog, places);
  if (wants_all(args.machines)) rank(answers);
  if (args.top && static_cast<std::size_t>(*args.top) < answers.size()) {
    answers.erase(answers.begin() + *args.top, answers.end());
  }
  warn_once(io, answers);
  if (globals.chosen_format() != Format::json) {
    write_table(io, globals, answers_table(answers));
  } else {
    Json list = Json::array();
    for (const auto& answer : answers) list.push_back(to_json(answer));
    write_json(io, globals, std::move(list));
  }
  return exit_code(args, io, answers);
}

}  // namespace

std::vector<Command> command_predict() {
  const auto args = std::make_shared<PredictArgs>();
  return {{.path = "predict",
           .summary = "time, memory and cost of a step, on GPUs or machines of the catalogue",
           .details = "Lists give the product: every GPU with every batch size. Many questions at once stand "
                      "in a CSV with the\n"
                      "columns net, gpu, count, batch, image, seq, classes, mode, precision, stack, "
                      "optimizer, nodes, placement,\nstrategy and network. What is missing\n"
                      "or empty is as the options say; other columns are copied, except those of an older "
                      "answer, which are\n"
                      "replaced; and a row that cannot be predicted says why in its column 'error'.",
           .examples = {"sextant predict resnet50 --gpu v100,a100 --batch 32,64",
                        "sextant predict resnet50 --machine all --epochs 90 --samples 1281167",
                        "sextant predict resnet50 --gpu all --max-batch",
                        "sextant predict vgg16 --machine aws/p3.16xlarge --nodes 1,2,4 --strategy auto,data",
                        "sextant predict --cases cases.csv --out answers.csv"},
           .options = predict_options(*args),
           .run = [args](const Io& io, const Globals& globals) { return predict(*args, io, globals); }}};
}

}  // namespace sextant
