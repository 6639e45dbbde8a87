#include <algorithm>
#include <cmath>
#include <limits>

#include "kernel_law.h"

namespace sextant::llm {
namespace {

// Places in a shape.
namespace gemm_size {
enum Place : std::size_t { m, n, k, weight_bytes };
}
// Places of the parameters, in the order of gemm_parameters().
namespace gemm_at {
enum Place : std::size_t {
  clock_power,
  least_tile,
  compute,
  memory,
  tile_overhead,
  step_cycles,
  launch,
  cache_share,
  cache_rate,
  overlap,
  whole,
  split_cost,
  quantise,
  rate_slope
};
}

std::vector<LawParameter> gemm_parameters() {
  return {{"clock-power", 0.5, 0.05, 1.5},
          {"least-tile", 4096, 512, 40000, 0.5},    // results that a block computes at least
          {"compute", 0.85, 0.05, 1.2, 0.2},        // of the peak
          {"memory", 0.85, 0.3, 1.1, 0.15},         // of the bandwidth
          {"tile-overhead", 2000, 10, 60000, 0.7},  // results; smaller tiles are less efficient
          {"step-cycles", 0.5, 0.001, 60, 0.7},     // of a block for each value of k
          {"launch", 2.5, 0.5, 150, 0.5},           // microseconds
          {"cache-share", 0.3, 0.02, 2, 0.7},       // of the cache that small operands find
          {"cache-rate", 0.8, 0.1, 4, 0.4},         // for those, of the bandwidth
          {"overlap", 3, 1, 12, 0.4},
          {"whole-waves", 0.3, 0.02, 1},
          {"split-cost", 1, 0.01, 20},                    // microseconds for each halving of k
          {"quantise", 1.2, 0.05, 20, 0.5},               // of the time to read two bytes and write one
          {"rate-slope", -0.1, -0.9, 0.3, 0, 10, true}};  // of the efficiency in the rate of a processor
}

struct TileSize {
  double rows, columns;
};
constexpr std::array<TileSize, 8> kTiles = {
    {{256, 128}, {128, 256}, {128, 128}, {64, 256}, {64, 128}, {64, 64}, {16, 128}, {16, 64}}};
constexpr std::array<double, 5> kSplits = {1, 2, 4, 8, 16};

template <GemmFormat format>
double peak_rate(const KernelDevice& d) {
  if (format == GemmFormat::bf16) return d.bf16;
  // Kernels of today do not use the third multiple of fp8's rate that newer boards have for fp4.
  return format == GemmFormat::nvfp4 ? std::min(d.fp4, 2 * d.fp8) : d.fp8;
}

template <GemmFormat format>
double compute_seconds(std::span<const double> p, const KernelShape& x, const KernelDevice& d) {
  constexpr bool kMaySplit = format == GemmFormat::bf16;
  constexpr std::size_t kTileKinds = format == GemmFormat::bf16 ? 8 : format == GemmFormat::fp8 ? 6 : 5;
  constexpr double kUsualRate = 8192;  // FLOP of a processor in a cycle
  const double peak = peak_rate<format>(d) / d.processors;
  const double relative = std::log(peak / (d.gigahertz * 1e9) / kUsualRate);
  const double rate = std::min(
      peak * p[gemm_at::compute] * std::exp(p[gemm_at::rate_slope] * std::max(relative, -2.5)), 1.05 * peak);
  double best = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < kTileKinds; ++i) {
    const TileSize tile = kTiles[i];
    const double area = tile.rows * tile.columns;
    const double blocks = std::ceil(x[gemm_size::m] / tile.rows) * std::ceil(x[gemm_size::n] / tile.columns);
    const double reached = rate * area / (area + p[gemm_at::tile_overhead]);
    for (const double parts : kSplits) {
      if (parts > 1 && (!kMaySplit || x[gemm_size::k] / parts < 256)) break;
      const double depth = x[gemm_size::k] / parts;
      const double block = 2 * std::max(area, p[gemm_at::least_tile]) * depth / reached +
                           depth * p[gemm_at::step_cycles] / (d.gigahertz * 1e9);
      double total = waves(blocks * parts, p[gemm_at::whole], d) * block;
      if (parts > 1)
        total += p[gemm_at::split_cost] * 1e-6 * std::log2(parts) +
                 parts * 4 * x[gemm_size::m] * x[gemm_size::n] / d.bandwidth;
      best = std::min(best, total);
    }
  }
  return best;
}

template <GemmFormat format>
double gemm_seconds(std::span<const double> p, const KernelShape& x, const KernelDevice& d) {
  constexpr double kOperand = format == GemmFormat::bf16 ? 2 : format == GemmFormat::nvfp4 ? 0.5625 : 1;
  const double bytes = x[gemm_size::weight_bytes] * x[gemm_size::n] * x[gemm_size::k] +
                       kOperand * x[gemm_size::m] * x[gemm_size::k] + 2 * x[gemm_size::m] * x[gemm_size::n];
  const double fill = bytes / (p[gemm_at::cache_share] * d.cache);
  const double cached = 1 / (1 + fill * fill);
  const double memory =
      bytes / d.bandwidth * (cached / p[gemm_at::cache_rate] + (1 - cached) / p[gemm_at::memory]);
  const double quantise = format == GemmFormat::bf16
                              ? 0
                              : p[gemm_at::quantise] * 3 * x[gemm_size::m] * x[gemm_size::k] / d.bandwidth;
  return after_launch(launch_seconds(p[gemm_at::launch], p[gemm_at::clock_power], d),
                      quantise + overlapped(compute_seconds<format>(p, x, d), memory, p[gemm_at::overlap]),
                      d);
}

std::vector<double> gemm_features(const KernelShape& x, const KernelDevice& d) {
  const double filled = std::ceil(x[gemm_size::m] / 128) * std::ceil(x[gemm_size::n] / 128) / d.processors;
  return {std::log2(x[gemm_size::m]),
          std::log2(x[gemm_size::n]),
          std::log2(x[gemm_size::k]),
          std::log2(x[gemm_size::n] * x[gemm_size::k]),
          std::log2(x[gemm_size::m] * x[gemm_size::n]),
          std::log2(x[gemm_size::m] * x[gemm_size::k]),
          filled / std::ceil(filled)};
}

}  // namespace

const KernelLaw& gemm_law(GemmFormat format) {
  static const std::array<KernelLaw, 4> laws = {
      {{"gemm-bf16", gemm_parameters(), &gemm_seconds<GemmFormat::bf16>, &gemm_features, 0.006},
       {"gemm-fp8", gemm_parameters(), &gemm_seconds<GemmFormat::fp8>, &gemm_features, 0.006},
       {"gemm-fp8-block", gemm_parameters(), &gemm_seconds<GemmFormat::fp8_block>, &gemm_features, 0.006},
       {"gemm-nvfp4", gemm_parameters(), &gemm_seconds<GemmFormat::nvfp4>, &gemm_features, 0.006}}};
  return laws[static_cast<std::size_t>(format)];
}

GemmFormat computed_format(GemmFormat format, const KernelDevice& device) {
  const bool weights_only = format == GemmFormat::fp8 && device.fp8 == 0;
  return weights_only ? GemmFormat::bf16 : format;
}

KernelShape gemm_shape(const GemmCall& call) {
  const double weight = call.format == GemmFormat::bf16 ? 2 : call.format == GemmFormat::nvfp4 ? 0.5625 : 1;
  return {call.m, call.n, call.k, weight};
}

}  // namespace sextant::llm
