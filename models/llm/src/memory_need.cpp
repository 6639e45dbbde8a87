#include <algorithm>
#include <cmath>

#include "memory_layer.h"
#include "sextant/core/error.h"
#include "sextant/llm/memory.h"

namespace sextant::llm {
namespace {

constexpr double kHalfBytes = 2;
constexpr double kSlack = 0.05;               // of what comes and goes
constexpr double kContextBytes = 1073741824;  // CUDA with its libraries, and NCCL's buffers
// Of a parameter in 4 bits with a scale in fp32 for 64 of them; the scales in 8 bits, with one for 256 of
// those.
constexpr double kFourBits = 0.5;
constexpr double kScale = 4.0 / 64;
constexpr double kDoubleScale = 1.0 / 64 + 4.0 / (64 * 256);
constexpr int kAutomaticSteps = 16;
// An automatic choice leaves some memory, as users do.
constexpr double kAutomaticFill = 0.94;

// Bytes of a logit: 16 and 32 bits, probabilities, and gradients of both; eager code keeps one copy more.
double logit_bytes(LossKind kind) {
  switch (kind) {
    case LossKind::eager:
      return 14;
    case LossKind::compiled:
      return 12;
    case LossKind::in_place:
      return 4;
    case LossKind::chunked:
      return 1;
  }
  return 0;
}

// Parameters of the whole network, by where they stand.
struct Counts {
  double embedding, head, words;  // words: the matrix of the vocabulary alone
  double layer, experts;          // of a mean layer; experts apart
  double total;
};

Counts counts_of(const nets::Decoder& d) {
  const nets::ParameterCount p = nets::parameters(d);
  const auto layers = static_cast<double>(d.layers);
  Counts c{};
  c.embedding = static_cast<double>(p.embedding);
  c.words = static_cast<double>(d.vocab) * static_cast<double>(d.hidden);
  c.head = d.tied ? c.words : static_cast<double>(p.head);
  c.total = static_cast<double>(p.total());
  c.experts = static_cast<double>(p.experts) / layers;
  c.layer = (c.total - c.embedding - static_cast<double>(p.head)) / layers - c.experts;
  return c;
}

// A pipeline's first or last device.
struct MemoryStage {
  bool first = false;
  bool last = false;
  double layers = 0;
  double in_flight = 0;  // layers times the micro-batches that wait for their backward pass
};

MemoryStage stage_at(const StepCase& at, bool last) {
  const auto layers = static_cast<double>(at.model.layers);
  const auto p = static_cast<double>(at.layout.pp);
  const auto v = static_cast<double>(at.layout.vp);
  const double waiting = std::max(1.0, at.micro_batches());
  MemoryStage stage{.first = !last || p == 1, .last = last || p == 1};
  stage.layers = v > 1 ? layers / p : std::ceil(layers / p);
  if (p == 1) {
    stage.in_flight = stage.layers;
  } else if (v == 1) {
    stage.in_flight = stage.layers * std::min(waiting, last ? 1 : p);
  } else {
    const double full = last ? stage.layers * ((v - 1) * p + 1) / v : layers * (1 + (p - 1) / (p * v));
    stage.in_flight = std::min(stage.layers * waiting, full);
  }
  return stage;
}

// What one micro-batch leaves in a layer, and what the backward pass makes again at a time.
struct Kept {
  double saved = 0;
  double again = 0;
};

struct Device {
  const MemoryQuestion& q;
  Counts counts;
  LayerBytes bytes;
  double tokens;  // of a micro-batch on this device
  double tensor;
  double sequence_split;  // tensor ranks over which `shared` values are split

  explicit Device(const MemoryQuestion& question)
      : q(question),
        counts(counts_of(question.at.model)),
        bytes(layer_bytes(question)),
        tokens(question.at.micro_batch * static_cast<double>(question.at.sequence) /
               static_cast<double>(question.at.layout.cp)),
        tensor(static_cast<double>(question.at.layout.tp)),
        sequence_split(question.at.layout.sequence_parallel ? tensor : 1) {}

  [[nodiscard]] double whole_layer() const {
    return tokens * (bytes.shared / sequence_split + (bytes.split + bytes.scores) / tensor);
  }
  [[nodiscard]] double layer_input() const { return tokens * bytes.input / sequence_split; }

  [[nodiscard]] Kept kept(Recompute recompute) const {
    if (recompute == Recompute::none) return {whole_layer(), 0};
    if (recompute == Recompute::full) return {layer_input(), whole_layer()};
    if (!q.stack.fused_attention) {
      const double scores = tokens * bytes.scores / tensor;
      return {whole_layer() - scores, scores};
    }
    if (!q.stack.chooses_products) return {whole_layer(), 0};
    return {tokens * (bytes.chosen_shared / sequence_split + bytes.chosen_split / tensor), whole_layer()};
  }
  // So much of the layers is computed again.
  [[nodiscard]] Kept kept(double share) const {
    return {share * layer_input() + (1 - share) * whole_layer(), share > 0 ? whole_layer() : 0};
  }
};

double frozen_bytes(const MemoryQuestion& q, double parameters, double words) {
  const double products = parameters - words;
  const double plain = q.stack.weight.value * parameters;
  switch (q.at.tuning.frozen) {
    case FrozenWeights::plain:
      return plain;
    case FrozenWeights::int8:
      return kHalfBytes * words + products;
    case FrozenWeights::nf4:
    case FrozenWeights::fp4:
      return kHalfBytes * words + (kFourBits + kScale) * products;
    case FrozenWeights::nf4_double:
      return kHalfBytes * words + (kFourBits + kDoubleScale) * products;
  }
  return plain;
}

// Parameters of one kind, split over so many replicas.
void add_state(const MemoryQuestion& q, double parameters, double replicas, TrainingMemory& memory) {
  const Sharding sharding = q.at.layout.sharding;
  const auto over = [&](Sharding from) { return sharding >= from ? replicas : 1.0; };
  if (q.stack.offloads_optimizer) {
    memory.weights += parameters / over(Sharding::zero_3) * q.stack.weight;
    return;
  }
  // With zero_3 the fp32 weights are the ones that are split; 16-bit ones exist only where they are gathered.
  if (sharding != Sharding::zero_3)
    memory.weights += parameters * q.stack.weight;
  else if (q.master == Bytes{})
    memory.weights += parameters / replicas * q.stack.weight;
  memory.gradients += parameters / over(Sharding::zero_2) * q.stack.gradient;
  memory.optimizer += parameters / over(Sharding::zero_1) * (q.master + q.optimizer);
}

void add_stage_state(const Device& device, const MemoryStage& stage, TrainingMemory& memory) {
  const MemoryQuestion& q = device.q;
  const StepLayout& layout = q.at.layout;
  const auto experts = static_cast<double>(layout.ep);
  const double replicas = q.at.state_members();
  double dense = stage.layers * device.counts.layer / device.tensor;
  if (stage.first) dense += device.counts.embedding / device.tensor;
  if (stage.last && !(stage.first && q.at.model.tied)) dense += device.counts.head / device.tensor;
  const double routed = stage.layers * device.counts.experts / experts;
  if (q.at.tuning.trained == Trained::everything) {
    add_state(q, dense, replicas, memory);
    add_state(q, routed, std::max(1.0, replicas / experts), memory);
    return;
  }
  const double words = stage.first ? device.counts.embedding / device.tensor : 0;
  const double shards = layout.sharding == Sharding::zero_3 ? replicas : 1;
  memory.weights += Bytes{frozen_bytes(q, dense + routed, words) / shards};
  const double added =
      q.at.tuning.added_parameters * stage.layers / static_cast<double>(q.at.model.layers) / device.tensor;
  memory.gradients += added * q.stack.gradient;
  memory.optimizer += added * (q.master + q.optimizer);
  memory.weights += added * Bytes{4};
}

Bytes gathered_bytes(const Device& device) {
  const MemoryQuestion& q = device.q;
  const Counts& c = device.counts;
  if (q.at.layout.sharding != Sharding::zero_3)
    return Bytes{q.at.tuning.frozen == FrozenWeights::plain ? 0 : kHalfBytes * c.words / device.tensor};
  const double root = (q.at.model.tied ? c.words : c.words + c.head) / device.tensor;
  const double layer = c.layer / device.tensor + c.experts / static_cast<double>(q.at.layout.ep);
  double bytes = kHalfBytes * (root + 2 * layer);
  if (q.at.tuning.trained == Trained::everything)
    bytes += q.stack.gathered_gradient.value * (root + layer);
  else if (q.stack.frozen_stay_gathered)
    bytes += kHalfBytes * c.total / device.tensor;
  return Bytes{bytes};
}

TrainingMemory stage_memory(const Device& device, const MemoryStage& stage, const Kept& kept) {
  const MemoryQuestion& q = device.q;
  const auto hidden = static_cast<double>(q.at.model.hidden);
  // Input and gradient of a product whose sequence was gathered from the tensor ranks, or of the head.
  const double gathered_sequence = 2 * kHalfBytes * device.tokens * hidden;
  TrainingMemory memory;
  add_stage_state(device, stage, memory);
  memory.gathered = gathered_bytes(device);
  memory.activations = Bytes{stage.in_flight * kept.saved + (stage.first ? device.layer_input() : 0)};
  if (stage.last) {
    const double logits = device.tokens * static_cast<double>(q.at.model.vocab) / device.tensor;
    memory.logits = Bytes{logit_bytes(q.stack.loss) * logits + gathered_sequence};
  }
  if (kept.again > 0)
    memory.recomputed = Bytes{kept.again + (device.sequence_split > 1 ? gathered_sequence : 0)};
  memory.slack = kSlack * memory.moving();
  memory.context = Bytes{kContextBytes};
  return memory;
}

TrainingMemory fullest_stage(const Device& device, const Kept& kept) {
  TrainingMemory first = stage_memory(device, stage_at(device.q.at, false), kept);
  if (device.q.at.layout.pp == 1) return first;
  const TrainingMemory last = stage_memory(device, stage_at(device.q.at, true), kept);
  return last.total() > first.total() ? last : first;
}

void check_degrees(const StepCase& at) {
  const auto refuse = [](const char* field, const std::string& what, const std::string& hint) {
    throw InputError(at_field(field), what, hint);
  };
  const StepLayout& layout = at.layout;
  for (const auto& [name, degree] :
       {std::pair{"dp", layout.dp}, std::pair{"tp", layout.tp}, std::pair{"pp", layout.pp},
        std::pair{"vp", layout.vp}, std::pair{"cp", layout.cp}, std::pair{"ep", layout.ep}}) {
    if (degree < 1) refuse(name, "a degree of " + std::to_string(degree), "at least 1");
  }
  const nets::Decoder& d = at.model;
  if (d.heads % layout.tp != 0)
    refuse("tp", "a tensor degree of " + std::to_string(layout.tp) + " does not divide the heads",
           "a divisor of " + std::to_string(d.heads));
  if (layout.pp > d.layers) refuse("pp", "more stages than layers", "at most " + std::to_string(d.layers));
  if (layout.ep > std::max<std::int64_t>(1, d.experts))
    refuse("ep", "an expert degree above the experts",
           "at most " + std::to_string(std::max<std::int64_t>(1, d.experts)));
}

}  // namespace

Bytes TrainingMemory::moving() const {
  return gathered + activations + std::max(logits, recomputed);
}

TrainingMemory training_memory(const MemoryQuestion& question, Bytes capacity) {
  check_degrees(question.at);
  const Device device(question);
  if (const auto& recompute = question.at.layout.recompute) {
    TrainingMemory memory = fullest_stage(device, device.kept(*recompute));
    memory.recomputed_share = *recompute == Recompute::full ? 1 : 0;
    return memory;
  }
  TrainingMemory memory;
  for (int step = 0; step <= kAutomaticSteps; ++step) {
    const double share = static_cast<double>(step) / kAutomaticSteps;
    memory = fullest_stage(device, device.kept(share));
    memory.recomputed_share = share;
    if (memory.total() <= kAutomaticFill * capacity) break;
  }
  return memory;
}

}  // namespace sextant::llm
