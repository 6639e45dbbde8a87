#include "step_shape.h"

#include <algorithm>
#include <cctype>
#include <cmath>

#include "sextant/core/text.h"

namespace sextant::llm {
namespace {

constexpr double kTera = 1e12;
constexpr double kReferenceWatts = 0.7;  // for a TFLOP/s: an H100 in 16 bits; stands in where none is stated
constexpr double kUsable = 0.92;         // of the memory; the rest is the allocator's and the driver's
constexpr double kContext = 3e9;         // bytes of libraries and communicators

bool is_rack_scale(const catalog::Gpu& gpu) {
  return gpu.id.starts_with("gb200") || gpu.id.starts_with("gb300");
}

// GPUs that reach each other without the network: a rack of NVLink, a pod of TPUs, else a node.
double domain_of(const StepCase& step) {
  constexpr double kRack = 72;
  constexpr double kPod = 256;
  constexpr double kLargePod = 8960;  // v5p
  if (is_rack_scale(step.gpu)) return kRack;
  if (step.gpu.architecture == "TPU") return step.gpu.id == "tpu-v5p" ? kLargePod : kPod;
  return static_cast<double>(std::clamp<std::int64_t>(step.gpus_per_node, 1, 8));
}

// What a GPU usually has to other nodes, from reference designs of their makers.
Bandwidth usual_network(const catalog::Gpu& gpu) {
  constexpr double kGigabits = 1e9 / 8;
  const std::string architecture = architecture_of(gpu);
  double gigabits = 400;
  if (architecture == "ampere" || architecture == "ada" || architecture == "tpu") gigabits = 200;
  if (architecture == "gaudi") gigabits = 300;
  if (architecture == "volta" || architecture == "turing" || architecture == "pascal") gigabits = 100;
  if (gpu.id.starts_with("gb300") || gpu.id.starts_with("b300")) gigabits = 800;
  return Bandwidth{gigabits * kGigabits};
}

double rate_or(const std::optional<FlopRate>& rate, double other) {
  return rate ? rate->value : other;
}

}  // namespace

std::optional<Bandwidth> assumed_network(const StepCase& step) {
  if (step.network || static_cast<double>(step.gpus) <= domain_of(step)) return {};
  return usual_network(step.gpu);
}

int bits_of(Format format) {
  switch (format) {
    case Format::fp16:
    case Format::bf16:
    case Format::bf16_amp:
      return 16;
    case Format::fp8:
    case Format::fp8_rowwise:
    case Format::mxfp8:
      return 8;
    case Format::nvfp4:
      return 4;
  }
  return 16;
}

std::string architecture_of(const catalog::Gpu& gpu) {
  std::string letters;
  for (const char c : gpu.architecture) {
    if (std::isalpha(static_cast<unsigned char>(c)) != 0)
      letters += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return letters;
}

StepRates rates_of(const StepCase& step) {
  const catalog::Gpu& gpu = step.gpu;
  StepRates r;
  r.peak_16 = rate_or(gpu.tensor_bf16, rate_or(gpu.tensor_fp16, rate_or(gpu.fp16, gpu.fp32.value)));
  const double peak_8 = rate_or(gpu.tensor_fp8, r.peak_16);
  const int bits = bits_of(step.format);
  r.peak = bits == 16 ? r.peak_16 : bits == 8 ? peak_8 : rate_or(gpu.tensor_fp4, peak_8);
  r.memory = gpu.memory_bandwidth.value;
  r.network = step.network.value_or(usual_network(step.gpu)).value;
  r.link = gpu.link_bandwidth ? gpu.link_bandwidth->value : r.network;
  r.capacity = gpu.memory.value;
  r.domain = domain_of(step);
  r.watts = gpu.tdp ? gpu.tdp->value / (r.peak / kTera) : kReferenceWatts;
  return r;
}

StepCounts step_counts(const nets::Decoder& model, std::int64_t sequence) {
  const auto real = [](std::int64_t n) { return static_cast<double>(n); };
  const nets::TokenFlops flops = nets::forward_flops(model, sequence);
  const double mamba = real(model.layers_with(nets::LayerAttention::mamba));
  const double attending = real(model.layers - model.layers_with(nets::LayerAttention::none)) - mamba;
  const double pair = 2 * real(model.kv_heads * model.head_dim);  // a key and a value of every group
  return {.parameters = nets::parameters(model),
          .scores = flops.scores.value,
          .layers = model.whole_layers(),
          .dense_layers = model.layers_with(nets::LayerMlp::dense),
          .expert_layers = model.expert_layers(),
          .full_layers = model.layers_with(nets::LayerAttention::full),
          .results = attending * real(model.heads * model.head_dim) + mamba * real(model.mamba.inner()),
          .read = attending * pair + mamba * real(model.mamba.mixed()),
          .kept = real(model.keeping_layers()) * pair,
          .flops = flops.total().value};
}

StepShape shape_of(const StepCase& step, const StepCounts& counts) {
  const nets::Decoder& d = step.model;
  const StepLayout& l = step.layout;
  const auto real = [](std::int64_t n) { return static_cast<double>(n); };
  StepShape s{};
  s.layers = counts.layers;
  s.hidden = real(d.hidden);
  s.heads = real(d.heads);
  s.head_dim = real(d.head_dim);
  s.vocab = real(d.vocab);
  s.expert_layers = real(counts.expert_layers);
  s.dense_layers = real(counts.dense_layers);
  s.experts = real(d.experts);
  s.chosen = real(d.experts_per_token);
  s.expert_ffn = real(d.expert_ffn);
  s.expert_width = real(d.routed_width());
  s.shared = real(d.shared_experts) * real(d.shared_expert_ffn);
  const double matrices = d.gated ? 2 : 1;
  s.width =
      matrices * (real(d.ffn) * s.dense_layers + (s.expert_ffn * s.chosen + s.shared) * s.expert_layers);
  s.results = counts.results;
  s.read = counts.read;
  s.kept = counts.kept;
  s.dp = real(l.dp);
  s.tp = real(l.tp);
  s.pp = real(l.pp);
  s.vp = real(l.vp);
  s.cp = real(l.cp);
  s.ep = real(l.ep);
  s.sequence = real(step.sequence);
  s.tokens = step.micro_batch * s.sequence / s.cp;
  s.split = l.sequence_parallel ? s.tp : 1;
  s.micro_batches = step.micro_batches();
  s.members = s.dp * s.cp;
  s.shards = step.state_members();
  s.count = counts.parameters;
  const double experts = real(s.count.experts);
  s.weights = (real(s.count.total()) - experts) / (s.tp * s.pp) + experts / (s.ep * s.pp);
  s.lora = step.task == Task::lora;
  return s;
}

double recomputed_share(const StepCase& step, const StepShape& s, const StepRates& rates) {
  const Sharding sharding = step.layout.sharding;
  const double kept =
      2 * (4 * s.hidden * s.layers / s.split + (2 * s.results + s.read) / s.tp) + 3 * s.width / s.tp;
  double in_flight = 1;  // micro-batches whose activations the first stage keeps
  if (s.pp > 1) {
    const double most = s.vp > 1 ? s.pp * s.vp + s.pp - 1 : s.pp;
    in_flight = std::min(s.micro_batches * s.vp, most) / s.vp;
  }
  const double activations = s.tokens * kept / s.pp * in_flight;
  const double weight_bytes = s.lora && bits_of(step.format) < 16 ? 1 : 2;
  double state = s.weights * weight_bytes / (sharding == Sharding::zero_3 ? s.shards : 1);
  if (!s.lora) {
    const bool split_gradients = sharding == Sharding::zero_2 || sharding == Sharding::zero_3;
    state += s.weights * 4 / (split_gradients ? s.shards : 1);
    state += s.weights * 12 / (sharding == Sharding::none ? 1 : s.shards);
  }
  state += s.tokens * s.vocab * 6 / s.tp;
  const double room = rates.capacity * kUsable - kContext;
  return std::clamp((state + activations - room) / activations, 0.0, 1.0);
}

}  // namespace sextant::llm
