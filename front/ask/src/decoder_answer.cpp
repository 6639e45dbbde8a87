#include "decoder_answer.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "sextant/core/text.h"
#include "sextant/core/unit_text.h"
#include "sextant/llm/layouts.h"
#include "sextant/llm/step_model.h"
#include "sextant/parallel/cluster.h"

namespace sextant::ask {
namespace {

constexpr std::int64_t kUsualSequence = 4096;  // tokens, where the network allows as many

// Stacks by their names here, and the software of the measured steps that answers for them.
const std::map<std::string, std::string>& frameworks() {
  static const std::map<std::string, std::string> known = {
      {"pytorch", "Megatron-Bridge"}, {"megatron", "Megatron-Bridge"}, {"fsdp", "torchtitan"},
      {"torchtitan", "torchtitan"},   {"llm-foundry", "llm-foundry"},  {"nanotron", "nanotron"}};
  return known;
}

std::string framework_of(const std::string& stack) {
  const auto found = frameworks().find(stack);
  if (found != frameworks().end()) return found->second;
  std::vector<std::string> names;
  for (const auto& [name, framework] : frameworks()) names.push_back(name);
  throw InputError(at_field("stack"), "'" + stack + "' is not known to train large language models",
                   "one of: " + join(names, ", "));
}

// llm-foundry tells mixed bf16 from pure bf16; what the others call bf16 keeps fp32 weights beside.
llm::Format format_of(Precision precision, const std::string& framework) {
  switch (precision) {
    case Precision::fp16:
      return llm::Format::fp16;
    case Precision::bf16:
      return framework == "llm-foundry" ? llm::Format::bf16_amp : llm::Format::bf16;
    case Precision::fp8:
    case Precision::fp8_block:
      return llm::Format::fp8;
    case Precision::mxfp8:
      return llm::Format::mxfp8;
    case Precision::nvfp4:
      return llm::Format::nvfp4;
    default:
      return llm::Format::bf16;
  }
}

std::int64_t sequence_of(const DecoderQuestion& q) {
  if (q.job.sizes.seq) return *q.job.sizes.seq;
  return q.model.max_positions > 0 ? std::min(q.model.max_positions, kUsualSequence) : kUsualSequence;
}

// A machine's own network; of GPUs on their own, what is usual with the device.
std::optional<Bandwidth> network_of(const DecoderQuestion& q, const catalog::Catalog& catalog) {
  const jobs::Layout& layout = q.job.layout;
  if (layout.placement.nodes() < 2 || (layout.machine.empty() && layout.link.empty())) return std::nullopt;
  const auto links = parallel::cluster_links(catalog, q.gpu, layout);
  if (!links.fabric.across) return std::nullopt;
  return links.fabric.across->bandwidth / static_cast<double>(layout.placement.fullest());
}

llm::StepCase case_of(const DecoderQuestion& q, const catalog::Catalog& catalog) {
  llm::StepCase step;
  step.model = q.model;
  step.gpu = q.gpu;
  step.gpus = q.job.layout.devices();
  step.gpus_per_node = q.job.layout.placement.fullest();
  step.network = network_of(q, catalog);
  step.sequence = sequence_of(q);
  step.global_batch =
      static_cast<double>(q.fields.global_batch.value_or(q.job.sizes.batch * q.job.layout.devices()));
  const std::string framework = framework_of(q.job.stack);
  step.format = format_of(q.job.precision, framework);
  step.stack = llm::stack_of(framework, step);
  return step;
}

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
  if (!choice.time.timed_gpu) reasons.push_back("no step on " + choice.step.gpu.id + " was in the fit");
  if (!choice.time.timed_stack) reasons.emplace_back("no step with this software was in the fit");
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

llm::TrainingMemory memory_need(const llm::StepCase& step, const std::string& framework) {
  return llm::training_memory(llm::memory_question(step, framework), llm::usable_memory(step.gpu));
}

Chosen given_layout(const llm::StepCase& step, const std::string& text, const std::string& framework) {
  llm::LayoutChoice choice;
  choice.step = llm::with_layout(step, llm::parse_layout(text, at_field("layout")));
  llm::check(choice.step);
  choice.time = llm::predict_step(llm::builtin_step_model(), choice.step);
  choice.memory = llm::memory_verdict(memory_need(choice.step, framework), llm::usable_memory(step.gpu));
  return {std::move(choice), ""};
}

Chosen best_layout(const llm::StepCase& step, const std::string& framework) {
  llm::LayoutChoices found =
      llm::search_layouts(llm::builtin_step_model(), {.job = step, .framework = framework, .most = 2});
  if (found.best.empty() && !found.closest) {
    throw InputError(at_field("layout"),
                     "no layout of " + std::to_string(step.gpus) + " GPUs is possible for " +
                         step.model.name + " with " + number_text(step.global_batch) + " sequences in a step",
                     "data parallelism divides the sequences; tensor parallelism divides the " +
                         std::to_string(step.model.heads) + " heads and stays in a node");
  }
  if (found.best.empty()) {
    return {*found.closest, "none of " + std::to_string(found.looked_at) + " layouts fits: " +
                                words(*found.closest) + " needs least, " + human(found.closest->memory.need) +
                                " of " + human(found.closest->memory.capacity)};
  }
  const llm::LayoutChoice& best = found.best.front();
  std::string why =
      "of " + std::to_string(found.looked_at) + " layouts, " + words(best) + " is the fastest that fits";
  if (found.best.size() > 1) {
    const double slower = 100 * (found.best[1].time.step.value / best.time.step.value - 1);
    why += "; next is " + words(found.best[1]) + ", which takes " +
           std::to_string(static_cast<int>(std::lround(slower))) + " % longer";
  }
  return {best, std::move(why)};
}

predict::Prediction prediction_of(const Chosen& chosen, const std::string& framework) {
  const llm::LayoutChoice& best = chosen.choice;
  predict::Prediction p{.iteration = best.time.step,
                        .interval = {best.time.low, best.time.high},
                        .breakdown = breakdown_of(best.time.parts),
                        .memory = memory_of(memory_need(best.step, framework)),
                        .fits = best.memory.fit != llm::Fit::does_not_fit,
                        .extrapolating = !best.time.timed_gpu || !best.time.timed_stack,
                        .model = "llm-steps",
                        .strategy = {},
                        .degrees = words(best),
                        .warnings = {},
                        .outside = outside_of(best)};
  if (!chosen.why.empty()) p.notes.push_back(chosen.why);
  if (best.memory.fit == llm::Fit::tight) {
    p.warnings.push_back(best.step.gpu.id + ": the memory is tight; it may not suffice");
  }
  return p;
}

}  // namespace

bool asks_for_decoder(const nets::Network& network, const jobs::Job& job, const DecoderFields& fields) {
  const bool decoder = network.decoder && network.decoder->kind == nets::TransformerKind::decoder;
  const bool answers = decoder && job.mode == jobs::Mode::train && is_half(job.precision);
  if (answers || !fields.given()) return answers;
  const char* field = fields.layout ? "layout" : fields.global_batch ? "global_batch" : "tokens";
  if (!decoder) {
    throw InputError(at_field(field), "'" + network.id + "' is no large language model",
                     "use a decoder by its name, such as llama-3-8b, or the path of its config.json");
  }
  if (job.mode != jobs::Mode::train)
    throw InputError(at_field(field), "this is for training, not for inference");
  throw InputError(at_field("precision"), "large language models are trained in 16 bits or less",
                   "such as '`precision` bf16'");
}

Answer decoder_answer(const DecoderQuestion& question, const catalog::Catalog& catalog) {
  const std::string framework = framework_of(question.job.stack);
  const llm::StepCase step = case_of(question, catalog);
  const std::string layout = question.fields.layout.value_or("auto");
  const Chosen chosen =
      layout == "auto" ? best_layout(step, framework) : given_layout(step, layout, framework);
  const llm::LayoutChoice& best = chosen.choice;
  Answer answer{.job = question.job,
                .gpu = question.gpu.id,
                .prediction = prediction_of(chosen, framework),
                .price = {},
                .gpu_memory = question.gpu.memory,
                .decoder = DecoderStep{.sequence = step.sequence,
                                       .global_batch = step.global_batch,
                                       .micro_batch = best.step.micro_batch,
                                       .tokens_per_second_per_gpu = best.time.tokens_per_second_per_gpu,
                                       .mfu = best.time.mfu,
                                       .fit = best.memory.fit,
                                       .margin = best.memory.margin()}};
  if (question.fields.tokens) {
    const double sequences = std::ceil(*question.fields.tokens / static_cast<double>(step.sequence));
    answer.job.duration = jobs::Duration{.epochs = 1, .samples = static_cast<std::int64_t>(sequences)};
  }
  return answer;
}

}  // namespace sextant::ask
