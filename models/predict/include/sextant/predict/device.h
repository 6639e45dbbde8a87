// What a device delivers under load, from the facts of the catalogue: the peak at the clock that its
// power budget sustains, and the share of its memory's bandwidth that streaming kernels see.
// Reasons and sources: docs/models/kernel.md.
#pragma once

#include <optional>

#include "sextant/catalog/gpu.h"
#include "sextant/core/precision.h"

namespace sextant::predict {

struct Device {
  double matrix_rate = 0;  // FLOP/s of products
  double conv_rate = 0;    // FLOP/s of convolutions, which some software multiplies in another format
  double bandwidth = 0;    // bytes/s
  double sms = 0;
  double clock = 0;           // Hz, for kernels that wait rather than compute
  bool matrix_units = false;  // products run on tensor cores
  bool conv_units = false;    // and convolutions
  bool half = false;
  // How little memory is left for a kernel's workspace: 0 with plenty, 1 with none. Libraries then fall
  // back to slower algorithms.
  double pressure = 0;
  bool amd = false;  // rocBLAS and MIOpen instead of cuBLAS and cuDNN
};

// Convolutions are multiplied in the same format, unless theirs is given.
Device effective_device(const catalog::Gpu& gpu, Precision precision,
                        std::optional<Precision> convolutions = {});

// From the share of the device's memory that the step needs.
double memory_pressure(double share);

// Clock under a long full load, relative to boost. Power grows with clock and the square of voltage,
// which falls with the clock: a board with a fraction r of the watts that its architecture wants per
// lane and GHz holds about r^(2/3) of the clock.
double sustained_clock_ratio(const catalog::Gpu& gpu);

}  // namespace sextant::predict
