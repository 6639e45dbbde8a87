#include "sextant/ask/predict.h"

#include <algorithm>
#include <limits>
#include <set>
#include <span>

#include "decoder_answer.h"
#include "evidence_notes.h"
#include "generation_answer.h"
#include "prediction_notes.h"
#include "sextant/core/text.h"
#include "sextant/parallel/cluster_predictor.h"
#include "sextant/predict/max_batch.h"
#include "sextant/predict/memory.h"

namespace sextant::ask {
namespace {

// Devices to ask about: on their own, or in machines that have to be rented whole.
struct Place {
  const catalog::Gpu* gpu = nullptr;
  jobs::Layout layout = {};
  std::optional<DollarRate> price = {};  // of all machines together
};

bool wants_all(const std::vector<std::string>& names) {
  return names == std::vector<std::string>{"all"};
}

std::vector<Place> gpu_places(const PredictQuestion& question, const catalog::Catalog& catalog) {
  std::vector<std::string> names = question.gpus;
  if (wants_all(question.gpus)) {
    names.clear();
    for (const catalog::Gpu& gpu : catalog.gpus.all()) names.push_back(gpu.id);
  }
  std::vector<Place> places;
  for (const auto& name : names) {
    for (jobs::Layout& layout : layouts_of(question.layout, nullptr)) {
      check_node_size(catalog, layout.placement.fullest(),
                      at_field(question.layout.nodes.empty() ? "placement" : "nodes"));
      const std::string first = mix_gpus(name, layout);
      places.push_back({.gpu = &find_gpu(catalog, first, at_field("gpu")), .layout = std::move(layout)});
    }
  }
  return places;
}

std::optional<DollarRate> price_of(const catalog::Machine& machine,
                                   const std::optional<std::string>& region) {
  if (!region) return lowest_on_demand(machine);
  const catalog::Price* price = find_price(machine, *region);
  return price == nullptr ? std::nullopt : price->on_demand;
}

// With `all`, machines without a whole known GPU are passed over.
std::vector<const catalog::Machine*> machines_of(const PredictQuestion& question,
                                                 const catalog::Catalog& catalog) {
  std::vector<const catalog::Machine*> machines;
  if (!wants_all(question.machines)) {
    for (const auto& name : question.machines)
      machines.push_back(&catalog.machines.get(name, at_field("machine")));
    return machines;
  }
  for (const auto& machine : catalog.machines.all()) {
    if (machine.gpu_known && machine.gpu_count >= 1 && !machine.accelerator_only)
      machines.push_back(&machine);
  }
  return machines;
}

// With `all`, those not sold in the region are passed over too.
std::vector<Place> machine_places(const PredictQuestion& question, const catalog::Catalog& catalog) {
  std::vector<Place> places;
  for (const catalog::Machine* machine : machines_of(question, catalog)) {
    const auto price = price_of(*machine, question.region);
    if (question.region && !price) {
      if (wants_all(question.machines)) continue;
      throw InputError(at_field("region"), machine->id + " has no price in '" + *question.region + "'");
    }
    if (machine->gpu.empty() || !machine->gpu_known) {
      throw InputError(at_field("machine"), machine->id + " has no GPU that the catalogue knows");
    }
    for (jobs::Layout& layout : layouts_of(question.layout, machine)) {
      const auto nodes = static_cast<double>(layout.placement.nodes());
      places.push_back({.gpu = &catalog.gpus.get(machine->gpu),
                        .layout = std::move(layout),
                        .price = price ? std::optional(nodes * *price) : std::nullopt});
    }
  }
  return places;
}

std::string gpu_text(const Place& place) {
  std::vector<std::string> kinds = {place.gpu->id};
  kinds.insert(kinds.end(), place.layout.other_gpus.begin(), place.layout.other_gpus.end());
  return join(kinds, "+");
}

std::string left_out(const Place& place, const InputError& error) {
  const jobs::Placement& placement = place.layout.placement;
  return std::to_string(place.layout.devices()) + " GPUs on " + std::to_string(placement.nodes()) +
         (placement.nodes() == 1 ? " node" : " nodes") + " are left out: " + error.message();
}

// A network with the predictor that is asked about it, and what it said.
class Subject {
 public:
  Subject(const PredictQuestion& question, const nets::Network& network, const predict::Predictor& predictor,
          const catalog::Catalog& catalog)
      : question_(question), network_(network), predictor_(predictor), catalog_(catalog) {}

  // In a sweep, a layout that is impossible is passed over and says why; alone it is an error.
  void ask_batch(std::int64_t batch, std::span<const Place> places) {
    jobs::Job job = job_at(batch);
    job.net = network_.id;
    if (asks_for_generation(network_, job, question_.generation)) {
      return ask_places(std::move(job), places, [&](const jobs::Job& at, const Place& place) {
        return generation_answer(generation_question(at, place));
      });
    }
    if (asks_for_decoder(network_, job, question_.decoder)) {
      return ask_places(std::move(job), places, [&](const jobs::Job& at, const Place& place) {
        return decoder_answer({network_, question_.decoder, at, *place.gpu}, catalog_);
      });
    }
    const nets::Graph graph = build(network_, job.sizes);
    const nets::GraphCost counted = cost(graph, job.precision);
    for (const auto& place : places) {
      job.layout = place.layout;
      try {
        answers.list.push_back({.job = job,
                                .gpu = gpu_text(place),
                                .prediction = predictor_.predict({job, graph, counted, *place.gpu}),
                                .price = place.price,
                                .gpu_memory = place.gpu->memory});
      } catch (const InputError& error) {
        if (place.layout.devices() == 1 || places.size() == 1) throw;
        answers.warnings.push_back(left_out(place, error));
      }
    }
  }

  // Each place at its own largest batch; at 1, marked as not fitting, where none fits.
  void ask_max_batch(std::span<const Place> places) {
    const jobs::Job one = job_at(1);
    const bool writes = asks_for_generation(network_, one, question_.generation);
    if (!writes && asks_for_decoder(network_, one, question_.decoder)) {
      throw InputError(at_field("max_batch"),
                       "a large language model sums gradients over micro-batches, so "
                       "that a step of any size fits",
                       "leave it out: the best micro-batch is found");
    }
    if (question_.layout.several())
      throw InputError(at_field("max_batch"), "the largest batch is found for one device, not for several",
                       "leave out `count`, `nodes` and `placement`");
    if (writes) {
      for (const auto& place : places) {
        const std::int64_t largest = most_sequences(generation_question(one, place));
        ask_batch(std::max<std::int64_t>(largest, 1), {&place, 1});
      }
      return;
    }
    predict::BatchMemory memory(network_, one);
    for (const auto& place : places) {
      const std::int64_t largest = memory.max_batch(predict::plannable_memory(*place.gpu));
      ask_batch(std::max<std::int64_t>(largest, 1), {&place, 1});
    }
  }

  // Whether the law of large language models answers. InputError for what it does not know.
  [[nodiscard]] bool asks_for_law() const {
    const bool writes = asks_for_generation(network_, job_at(1), question_.generation);
    if (!writes && !asks_for_decoder(network_, job_at(1), question_.decoder)) return false;
    check_law_fields(question_.model, question_.layout.strategies);
    const DecoderFields& training = question_.decoder;
    if (writes &&
        (training.global_batch || training.global_batch_tokens || training.tokens || training.finetune))
      throw InputError(at_field(training.finetune       ? "finetune"
                                : training.tokens       ? "tokens"
                                : training.global_batch ? "global_batch"
                                                        : "global_batch_tokens"),
                       "this is for training, not for inference", "leave it out");
    return true;
  }

  PredictAnswers answers = {};

 private:
  [[nodiscard]] GenerationQuestion generation_question(const jobs::Job& job, const Place& place) const {
    return {*network_.decoder, question_.generation, question_.decoder.layout, job, *place.gpu};
  }

  // As with others, a layout that is impossible among several is passed over.
  template <class Ask>
  void ask_places(jobs::Job job, std::span<const Place> places, Ask ask) {
    for (const auto& place : places) {
      job.layout = place.layout;
      try {
        Answer answer = ask(job, place);
        answer.price = place.price;
        answers.list.push_back(std::move(answer));
      } catch (const InputError& error) {
        if (places.size() == 1) throw;
        answers.warnings.push_back(left_out(place, error));
      }
    }
  }

  [[nodiscard]] jobs::Job job_at(std::int64_t batch) const {
    jobs::Job job = job_of(question_.job, batch);
    job.duration = duration_of(question_.samples, question_.epochs);
    const bool usual = !question_.job.precision && !question_.max_batch;
    if (usual && trains_in_bf16(network_, job, question_.decoder)) job.precision = Precision::bf16;
    const bool reads_tokens = network_.decoder && network_.input == nets::InputKind::tokens;
    const bool trains = job.mode == jobs::Mode::train && is_half(job.precision);
    if (reads_tokens && trains && !job.sizes.seq) job.sizes.seq = network_.defaults.seq;
    return job;
  }

  const PredictQuestion& question_;
  const nets::Network& network_;
  const predict::Predictor& predictor_;
  const catalog::Catalog& catalog_;
};

void rank(std::vector<Answer>& answers) {
  std::ranges::stable_sort(answers, [](const Answer& a, const Answer& b) {
    if (a.prediction.fits != b.prediction.fits) return a.prediction.fits;
    const auto cost = [](const Answer& x) {
      return x.sample_cost().value_or(Dollars{std::numeric_limits<double>::infinity()}).value;
    };
    return std::pair(cost(a), a.prediction.iteration.value) <
           std::pair(cost(b), b.prediction.iteration.value);
  });
}

void gather_warnings(PredictAnswers& answers) {
  std::vector<std::string> seen;
  for (const auto& answer : answers.list) {
    for (const auto& warning : answer.prediction.warnings) {
      if (std::ranges::find(seen, warning) == seen.end()) seen.push_back(warning);
    }
  }
  std::ranges::move(seen, std::back_inserter(answers.warnings));
}

void add_evidence_notes(PredictAnswers& answers) {
  std::vector<DeviceEvidence> evidence;
  for (const auto& answer : answers.list) evidence.push_back({answer.gpu, answer.prediction.evidence});
  std::ranges::move(evidence_notes(evidence), std::back_inserter(answers.warnings));
}

void add_notes(PredictAnswers& answers) {
  std::vector<GpuPrediction> predictions;
  for (const Answer& answer : answers.list) predictions.push_back({answer.gpu, &answer.prediction});
  answers.notes = prediction_notes(predictions);
}

// A ranking of all machines passes over GPUs that the software is not known to run on; who names one is told.
std::vector<std::string> check_software(const PredictQuestion& question, const predict::Predictor& predictor,
                                        std::vector<Place>& places) {
  const jobs::Job job = job_of(question.job, kUsualBatch);
  std::set<std::string> asked;
  std::set<std::string> passed_over;
  std::erase_if(places, [&](const Place& place) {
    if (predictor.runs_on(job, *place.gpu)) return false;
    const bool ranked = !place.layout.machine.empty() && wants_all(question.machines);
    (ranked ? passed_over : asked).insert(place.gpu->id);
    return ranked;
  });
  std::vector<std::string> warnings;
  const std::string unknown = question.job.stack + " is not known to run on ";
  if (!asked.empty()) warnings.push_back(unknown + gpu_list(asked));
  if (!passed_over.empty())
    warnings.push_back("machines with " + gpu_list(passed_over) + " are left out: " + unknown + "these");
  return warnings;
}

// A largest batch that exists nowhere is an answer too, but not the one that was hoped for.
void judge_max_batch(PredictAnswers& answers) {
  const auto fits = [](const Answer& answer) { return answer.prediction.fits; };
  if (std::ranges::any_of(answers.list, fits)) return;
  answers.feasible = false;
  answers.warnings.emplace_back("no configuration: not even a batch of 1 fits");
}

// A network that fits under no layout anywhere.
void judge_layouts(PredictAnswers& answers) {
  const auto lacks = [](const Answer& a) { return (a.decoder || a.generation) && !a.prediction.fits; };
  if (!answers.list.empty() && std::ranges::all_of(answers.list, lacks)) answers.feasible = false;
}

}  // namespace

PredictAnswers predict(const PredictQuestion& question, const catalog::Catalog& catalog) {
  if (question.gpus.empty() && question.machines.empty()) {
    throw InputError({}, "`gpu` or `machine` is missing: where should '" + question.job.net.name + "' run?",
                     "such as '`gpu` v100,a100', or '`machine` all' for the whole catalogue");
  }
  std::vector<Place> places = gpu_places(question, catalog);
  std::ranges::move(machine_places(question, catalog), std::back_inserter(places));
  const nets::Network network = nets::find_network(question.job.net.name, at_field("net"));
  const std::int64_t usual = question.batches.size() == 1 ? question.batches.front() : kUsualBatch;
  Remarks remarks;
  const auto one_device = make_predictor(question.model, job_of(question.job, usual), catalog, &remarks);
  const parallel::ClusterPredictor predictor(catalog, *one_device);
  Subject subject(question, network, predictor, catalog);
  if (!subject.asks_for_law())
    std::ranges::move(check_software(question, predictor, places), std::back_inserter(remarks.warnings));
  if (question.max_batch) {
    subject.ask_max_batch(places);
  } else {
    for (const std::int64_t batch : question.batches) subject.ask_batch(batch, places);
  }
  PredictAnswers answers = std::move(subject.answers);
  answers.reading = std::move(remarks.notes);
  answers.warnings.insert(answers.warnings.begin(), remarks.warnings.begin(), remarks.warnings.end());
  if (wants_all(question.machines)) rank(answers.list);
  if (question.top && static_cast<std::size_t>(*question.top) < answers.list.size()) {
    answers.list.erase(answers.list.begin() + *question.top, answers.list.end());
  }
  gather_warnings(answers);
  add_evidence_notes(answers);
  add_notes(answers);
  if (question.max_batch) judge_max_batch(answers);
  judge_layouts(answers);
  return answers;
}

}  // namespace sextant::ask
