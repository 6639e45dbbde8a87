// A network on one kind of device as the strategies see it: per layer |x|, |y|, |w|, FW, BW and WU of
// ParaDL (Kahira et al., HPDC 2021), and what tensor parallelism and pipelines need besides.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "sextant/core/units.h"

namespace sextant::parallel {

// What a layer does under tensor parallelism (Megatron): computed by every device, split between them, or
// split so that the parts of its output are summed (the second matrix of a pair).
enum class TensorRole { replicated, split, reduced };

struct LayerLoad {
  std::string name;
  double input = 0;      // |x|: elements of one sample
  double output = 0;     // |y|
  double weights = 0;    // |w|: trainable elements
  double work = 0;       // FLOP of one sample, forward and backward; 0: not stated
  double crossing = 0;   // elements of one sample that cross a cut behind this layer; 0: the output alone
  Seconds forward = {};  // of one sample
  Seconds backward = {};
  Seconds forward_start = {};  // of a pass, whatever the batch: launches; 0 in the paper
  Seconds backward_start = {};
  Seconds update = {};  // of a step, the whole layer
  // What the host needs to issue a pass or an update, beside the device; 0: within the times above.
  Seconds forward_issue = {};
  Seconds backward_issue = {};
  Seconds update_issue = {};
  Bytes kept = {};            // of one sample, from the forward to the backward pass
  std::int64_t filters = 0;   // 0: cannot be split so; element-wise layers follow their neighbours
  std::int64_t channels = 0;  // the same
  std::int64_t height = 0;    // of the output map; 0: no map, 1 by 1: pooled over the whole map
  std::int64_t width = 0;
  std::int64_t input_height = 0;  // 0: as high as the output
  std::int64_t halo = 0;          // rows of the input that a neighbour needs: floor(K / 2)
  std::int64_t heads = 0;         // of an attention
  TensorRole tensor = TensorRole::replicated;
};

// Bytes that a device holds for one parameter.
struct ParameterBytes {
  Bytes weight;
  Bytes gradient;
  Bytes optimizer;

  [[nodiscard]] Bytes total() const { return weight + gradient + optimizer; }
};

// What is stated once for all layers.
struct WorkloadTerms {
  Bytes element = Bytes{4};  // delta: of an activation or a gradient on the wire
  ParameterBytes parameter = {Bytes{4}, Bytes{4}, Bytes{0}};
  Bytes workspace = {};  // of a device
  Bytes context = {};    // the same
  Seconds input = {};    // of a step, copying its samples: outside the layers and never split
};

// Sums over consecutive layers.
struct LoadSum {
  double weights = 0;
  Seconds forward = {};
  Seconds backward = {};
  Seconds forward_start = {};
  Seconds backward_start = {};
  Seconds update = {};
  Seconds forward_issue = {};
  Seconds backward_issue = {};
  Seconds update_issue = {};
  Bytes kept = {};

  // A pass of `samples` through these layers.
  [[nodiscard]] Seconds forward_of(double samples) const;
  [[nodiscard]] Seconds backward_of(double samples) const;
  [[nodiscard]] Seconds update_of_all() const;
};

class Workload;
// The same layers with the times of a pass of so many samples; nothing where they cannot be known.
using PassPricing = std::function<std::shared_ptr<const Workload>(double samples)>;

class Workload {
 public:
  explicit Workload(std::vector<LayerLoad> layers, const WorkloadTerms& terms = {});

  [[nodiscard]] const std::vector<LayerLoad>& layers() const { return layers_; }
  [[nodiscard]] const WorkloadTerms& terms() const { return terms_; }
  [[nodiscard]] const LoadSum& total() const { return prefix_.back(); }
  // Layers first, first + 1, ..., last - 1.
  [[nodiscard]] LoadSum between(std::size_t first, std::size_t last) const;

  // A step of one device: forward, backward, update and input.
  [[nodiscard]] Seconds step(double samples) const;

  // Times above are a line through two batch sizes. Micro-batches are often smaller than both, where a line
  // would give back less than it should or, for a faster device, more: they are priced as what they are.
  void price_passes(PassPricing pricing) { pricing_ = std::move(pricing); }
  // Not longer than this workload.
  [[nodiscard]] std::shared_ptr<const Workload> for_pass(double samples) const;

 private:
  std::vector<LayerLoad> layers_;
  WorkloadTerms terms_;
  std::vector<LoadSum> prefix_;  // of the first 0, 1, ... layers
  PassPricing pricing_ = {};
};

}  // namespace sextant::parallel
