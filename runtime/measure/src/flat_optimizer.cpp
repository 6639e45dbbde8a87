#include "sextant/measure/flat_optimizer.h"

#include <algorithm>
#include <cmath>
#include <experimental/simd>
#include <stdexcept>
#include <thread>
#include <utility>

namespace sextant::measure {
namespace {

// Adam's, as PyTorch rounds them: 1 - 0.999 in single precision would be off by 5e-5 of itself.
constexpr float kBeta1 = 0.9F;
constexpr float kRest1 = static_cast<float>(1 - 0.9);
constexpr float kBeta2 = 0.999F;
constexpr float kRest2 = static_cast<float>(1 - 0.999);
constexpr float kEpsilon = 1e-8F;
// Below this, starting a thread takes longer than the update of its part.
constexpr std::size_t kLeastPerThread = 1 << 18;

struct FlatRange {
  float* parameters;
  const float* gradients;
  std::size_t count;
};

void update_sgd(const FlatRange& range, float rate, float scale) {
  float* __restrict p = range.parameters;
  const float* __restrict g = range.gradients;
  for (std::size_t i = 0; i < range.count; ++i) p[i] -= rate * (g[i] * scale);
}

// velocity = momentum velocity + gradient; the first gradient is the first velocity, as in PyTorch, which
// zeros give as well.
void update_momentum(const FlatRange& range, float* __restrict v, const OptimizerSettings& settings,
                     float scale) {
  float* __restrict p = range.parameters;
  const float* __restrict g = range.gradients;
  const auto momentum = static_cast<float>(settings.momentum);
  const auto rate = static_cast<float>(settings.learning_rate);
  for (std::size_t i = 0; i < range.count; ++i) {
    v[i] = momentum * v[i] + g[i] * scale;
    p[i] -= rate * v[i];
  }
}

struct AdamStep {
  float rate;       // with the first bias correction
  float root_bias;  // root of the second one
  float scale;
};

// One value, or as many as a register holds: the root keeps compilers from finding the vectors themselves.
template <class Value>
void adam_values(Value& p, const Value& gradient, std::pair<Value&, Value&> moments, const AdamStep& by) {
  using std::sqrt;
  auto& [m, v] = moments;
  m = kBeta1 * m + kRest1 * gradient;
  v = kBeta2 * v + kRest2 * (gradient * gradient);
  p -= by.rate * (m / (sqrt(v) / by.root_bias + kEpsilon));
}

void update_adam(const FlatRange& range, float* m, float* v, const AdamStep& step) {
  using Vector = std::experimental::native_simd<float>;
  constexpr auto kAnywhere = std::experimental::element_aligned;
  std::size_t i = 0;
  for (; i + Vector::size() <= range.count; i += Vector::size()) {
    const Vector gradient = Vector(range.gradients + i, kAnywhere) * step.scale;
    Vector values(range.parameters + i, kAnywhere);
    Vector first(m + i, kAnywhere);
    Vector second(v + i, kAnywhere);
    adam_values<Vector>(values, gradient, {first, second}, step);
    values.copy_to(range.parameters + i, kAnywhere);
    first.copy_to(m + i, kAnywhere);
    second.copy_to(v + i, kAnywhere);
  }
  for (; i < range.count; ++i) {
    adam_values<float>(range.parameters[i], range.gradients[i] * step.scale, {m[i], v[i]}, step);
  }
}

AdamStep adam_step(double learning_rate, std::int64_t updates, float scale) {
  const auto power = static_cast<double>(updates);
  const double first = 1 - std::pow(0.9, power);
  const double second = 1 - std::pow(0.999, power);
  return {static_cast<float>(learning_rate / first), static_cast<float>(std::sqrt(second)), scale};
}

}  // namespace

FlatOptimizer::FlatOptimizer(const OptimizerSettings& settings, std::size_t count)
    : settings_(settings),
      count_(count),
      state_(count * static_cast<std::size_t>(optimizer_state_values(settings.kind))) {
  if (!std::isfinite(settings.learning_rate) || !std::isfinite(settings.momentum)) {
    throw InputError("learning rate and momentum must be numbers");
  }
}

void FlatOptimizer::step(std::span<float> parameters, std::span<const float> gradients, float scale) {
  if (parameters.size() != count_) throw std::logic_error("optimizer: arrays of another length");
  begin_step();
  step_part(0, parameters, gradients, scale);
}

void FlatOptimizer::step_part(std::size_t offset, std::span<float> parameters,
                              std::span<const float> gradients, float scale) {
  const std::size_t count = parameters.size();
  if (gradients.size() != count || offset + count > count_) {
    throw std::logic_error("optimizer: arrays of different lengths");
  }
  const AdamStep adam = adam_step(settings_.learning_rate, updates_, scale);
  const auto part = [&](std::size_t begin, std::size_t end) {
    const FlatRange range{parameters.data() + begin, gradients.data() + begin, end - begin};
    const std::size_t at = offset + begin;  // SGD keeps no state
    switch (settings_.kind) {
      case jobs::Optimizer::none:
      case jobs::Optimizer::adamw:
      case jobs::Optimizer::adam_8bit:
        break;  // refused with the trial
      case jobs::Optimizer::sgd:
        update_sgd(range, static_cast<float>(settings_.learning_rate), scale);
        break;
      case jobs::Optimizer::momentum:
        update_momentum(range, state_.data() + at, settings_, scale);
        break;
      case jobs::Optimizer::adam:
        update_adam(range, state_.data() + at, state_.data() + count_ + at, adam);
        break;
    }
  };
  const std::size_t threads = std::clamp<std::size_t>(
      count / kLeastPerThread, 1, static_cast<std::size_t>(std::max<std::int64_t>(settings_.threads, 1)));
  std::vector<std::jthread> others;
  for (std::size_t i = 1; i < threads; ++i) {
    others.emplace_back([&part, count, threads, i] { part(count * i / threads, count * (i + 1) / threads); });
  }
  part(0, count / threads);
}

}  // namespace sextant::measure
