#include "decoder_job.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "sextant/core/text.h"
#include "sextant/llm/tuning.h"
#include "sextant/parallel/cluster.h"

namespace sextant::ask {
namespace {

constexpr double kLargeModel = 1e9;  // parameters

// Stacks by their names here, and the software of the measured steps that answers for them.
const std::map<std::string, std::string>& frameworks() {
  static const std::map<std::string, std::string> known = {{"pytorch", llm::kUsualFramework},
                                                           {"megatron", llm::kUsualFramework},
                                                           {"fsdp", "torchtitan compile"},
                                                           {"torchtitan", "torchtitan compile"},
                                                           {"llm-foundry", "llm-foundry"},
                                                           {"nanotron", "nanotron"},
                                                           {"nemo", "NeMo"},
                                                           {"deepspeed", "DeepSpeed ZeRO-3"},
                                                           {"megatron-lm", "Megatron-LM"}};
  return known;
}

constexpr std::array<PrecisionFormats, 6> kFormats = {
    {{Precision::bf16, llm::Format::bf16, llm::WeightFormat::bf16},
     {Precision::fp16, llm::Format::fp16, llm::WeightFormat::bf16},
     {Precision::fp8, llm::Format::fp8, llm::WeightFormat::fp8},
     {Precision::fp8_block, llm::Format::fp8, llm::WeightFormat::fp8_block},
     {Precision::mxfp8, llm::Format::mxfp8, llm::WeightFormat::fp8},
     {Precision::nvfp4, llm::Format::nvfp4, llm::WeightFormat::nvfp4}}};

// A machine's own network; of GPUs on their own, what is usual with the device.
std::optional<Bandwidth> network_of(const DecoderQuestion& q, const catalog::Catalog& catalog) {
  const jobs::Layout& layout = q.job.layout;
  if (layout.placement.nodes() < 2 || (layout.machine.empty() && layout.link.empty())) return std::nullopt;
  const auto links = parallel::cluster_links(catalog, q.gpu, layout);
  if (!links.fabric.across) return std::nullopt;
  return links.fabric.across->bandwidth / static_cast<double>(layout.placement.fullest());
}

// Plain SGD, which is what a job has that says nothing, is taken for Adam: decoders are not trained without.
Bytes optimizer_bytes(const jobs::Job& job) {
  const jobs::Optimizer optimizer =
      job.optimizer == jobs::Optimizer::sgd ? jobs::Optimizer::adamw : job.optimizer;
  return optimizer_state_size(optimizer, job.precision);
}

}  // namespace

std::int64_t sequence_length(const nets::Network& network, const jobs::Job& job) {
  return job.sizes.seq.value_or(network.defaults.seq);
}

std::string framework_of(const std::string& stack) {
  const auto found = frameworks().find(stack);
  if (found != frameworks().end()) return found->second;
  std::vector<std::string> names;
  for (const auto& [name, framework] : frameworks()) names.push_back(name);
  throw InputError(at_field("stack"), "'" + stack + "' is not known to train large language models",
                   "one of: " + join(names, ", "));
}

llm::Format format_of(Precision precision, const std::string& framework) {
  if (precision == Precision::bf16 && framework == "llm-foundry") return llm::Format::bf16_amp;
  return formats_of(precision).products;
}

const PrecisionFormats& formats_of(Precision precision) {
  const auto* found = std::ranges::find(kFormats, precision, &PrecisionFormats::precision);
  return found == kFormats.end() ? kFormats.front() : *found;
}

bool trains_decoders(const std::string& stack) {
  return frameworks().contains(stack);
}

std::optional<std::int64_t> said_global_batch(const DecoderFields& fields, std::int64_t sequence) {
  if (fields.global_batch && fields.global_batch_tokens) {
    throw InputError(at_field("global_batch_tokens"),
                     "`global_batch` says in sequences what this says in tokens", "leave out one of the two");
  }
  if (!fields.global_batch_tokens) return fields.global_batch;
  return std::max<std::int64_t>(1, std::llround(*fields.global_batch_tokens / static_cast<double>(sequence)));
}

llm::MemoryQuestion decoder_job(const DecoderQuestion& q, const catalog::Catalog& catalog) {
  if (!q.gpu.tensor_bf16 && !q.gpu.tensor_fp16) {
    throw InputError(at_field("gpu"), q.gpu.id + " has no matrix units for 16 bits",
                     "large language models are trained on newer ones");
  }
  llm::StepCase step;
  step.model = *q.network.decoder;
  step.gpu = q.gpu;
  step.gpus = q.job.layout.devices();
  step.gpus_per_node = q.job.layout.placement.fullest();
  step.network = network_of(q, catalog);
  step.sequence = sequence_length(q.network, q.job);
  step.global_batch = static_cast<double>(
      said_global_batch(q.fields, step.sequence).value_or(q.job.sizes.batch * q.job.layout.devices()));
  if (q.fields.finetune) {
    step.tuning = llm::parse_tuning(*q.fields.finetune, step.model, at_field("finetune"));
    step.task = step.tuning.trained == llm::Trained::everything ? llm::Task::sft : llm::Task::lora;
  }
  const std::string framework = framework_of(q.job.stack);
  step.format = format_of(q.job.precision, framework);
  step.stack = llm::stack_of(framework, step);
  llm::MemoryQuestion question = llm::memory_question(std::move(step), framework);
  question.optimizer = optimizer_bytes(q.job);
  if (!keeps_master_weights(q.job.precision)) question.master = Bytes{};
  return question;
}

void check_law_fields(const ModelFields& model, const std::vector<std::string>& strategies) {
  const bool chosen =
      std::ranges::any_of(strategies, [](const std::string& s) { return s != "auto" && s != "data"; });
  if (chosen) {
    throw InputError(at_field("strategy"), "a large language model has a layout, not a strategy",
                     "as in '`layout` tp=2,dp=4'");
  }
  const bool other = model.predictor != ModelFields{}.predictor;
  if (!model.measured && !model.model && !other) return;
  throw InputError(at_field(model.measured ? "measured"
                            : model.model  ? "model"
                                           : "predictor"),
                   "large language models are answered by laws of their own, which do not use this",
                   "leave it out");
}

bool trains_in_bf16(const nets::Network& network, const jobs::Job& job, const DecoderFields& fields) {
  if (!network.decoder || network.decoder->kind != nets::TransformerKind::decoder) return false;
  if (job.mode != jobs::Mode::train) return false;
  return fields.given() || static_cast<double>(nets::parameters(*network.decoder).total()) >= kLargeModel;
}

}  // namespace sextant::ask
