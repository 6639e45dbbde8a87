#include "decoder_answer.h"

#include <algorithm>
#include <cmath>

#include "sextant/core/text.h"
#include "sextant/core/unit_text.h"
#include "sextant/llm/layouts.h"
#include "sextant/llm/step_model.h"
#include "sextant/llm/tuning.h"

namespace sextant::ask {
namespace {

constexpr double kEquallyFast = 0.005;   // a difference that nobody measures
constexpr double kMostSequences = 1e15;  // so that steps are counted in whole numbers

predict::MemoryNeed memory_of(const llm::TrainingMemory& m) {
  return {.weights = m.weights,
          .gradients = m.gradients,
          .optimizer = m.optimizer,
          .activations = m.moving(),
          .workspace = {},
          .context = m.slack + m.context};
}

predict::Breakdown breakdown_of(const llm::StepParts& p) {
  return {.compute = p.matrices + p.attention + p.memory + p.launches,
          .communication = p.tensor + p.experts + p.context + p.pipeline + p.replicas,
          .input = {},
          .overhead = p.optimizer};
}

std::vector<std::string> outside_of(const llm::LayoutChoice& choice) {
  std::vector<std::string> reasons;
  const llm::StepCase& step = choice.step;
  if (!choice.time.timed_gpu)
    reasons.push_back("no step on " + step.gpu.id + " in this format was in the fit");
  if (!choice.time.timed_stack) reasons.emplace_back("no step with this software was in the fit");
  if (!choice.time.timed_pair)
    reasons.push_back("steps with " + step.stack.name + " were in the fit, but none on " +
                      step.gpu.architecture + " GPUs");
  if (!choice.time.timed_kind) reasons.emplace_back("no network whose layers keep states was in the fit");
  if (step.format == llm::Format::bf16 && !step.gpu.tensor_bf16)
    reasons.push_back(step.gpu.id + " has no bf16: its rate of fp16 is taken");
  if (step.model.max_positions > 0 && step.sequence > step.model.max_positions) {
    reasons.push_back(step.model.name + " is made for sequences of at most " +
                      std::to_string(step.model.max_positions) + " tokens");
  }
  return reasons;
}

// The layout that was asked for, or the best, with why.
struct Chosen {
  llm::LayoutChoice choice;
  std::string why;
};

std::string words(const llm::LayoutChoice& choice) {
  return llm::layout_text(choice.step.layout, choice.step.micro_batch);
}

// Sequences that micro-batches on all replicas make, near to what was asked for.
std::string batch_hint(double global, double at_once) {
  const double below = std::floor(global / at_once) * at_once;
  std::string text = "a multiple of " + number_text(at_once) + " sequences, such as ";
  return text + number_text(below > 0 ? below : at_once) + ", or another `micro` or `dp`";
}

// What is wrong with one of its degrees is wrong with the layout.
void check_given(const llm::StepCase& step) {
  try {
    llm::check(step);
  } catch (const InputError& error) {
    throw InputError(at_field("layout"), error.message(), error.hint());
  }
}

// Micro-batches of the layout make a step, whose size may have been said as well.
void check_sequences(const llm::StepCase& step, double said) {
  if (step.global_batch == said) return;
  throw InputError(at_field("layout"),
                   "`accum` makes steps of " + number_text(step.global_batch) + " sequences (" +
                       std::to_string(step.layout.dp) + " replicas with " +
                       number_text(step.micro_batches()) + " micro-batches of " +
                       number_text(step.micro_batch) + "), but the global batch is " + number_text(said),
                   "leave out one of the two");
}

Chosen given_layout(llm::MemoryQuestion question, const DecoderFields& fields) {
  const llm::LayoutText text = llm::parse_layout(*fields.layout, at_field("layout"));
  llm::LayoutChoice choice;
  choice.step = llm::with_layout(question.at, text);
  const llm::StepCase& step = choice.step;
  check_given(step);
  if (fields.global_batch || fields.global_batch_tokens) check_sequences(step, question.at.global_batch);
  if (const std::string why = llm::why_not_run(step); !why.empty())
    throw InputError(at_field("layout"), why, "`layout` auto finds one that runs");
  const double at_once = static_cast<double>(step.layout.dp) * step.micro_batch;
  if (std::fmod(step.global_batch, at_once) != 0) {
    throw InputError(at_field("layout"),
                     std::to_string(step.layout.dp) + " replicas with micro-batches of " +
                         number_text(step.micro_batch) + " do not make up a step of " +
                         number_text(step.global_batch) + " sequences",
                     batch_hint(step.global_batch, at_once));
  }
  choice.time = llm::predict_step(llm::builtin_step_model(), step);
  question.at = step;
  const Bytes capacity = llm::usable_memory(step.gpu);
  choice.memory = llm::memory_verdict(llm::training_memory(question, capacity), capacity);
  return {std::move(choice), ""};
}

// "58.9 GiB of 79.0 GiB, 20.1 GiB to spare"
std::string need_text(const llm::MemoryVerdict& memory) {
  const bool lacks = memory.margin() < Bytes{};
  return human(memory.need) + " of " + human(memory.capacity) + ", " +
         human(lacks ? memory.need - memory.capacity : memory.margin()) + (lacks ? " too much" : " to spare");
}

std::string percent_text(double share) {
  const double percent = 100 * share;
  return number_text(percent < 10 ? std::round(10 * percent) / 10 : std::round(percent)) + " %";
}

// "64 x h100-sxm-80gb"
std::string place_text(const llm::StepCase& step) {
  return std::to_string(step.gpus) + " x " + step.gpu.id;
}

// The number of GPUs, doubled until a layout fits; 0: none up to a hundred thousand.
std::int64_t enough_gpus(llm::MemoryQuestion question) {
  constexpr std::int64_t kMostGpus = 100'000;
  for (question.at.gpus *= 2; question.at.gpus <= kMostGpus; question.at.gpus *= 2) {
    question.at.gpus_per_node = std::min<std::int64_t>(question.at.gpus, 8);
    if (!llm::search_layouts(llm::builtin_step_model(), {.job = question, .most = 1}).best.empty())
      return question.at.gpus;
  }
  return 0;
}

std::string why_best(const llm::LayoutChoices& found) {
  const llm::LayoutChoice& best = found.best.front();
  std::string why = place_text(best.step) + ": of " + std::to_string(found.looked_at) + " layouts, " +
                    words(best) + " is the fastest that fits (" + need_text(best.memory) +
                    (best.memory.fit == llm::Fit::tight ? ", which is tight)" : ")");
  if (found.best.size() > 1) {
    const double slower = found.best[1].time.step.value / best.time.step.value - 1;
    why += "; next is " + words(found.best[1]) +
           (slower < kEquallyFast ? ", which is equally fast"
                                  : ", which takes " + percent_text(slower) + " longer");
  }
  if (!found.risky) return why;
  return why + "; " + words(*found.risky) + " is " +
         percent_text(1 - found.risky->time.step.value / best.time.step.value) +
         " faster, but its memory is tight (" + need_text(found.risky->memory) + ")";
}

Chosen best_layout(const llm::MemoryQuestion& question) {
  const llm::StepCase& step = question.at;
  llm::LayoutChoices found = llm::search_layouts(llm::builtin_step_model(), {.job = question, .most = 2});
  if (found.best.empty() && !found.closest) {
    throw InputError(at_field("layout"),
                     "no layout of " + std::to_string(step.gpus) + " GPUs is possible for " +
                         step.model.name + " with " + number_text(step.global_batch) + " sequences in a step",
                     "data parallelism divides the sequences; tensor parallelism divides the " +
                         std::to_string(step.model.heads) + " heads and stays in a node");
  }
  if (!found.best.empty()) return {found.best.front(), why_best(found)};
  return {*found.closest, place_text(step) + ": none of " + std::to_string(found.looked_at) +
                              " layouts fits; " + words(*found.closest) + " needs least, " +
                              need_text(found.closest->memory)};
}

predict::Prediction prediction_of(const Chosen& chosen, const llm::TrainingMemory& memory) {
  const llm::LayoutChoice& best = chosen.choice;
  predict::Prediction p{.iteration = best.time.step,
                        .interval = {best.time.low, best.time.high},
                        .breakdown = breakdown_of(best.time.parts),
                        .memory = memory_of(memory),
                        .fits = best.memory.fit != llm::Fit::does_not_fit,
                        .extrapolating = false,
                        .model = "llm-steps",
                        .strategy = {},
                        .degrees = words(best),
                        .warnings = {},
                        .outside = outside_of(best)};
  p.extrapolating = !p.outside.empty();
  if (!chosen.why.empty()) p.notes.push_back(chosen.why);
  if (best.step.task == llm::Task::lora) p.notes.push_back(llm::tuning_text(best.step.tuning));
  if (best.memory.fit == llm::Fit::tight) {
    p.warnings.push_back(place_text(best.step) + ": the memory is tight, " + need_text(best.memory) +
                         "; it may not suffice");
  }
  return p;
}

DecoderStep step_of(const llm::LayoutChoice& best) {
  const double per_gpu = best.time.tokens_per_second_per_gpu;
  return {.sequence = best.step.sequence,
          .global_batch = best.step.global_batch,
          .micro_batch = best.step.micro_batch,
          .accumulation = best.step.micro_batches(),
          .tokens_per_second = per_gpu * static_cast<double>(best.step.gpus),
          .tokens_per_second_per_gpu = per_gpu,
          .mfu = best.time.mfu,
          .fit = best.memory.fit,
          .margin = best.memory.margin()};
}

// What the answer takes for granted, since nobody said it; empty: nothing.
std::string assumed_text(const DecoderQuestion& question, const llm::LayoutChoice& choice) {
  constexpr double kGigabit = 1e9 / 8;  // bytes
  const llm::StepCase& step = choice.step;
  std::vector<std::string> parts;
  if (question.job.stack == jobs::Job{}.stack)
    parts.emplace_back("a Megatron of today with fused attention (`stack` names other software)");
  if (question.job.optimizer == jobs::Optimizer::sgd) parts.emplace_back("AdamW");
  if (const auto network = llm::assumed_network(step)) {
    parts.push_back(number_text(std::round(network->value / kGigabit)) +
                    " Gb/s to other nodes for each GPU, as is usual with " + step.gpu.id);
  }
  if (!step.layout.recompute) parts.emplace_back("as little computed again as memory allows");
  return parts.empty() ? "" : "assumed: " + join(parts, "; ");
}

const char* first_field(const DecoderFields& fields) {
  if (fields.layout) return "layout";
  if (fields.global_batch) return "global_batch";
  if (fields.global_batch_tokens) return "global_batch_tokens";
  return fields.tokens ? "tokens" : "finetune";
}

}  // namespace

bool asks_for_decoder(const nets::Network& network, const jobs::Job& job, const DecoderFields& fields) {
  const bool decoder = network.decoder && network.decoder->kind == nets::TransformerKind::decoder;
  const bool answers = decoder && job.mode == jobs::Mode::train && is_half(job.precision);
  if (answers || !fields.given()) return answers;
  const char* field = first_field(fields);
  if (!decoder) {
    throw InputError(at_field(field), "'" + network.id + "' is no large language model",
                     "use a decoder by its name, such as llama-3-8b, or the path of its config.json");
  }
  if (job.mode != jobs::Mode::train)
    throw InputError(at_field(field), "this is for training, not for inference");
  throw InputError(at_field("precision"), "large language models are trained in 16 bits or less",
                   "such as '`precision` bf16'");
}

std::int64_t sequences_of(double tokens, std::int64_t sequence) {
  const double sequences = std::ceil(tokens / static_cast<double>(sequence));
  if (!(sequences >= 1) || sequences > kMostSequences)
    throw InputError(at_field("tokens"), number_text(tokens) + " tokens are no training",
                     "such as 15T, which is 15e12");
  return static_cast<std::int64_t>(sequences);
}

PlacedDecoder place_decoder(const DecoderQuestion& question, const catalog::Catalog& catalog) {
  llm::MemoryQuestion job = decoder_job(question, catalog);
  const std::string layout = question.fields.layout.value_or("auto");
  const Chosen chosen = layout == "auto" ? best_layout(job) : given_layout(job, question.fields);
  job.at = chosen.choice.step;
  const llm::TrainingMemory memory = llm::training_memory(job, llm::usable_memory(question.gpu));
  return {prediction_of(chosen, memory), step_of(chosen.choice), assumed_text(question, chosen.choice)};
}

Answer decoder_answer(const DecoderQuestion& question, const catalog::Catalog& catalog) {
  PlacedDecoder placed = place_decoder(question, catalog);
  if (!placed.assumed.empty()) placed.prediction.notes.push_back(placed.assumed);
  Answer answer{.job = question.job,
                .gpu = question.gpu.id,
                .prediction = std::move(placed.prediction),
                .price = {},
                .gpu_memory = question.gpu.memory,
                .decoder = placed.step};
  if (!answer.prediction.fits && question.fields.layout.value_or("auto") == "auto") {
    if (const std::int64_t gpus = enough_gpus(decoder_job(question, catalog)); gpus > 0)
      answer.prediction.notes.push_back("it fits on " + std::to_string(gpus) + " such GPUs");
  }
  if (answer.job.optimizer == jobs::Optimizer::sgd) answer.job.optimizer = jobs::Optimizer::adamw;
  if (question.fields.tokens) {
    answer.job.duration =
        jobs::Duration{.epochs = 1, .samples = sequences_of(*question.fields.tokens, placed.step.sequence)};
  }
  return answer;
}

}  // namespace sextant::ask
