// Optimizers over flat arrays, the same on workers and on parameter servers: SGD, momentum (Polyak, as
// PyTorch writes it) and Adam (Kingma, Ba 2015). The numbers are PyTorch's, up to the rounding of a different
// order.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sextant/jobs/job.h"

namespace sextant::measure {

struct OptimizerSettings {
  jobs::Optimizer kind = jobs::Optimizer::sgd;
  double learning_rate = 0.01;
  double momentum = 0.9;
  std::int64_t threads = 1;
};

class FlatOptimizer {
 public:
  FlatOptimizer(const OptimizerSettings& settings, std::size_t count);
  // One update of parameters with gradients * scale; both have `count` values.
  void step(std::span<float> parameters, std::span<const float> gradients, float scale = 1);
  // The same in parts, where gradients do not lie in one array: each part once, with its place in the whole.
  void begin_step() { ++updates_; }
  void step_part(std::size_t offset, std::span<float> parameters, std::span<const float> gradients,
                 float scale = 1);
  // What a checkpoint has to keep: moments, one array behind the other, and the number of updates.
  [[nodiscard]] std::span<float> state() { return state_; }
  [[nodiscard]] std::int64_t updates() const { return updates_; }
  [[nodiscard]] const OptimizerSettings& settings() const { return settings_; }
  void set_updates(std::int64_t updates) { updates_ = updates; }

 private:
  OptimizerSettings settings_;
  std::size_t count_ = 0;
  std::vector<float> state_;
  std::int64_t updates_ = 0;
};

}  // namespace sextant::measure
