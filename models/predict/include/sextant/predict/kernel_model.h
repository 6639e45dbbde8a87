// The kernel model: time of a step as a sum over kernels, each bounded by arithmetic and by traffic,
// against the host that issues them. Smooth in its coefficients, with exact derivatives for the fit.
//
//   step   = (device^4 + host^4)^(1/4) + input
//   device = sum over kernels of launch + (arithmetic^q + traffic^q)^(1/q)
//   arithmetic = FLOP / (rate x share of the device that is filled x saturation in width and depth)
// Formula by formula: docs/models/kernel.md.
#pragma once

#include <array>
#include <span>

#include "sextant/predict/coefficients.h"
#include "sextant/predict/device.h"
#include "sextant/predict/kernel.h"

namespace sextant::predict {

struct StepTime {
  double device = 0;                              // s, all kernels one after another
  double host = 0;                                // s, to issue them
  double input = 0;                               // s, to copy the batch
  double total = 0;                               // s
  std::array<double, kKernelKinds> by_kind = {};  // s on the device
};

StepTime step_time(const KernelList& list, const Device& device, const Coefficients& c);

// A value with its derivatives by the coefficients.
struct Differentiable {
  double value = 0;
  Coefficients by = {};
};

struct StepGradient {
  Differentiable total;
  std::array<Differentiable, kKernelKinds> by_kind = {};
};

StepGradient step_gradient(const KernelList& list, const Device& device, const Coefficients& c);

}  // namespace sextant::predict
