#include "sextant/predict/device.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "sextant/predict/peak.h"

namespace sextant::predict {
namespace {

struct ArchitectureFacts {
  std::string_view name;
  // Watts per fp32 lane and GHz of the boards of this architecture that hold their boost clock in fp32
  // work (board power / (cores x boost), from the catalogue's figures).
  double watts_per_lane_ghz;
  // Share of the fp32 lanes that convolution and product kernels keep busy. A Kepler multiprocessor
  // issues to 128 of its 192 lanes without pairing instructions, and starves many of those.
  double issue;
};

constexpr std::array kArchitectures = {
    ArchitectureFacts{"Kepler", 0.065, 0.5},   ArchitectureFacts{"Maxwell", 0.05, 1},
    ArchitectureFacts{"Pascal", 0.041, 1},     ArchitectureFacts{"Volta", 0.0335, 1},
    ArchitectureFacts{"Turing", 0.0343, 1},    ArchitectureFacts{"Ampere", 0.0155, 1},
    ArchitectureFacts{"Ada", 0.0109, 1},       ArchitectureFacts{"Hopper", 0.0137, 1},
    ArchitectureFacts{"Blackwell", 0.0137, 1}, ArchitectureFacts{"CDNA1", 0.024, 1},
    ArchitectureFacts{"CDNA2", 0.024, 1},      ArchitectureFacts{"CDNA3", 0.024, 1},
};

const ArchitectureFacts* facts_of(const catalog::Gpu& gpu) {
  const auto* found = std::ranges::find(kArchitectures, gpu.architecture, &ArchitectureFacts::name);
  return found == kArchitectures.end() ? nullptr : found;
}

// Streaming kernels on a quiet device reach about nine tenths of HBM and four fifths of GDDR; check
// bits that share the bus take a further part.
double memory_share(const catalog::Gpu& gpu) {
  if (gpu.memory_kind == "hbm") return 0.88;
  if (gpu.memory_kind == "gddr-ecc") return 0.74;
  return 0.82;
}

// GeForce and Titan boards run above the boost clock that is printed on the box while they stay cool.
double vendor_boost(const catalog::Gpu& gpu) {
  const bool consumer = gpu.id.starts_with("gtx") || gpu.id.starts_with("rtx-2") ||
                        gpu.id.starts_with("rtx-3") || gpu.id.starts_with("titan");
  return consumer ? 1.1 : 1.0;
}

// Of units that multiply narrower formats than fp32; none where the board has none of this format.
std::optional<FlopRate> matrix_unit_rate(const catalog::Gpu& gpu, Precision precision) {
  if (precision == Precision::tf32) return gpu.tf32;
  if (precision == Precision::fp16) return gpu.tensor_fp16;
  if (!is_half(precision) || !gpu.tensor_bf16) return std::nullopt;
  return matrix_peak(gpu, precision);
}

struct MatrixRate {
  double peak = 0;  // FLOP/s
  bool units = false;
};

MatrixRate fastest_rate(const catalog::Gpu& gpu, Precision precision) {
  const double peak = gpu.matrix_fp32.value_or(gpu.fp32).value;
  const auto matrix = matrix_unit_rate(gpu, precision);
  if (matrix && matrix->value > peak) return {matrix->value, true};
  return {peak, false};
}

double stated_ratio(const catalog::Gpu& gpu) {
  return gpu.sustained && gpu.boost ? *gpu.sustained / *gpu.boost : 1.0;
}

}  // namespace

double memory_pressure(double share) {
  constexpr double kComfortable = 0.8;
  constexpr double kExhausted = 0.95;
  return std::clamp((share - kComfortable) / (kExhausted - kComfortable), 0.0, 1.0);
}

double sustained_clock_ratio(const catalog::Gpu& gpu) {
  const ArchitectureFacts* facts = facts_of(gpu);
  double ratio = stated_ratio(gpu);
  if (facts != nullptr && gpu.tdp && gpu.boost && gpu.cores > 0) {
    const double watts = gpu.tdp->value / (gpu.cores * gpu.boost->value * 1e-9);
    ratio = std::min(ratio, std::pow(std::min(1.0, watts / facts->watts_per_lane_ghz), 2.0 / 3));
  }
  return ratio * vendor_boost(gpu);
}

Device effective_device(const catalog::Gpu& gpu, Precision precision, std::optional<Precision> convolutions) {
  const ArchitectureFacts* facts = facts_of(gpu);
  const double issue = facts == nullptr ? 1.0 : facts->issue;
  Device d;
  d.half = is_half(precision);
  d.amd = gpu.vendor == "AMD";
  const double sustained = issue * sustained_clock_ratio(gpu);
  const MatrixRate products = fastest_rate(gpu, precision);
  const MatrixRate windows = fastest_rate(gpu, convolutions.value_or(precision));
  d.matrix_rate = products.peak * sustained;
  d.matrix_units = products.units;
  d.conv_rate = windows.peak * sustained;
  d.conv_units = windows.units;
  // Kepler's memory path runs at the clock of the cores.
  d.bandwidth = gpu.memory_bandwidth.value * memory_share(gpu) * stated_ratio(gpu);
  d.sms = gpu.sms > 0 ? gpu.sms : 80;
  d.clock = gpu.boost ? gpu.boost->value * std::sqrt(stated_ratio(gpu)) : 1.5e9;
  return d;
}

}  // namespace sextant::predict
