#include "prompt_answer.h"

#include "sextant/llm/memory.h"
#include "sextant/llm/prompt.h"

namespace sextant::ask {
namespace {

constexpr double kLargeNetwork = 1e9;            // parameters
constexpr double kEngineContext = 1.5 * 0x1p30;  // bytes of libraries, recorded graphs and work space

llm::GemmFormat product_format(Precision precision) {
  switch (precision) {
    case Precision::fp8:
    case Precision::mxfp8:
      return llm::GemmFormat::fp8;
    case Precision::fp8_block:
      return llm::GemmFormat::fp8_block;
    case Precision::nvfp4:
      return llm::GemmFormat::nvfp4;
    default:
      return llm::GemmFormat::bf16;
  }
}

Bytes weight_bytes(Precision precision) {
  if (precision == Precision::nvfp4) return Bytes{0.5 + 1.0 / 16};
  return Bytes{is_fp8(precision) ? 1.0 : 2.0};
}

predict::MemoryNeed need_of(const llm::PromptPass& pass, Precision precision) {
  const Bytes value{2};
  const double tokens = pass.prompts * pass.length;
  const auto parameters = static_cast<double>(nets::parameters(pass.model).total());
  const Bytes cache =
      pass.prompts * cache_of_sequence(pass.model, static_cast<std::int64_t>(pass.length), value);
  const double widest = static_cast<double>(pass.model.hidden) * 4 +
                        (pass.model.gated ? 2 : 1) * static_cast<double>(pass.model.ffn) / pass.ranks;
  return {.weights = parameters / pass.ranks * weight_bytes(precision),
          .gradients = {},
          .optimizer = {},
          .activations = (1 / pass.ranks) * cache + tokens * widest * value,
          .workspace = {},
          .context = Bytes{kEngineContext}};
}

}  // namespace

bool asks_for_prompt(const PredictQuestion& question, const nets::Network& network, const jobs::Job& job) {
  if (job.mode != jobs::Mode::infer || !is_half(job.precision) || !network.decoder) return false;
  const ModelFields& model = question.model;
  if (model.predictor != ModelFields{}.predictor || model.model || model.measured) return false;
  return job.stack == JobFields{}.stack && llm::knows_prompts(*network.decoder) &&
         static_cast<double>(nets::parameters(*network.decoder).total()) >= kLargeNetwork;
}

Answer prompt_answer(const nets::Decoder& model, const jobs::Job& job, const catalog::Gpu& gpu) {
  if (job.layout.placement.nodes() > 1) {
    throw InputError(at_field("nodes"), "the GPUs that share the layers of a prompt stand in one node",
                     "ask for one of the nodes");
  }
  const llm::PromptPass pass{.model = model,
                             .gpu = gpu,
                             .prompts = static_cast<double>(job.sizes.batch * job.layout.devices()),
                             .length = static_cast<double>(job.sizes.seq.value_or(model.max_positions)),
                             .ranks = static_cast<double>(job.layout.devices()),
                             .format = product_format(job.precision)};
  const llm::PromptTime time = prompt_time(llm::builtin_kernel_model(), pass);
  predict::Prediction p{.iteration = time.time,
                        .interval = {time.low, time.high},
                        .breakdown = {.compute = time.products + time.attention + time.memory,
                                      .communication = time.collectives,
                                      .input = {},
                                      .overhead = {}},
                        .memory = need_of(pass, job.precision),
                        .extrapolating = !time.timed_architecture,
                        .model = "llm-kernels",
                        .warnings = {}};
  p.fits = p.memory.total() <= llm::usable_memory(gpu);
  if (pass.ranks > 1) p.degrees = "tp=" + std::to_string(job.layout.devices());
  if (p.extrapolating) p.outside.push_back("no kernels of " + gpu.architecture + " were in the fit");
  p.notes.emplace_back(
      "the time is that of the prompts, up to the first new token, as inference engines run them");
  return {.job = job, .gpu = gpu.id, .prediction = std::move(p), .price = {}, .gpu_memory = gpu.memory};
}

}  // namespace sextant::ask
