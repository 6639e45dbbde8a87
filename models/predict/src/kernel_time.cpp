#include "kernel_time.h"

#include <algorithm>
#include <cmath>

namespace sextant::predict {
namespace {

namespace at = coefficient;

// A product with few results is cut along its contraction, into parts of about this length.
constexpr double kSplitLength = 512;
// Starting and draining a kernel takes cycles; the coefficient is in seconds at this clock, Hz.
constexpr double kLaunchClock = 1.5e9;
// FLOP in a cycle of a large device: depthwise filter gradients hardly use more on any.
constexpr double kLanes = 2 * 5120;

double saturation(double size, double half) {
  return size / (size + half);
}

bool is_conv_like(KernelKind kind) {
  return kind <= KernelKind::grouped_filter_grad;
}

bool is_depthwise(KernelKind kind) {
  return kind >= KernelKind::depthwise && kind <= KernelKind::depthwise_filter_grad;
}

// The share of bandwidth that a kernel obeys.
std::size_t share_of(KernelKind kind) {
  if (is_conv_like(kind) || kind == KernelKind::gemm || kind == KernelKind::batched_gemm) {
    return at::matrix_memory;
  }
  if (kind == KernelKind::depthwise) return at::depthwise;
  if (kind == KernelKind::depthwise_input_grad) return at::depthwise + 1;
  return at::memory + static_cast<std::size_t>(kind) - kMatrixKinds;
}

}  // namespace

KernelTimer::KernelTimer(const Device& device, const Coefficients& c) : device_(device), value_(c) {
  for (double& x : value_) x = std::exp(x);
  value_[at::launch] *= kLaunchClock / device.clock;
}

bool KernelTimer::on_matrix_units(KernelKind kind) const {
  return is_conv_like(kind) ? device_.conv_units : device_.matrix_units;
}

// Tensor-core kernels change layouts.
std::size_t KernelTimer::half_share(KernelKind kind) const {
  return is_matrix_like(kind) && !emulated() ? at::half_matrix_memory : at::half_memory;
}

// Where fp16 is only a way to store, depthwise kernels, which have little arithmetic to hide it behind,
// convert both operands at a fraction of the rate of arithmetic.
double KernelTimer::conversion(KernelKind kind) const {
  const double rate = value_[at::half_emulated];
  return emulated() && is_depthwise(kind) ? 1 / (rate * rate) : 1;
}

KernelTimer::MatrixTerms KernelTimer::conv_terms(const Kernel& k, std::size_t direction, bool grouped) const {
  const std::size_t base = at::conv + kConvTerms * direction;
  const auto term = [base](ConvTerm t) { return base + static_cast<std::size_t>(t); };
  const bool winograd = k.window == 9 && k.stride == 1;
  MatrixTerms m;
  m.rate = winograd ? term(ConvTerm::winograd) : term(k.window == 1 ? ConvTerm::pointwise : ConvTerm::other);
  if (grouped) m.rate = at::grouped + direction;
  m.fill = term(ConvTerm::fill);
  m.depth = term(winograd ? ConvTerm::winograd_depth : ConvTerm::depth);
  m.width = term(ConvTerm::width);
  m.wide = k.gemm.n;
  m.deep = k.gemm.k;
  m.work = k.elements;
  if (direction == 2) {  // few results, a long contraction that is cut into parts
    const double parts = k.gemm.k / value_[at::split];
    m.deep = k.gemm.m;
    m.work = k.gemm.batch * k.gemm.m * k.gemm.n * (1 + parts);
    m.work_by_split = -parts / (1 + parts);
  }
  return m;
}

KernelTimer::MatrixTerms KernelTimer::product_terms(const Kernel& k) const {
  MatrixTerms m;
  m.rate = k.kind == KernelKind::gemm ? at::gemm : at::batched_gemm;
  m.fill = m.rate + 1;
  m.depth = m.width = at::count;
  m.work = k.elements * (1 + k.gemm.k / kSplitLength);
  return m;
}

KernelTimer::MatrixTerms KernelTimer::matrix_terms(const Kernel& k) const {
  if (!is_conv_like(k.kind)) return product_terms(k);
  const auto kind = static_cast<std::size_t>(k.kind);
  return conv_terms(k, kind % kConvDirections, kind >= kConvDirections);
}

double KernelTimer::arithmetic(const Kernel& k, const MatrixTerms& m) const {
  double rate = (is_conv_like(k.kind) ? device_.conv_rate : device_.matrix_rate) * value_[m.rate];
  double fill = value_[m.fill];
  if (on_matrix_units(k.kind)) {
    rate *= value_[at::half_rate];
    fill *= value_[at::half_fill];
  }
  if (emulated()) rate *= value_[at::half_emulated];
  if (device_.amd) rate *= value_[at::amd_rate];
  if (device_.pressure > 0) rate /= std::pow(value_[at::pressure], device_.pressure);
  rate *= saturation(m.work / device_.sms, fill);
  if (m.depth != at::count) rate *= saturation(m.deep, value_[m.depth]) * saturation(m.wide, value_[m.width]);
  return k.flop / rate;
}

double KernelTimer::traffic(const Kernel& k, std::size_t share) const {
  double bandwidth = device_.bandwidth * value_[share];
  if (device_.half) bandwidth *= value_[half_share(k.kind)];
  return conversion(k.kind) * k.bytes /
         (bandwidth * saturation(k.bytes / device_.sms, value_[at::memory_fill]));
}

double KernelTimer::seconds(const Kernel& k) const {
  if (k.kind == KernelKind::depthwise_filter_grad) {
    return value_[at::launch] +
           conversion(k.kind) * k.flop * value_[at::depthwise_filter] / (kLanes * device_.clock);
  }
  const double moved = traffic(k, share_of(k.kind));
  if (!is_matrix_like(k.kind) || is_depthwise(k.kind)) return value_[at::launch] + moved;
  const double computed = arithmetic(k, matrix_terms(k));
  const double q = value_[at::blend];
  // Relative to the larger part, so that no power overflows.
  const double larger = std::max(computed, moved);
  const double smaller = std::min(computed, moved);
  return value_[at::launch] + larger * std::pow(1 + std::pow(smaller / larger, q), 1 / q);
}

void KernelTimer::add_gradient(const Kernel& k, Differentiable& sum) const {
  sum.by[at::launch] += value_[at::launch] * k.launches;
  if (is_matrix_like(k.kind) && !is_depthwise(k.kind)) {
    add_matrix(k, sum);
  } else {
    add_moving(k, sum);
  }
}

void KernelTimer::add_moving(const Kernel& k, Differentiable& sum) const {
  const double t = seconds(k);
  const double moved = (t - value_[at::launch]) * k.launches;
  sum.value += t * k.launches;
  if (emulated() && is_depthwise(k.kind)) sum.by[at::half_emulated] -= 2 * moved;
  if (k.kind == KernelKind::depthwise_filter_grad) {
    sum.by[at::depthwise_filter] += moved;
    return;
  }
  const double fill = value_[at::memory_fill];
  sum.by[share_of(k.kind)] -= moved;
  sum.by[at::memory_fill] += moved * fill / (k.bytes / device_.sms + fill);
  if (device_.half) sum.by[half_share(k.kind)] -= moved;
}

void KernelTimer::add_matrix(const Kernel& k, Differentiable& sum) const {
  const MatrixTerms m = matrix_terms(k);
  const double computed = arithmetic(k, m);
  const double moved = traffic(k, at::matrix_memory);
  const double q = value_[at::blend];
  const double larger = std::max(computed, moved);
  const double a = std::pow(computed / larger, q);
  const double b = std::pow(moved / larger, q);
  const double core = larger * std::pow(a + b, 1 / q) * k.launches;
  sum.value += value_[at::launch] * k.launches + core;
  const double by_computed = core * a / (a + b);
  const double by_moved = core * b / (a + b);

  const bool units = on_matrix_units(k.kind);
  double fill = value_[m.fill];
  sum.by[m.rate] -= by_computed;
  if (units) {
    fill *= value_[at::half_fill];
    sum.by[at::half_rate] -= by_computed;
  }
  if (emulated()) sum.by[at::half_emulated] -= by_computed;
  if (device_.amd) sum.by[at::amd_rate] -= by_computed;
  sum.by[at::pressure] += device_.pressure * by_computed;
  const double unfilled = by_computed * fill / (m.work / device_.sms + fill);
  sum.by[m.fill] += unfilled;
  if (units) sum.by[at::half_fill] += unfilled;
  sum.by[at::split] -= unfilled * m.work_by_split;
  if (m.depth != at::count) {
    sum.by[m.depth] += by_computed * value_[m.depth] / (m.deep + value_[m.depth]);
    sum.by[m.width] += by_computed * value_[m.width] / (m.wide + value_[m.width]);
  }
  const double memory_fill = value_[at::memory_fill];
  sum.by[at::matrix_memory] -= by_moved;
  sum.by[at::memory_fill] += by_moved * memory_fill / (k.bytes / device_.sms + memory_fill);
  if (device_.half) sum.by[half_share(k.kind)] -= by_moved;
  // d core / d log q of (a + b)^(1/q), with a and b powers of q themselves.
  const double logs = (a * std::log(std::max(a, 1e-300)) + b * std::log(std::max(b, 1e-300))) / (a + b);
  sum.by[at::blend] += core * (logs - std::log(a + b)) / q;
}

}  // namespace sextant::predict
