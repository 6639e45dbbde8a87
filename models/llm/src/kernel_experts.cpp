#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <utility>

#include "kernel_law.h"
#include "sextant/core/error.h"

namespace sextant::llm {
namespace {

namespace expert_size {
enum Place : std::size_t {
  tokens,
  hidden,
  width,
  chosen,
  experts,
  touched,
  pairs,
  blocks_16,
  blocks_64,
  blocks_128,
  weight_bytes,
  mx
};
}
namespace expert_at {
enum Place : std::size_t {
  launch,
  compute,
  tile_overhead,
  step_cycles,
  memory,
  overlap,
  whole,
  passing,
  passing_power,
  foreign,
  sort,
  unpack,
  unpack_mx,
  rate_slope
};
}

std::vector<LawParameter> expert_parameters(double slope, double held) {
  return {{"launch", 20, 2, 150, 0.4},              // microseconds of all kernels together
          {"compute", 0.6, 0.05, 1.1, 0.3, held},   // of the peak
          {"tile-overhead", 3000, 10, 60000, 0.5},  // results; smaller tiles are less efficient
          {"step-cycles", 1, 0.01, 60, 0.3, 20},    // of a block for each value of the depth
          {"memory", 0.8, 0.2, 1.1, 0.1, 60},       // of the bandwidth, for weights
          {"overlap", 3, 1, 12, 0},
          {"whole-waves", 0.3, 0.02, 1},
          {"passing", 1.2, 0.1, 10, 0.3},  // TB/s of memory with 2 TB/s, for tokens beside the products
          {"passing-power", 0.5, 0.05, 1, 0, 5},  // of it in the bandwidth
          {"foreign", 0.5, 0.01, 1},              // of that, for pairs of experts that are elsewhere
          {"sort", 0.5, 0.005, 50, 0.5},          // nanoseconds of a pair of token and expert
          {"unpack", 4, 0.3, 100, 0.4},           // weights of 4 bits that a processor widens in a cycle
          {"unpack-mx", 30, 0.3, 300, 0, 30},     // of those with a power of two as scale
          {"rate-slope", slope, -0.9, 0.3, 0, slope < 0 ? 3.0 : 60.0,
           true}};  // of the efficiency in the rate of a processor
}

struct ExpertTile {
  double rows;
  std::size_t blocks;  // place of their number in the shape
};
constexpr std::array<ExpertTile, 3> kExpertTiles = {
    {{16, expert_size::blocks_16}, {64, expert_size::blocks_64}, {128, expert_size::blocks_128}}};

template <GemmFormat format>
double expert_rate(const KernelDevice& d) {
  if (format == GemmFormat::bf16) return d.bf16;
  return format == GemmFormat::nvfp4 ? std::min(d.fp4, 2 * d.fp8) : d.fp8;
}

// Of the products up and down: blocks of tokens of one expert times columns.
double expert_compute(std::span<const double> p, const KernelShape& x, double rate, const KernelDevice& d) {
  constexpr double kColumns = 128;
  constexpr double kUsualRate = 4096;  // FLOP of a processor in a cycle
  const double relative = std::log(rate / d.processors / (d.gigahertz * 1e9) / kUsualRate);
  const double peak = rate / d.processors *
                      std::min(1.05, p[expert_at::compute] * std::exp(p[expert_at::rate_slope] * relative));
  double best = std::numeric_limits<double>::infinity();
  for (const ExpertTile& tile : kExpertTiles) {
    const double area = tile.rows * kColumns;
    const double reached = peak * area / (area + p[expert_at::tile_overhead]);
    const auto product = [&](double columns, double depth) {
      const double block =
          2 * area * depth / reached + depth * p[expert_at::step_cycles] / (d.gigahertz * 1e9);
      return waves(x[tile.blocks] * std::ceil(columns / kColumns), p[expert_at::whole], d) * block;
    };
    best = std::min(best, product(2 * x[expert_size::width], x[expert_size::hidden]) +
                              product(x[expert_size::hidden], x[expert_size::width]));
  }
  return best;
}

// Each block of 64 tokens widens the weights of its expert again. Boards with GDDR have half of the shared
// memory, and hold half as many weights in flight.
double widening_seconds(std::span<const double> p, const KernelShape& x, const KernelDevice& d) {
  const double each = p[x[expert_size::mx] > 0 ? expert_at::unpack_mx : expert_at::unpack] *
                      (d.family == "nvidia-gddr" ? 0.5 : 1);
  return 3 * x[expert_size::blocks_64] * x[expert_size::hidden] * x[expert_size::width] /
         (d.processors * d.gigahertz * 1e9 * each);
}

template <GemmFormat format, bool unpacked>
double expert_seconds(std::span<const double> p, const KernelShape& x, const KernelDevice& d) {
  const double weights = 3 * x[expert_size::touched] * x[expert_size::hidden] * x[expert_size::width];
  const double read = weights * x[expert_size::weight_bytes] / (d.bandwidth * p[expert_at::memory]);
  const double widened = unpacked || x[expert_size::mx] > 0 ? widening_seconds(p, x, d) : 0;
  const double all = x[expert_size::tokens] * x[expert_size::chosen];
  const double here = x[expert_size::pairs] + p[expert_at::foreign] * (all - x[expert_size::pairs]);
  const double bytes = 2 * (here * (2 * x[expert_size::hidden] + 4 * x[expert_size::width]) +
                            2 * x[expert_size::tokens] * x[expert_size::hidden]);
  const double passing =
      p[expert_at::passing] * 1e12 * std::pow(d.bandwidth / 2e12, p[expert_at::passing_power]);
  const double products =
      overlapped(overlapped(expert_compute(p, x, expert_rate<format>(d), d), read, p[expert_at::overlap]),
                 widened, p[expert_at::overlap]);
  return after_launch(launch_seconds(p[expert_at::launch], 0.5, d),
                      all * p[expert_at::sort] * 1e-9 + bytes / passing + products, d);
}

std::vector<double> expert_features(const KernelShape& x, const KernelDevice& d) {
  return {std::log2(x[expert_size::tokens]),
          std::log2(x[expert_size::hidden]),
          std::log2(x[expert_size::width]),
          std::log2(x[expert_size::touched]),
          std::log2(x[expert_size::pairs] / x[expert_size::touched]),
          std::log2(x[expert_size::pairs] / (x[expert_size::tokens] * x[expert_size::chosen])),
          x[expert_size::chosen],
          std::log2(x[expert_size::blocks_16] * std::ceil(x[expert_size::width] / 64) / d.processors)};
}

// Tokens of each expert, from few to many: a power law between bounds, as AIConfigurator's measurements draw
// them, at evenly spaced quantiles.
std::vector<double> expert_loads(const ExpertsCall& call) {
  const auto experts = static_cast<std::size_t>(call.experts);
  const double pairs = call.tokens * call.chosen;
  std::vector<double> loads(experts, pairs / call.experts);
  if (call.skew <= 0) return loads;
  const bool many = pairs > call.experts;
  const double power = std::abs(1 - call.skew) < 1e-6 ? 1e-6 : 1 - call.skew;
  const double low = std::pow(many ? 1 : 0.01, power);
  const double high = std::pow(many ? std::max(1.01, 0.8 * call.tokens) : 2, power);
  double sum = 0;
  for (std::size_t i = 0; i < experts; ++i) {
    const double quantile = (static_cast<double>(i) + 0.5) / call.experts;
    sum += loads[i] = std::pow(low + (high - low) * quantile, 1 / power);
  }
  for (double& load : loads) load = std::min(load * pairs / sum, call.tokens);
  return loads;
}

void shuffle(std::vector<double>& loads, std::minstd_rand& generator) {
  for (std::size_t i = loads.size() - 1; i > 0; --i) std::swap(loads[i], loads[generator() % (i + 1)]);
}

struct ExpertWork {
  double touched = 0, pairs = 0;
  std::array<double, kExpertTiles.size()> blocks{};
};

void add_expert(double load, ExpertWork& work) {
  work.touched += std::min(1.0, load);
  work.pairs += load;
  for (std::size_t i = 0; i < kExpertTiles.size(); ++i)
    work.blocks[i] += load < 1 ? load : std::ceil(load / kExpertTiles[i].rows);
}

// Of the rank whose experts have most tokens; which experts share a rank is drawn several times.
ExpertWork expert_work(const ExpertsCall& call) {
  constexpr int kDraws = 8;
  std::vector<double> loads = expert_loads(call);
  const auto each = static_cast<std::size_t>(std::max(1.0, std::floor(call.experts / call.ranks)));
  const bool drawn = call.skew > 0 && each > 1 && each < loads.size();
  std::minstd_rand generator(1);
  ExpertWork mean;
  for (int draw = 0; draw < (drawn ? kDraws : 1); ++draw) {
    if (drawn) shuffle(loads, generator);
    std::size_t fullest = loads.size() - each;
    double most = 0;
    for (std::size_t from = 0; from + each <= loads.size(); from += each) {
      const double sum = std::accumulate(loads.begin() + static_cast<std::ptrdiff_t>(from),
                                         loads.begin() + static_cast<std::ptrdiff_t>(from + each), 0.0);
      if (sum > most) {
        most = sum;
        fullest = from;
      }
    }
    for (std::size_t i = fullest; i < fullest + each; ++i) add_expert(loads[i], mean);
  }
  const double share = drawn ? 1.0 / kDraws : 1;
  mean.touched *= share;
  mean.pairs *= share;
  for (double& blocks : mean.blocks) blocks *= share;
  return mean;
}

}  // namespace

const KernelLaw& experts_law(ExpertFormat format) {
  constexpr double kFalls = -0.1;  // the efficiency, where products are scaled or widened in between
  constexpr double kLoose = 1;
  constexpr double kHeld = 30;
  static const std::array<KernelLaw, 5> laws = {
      {{"experts-bf16", expert_parameters(0, kLoose), &expert_seconds<GemmFormat::bf16, false>,
        &expert_features},
       {"experts-fp8", expert_parameters(0, kLoose), &expert_seconds<GemmFormat::fp8, false>,
        &expert_features},
       {"experts-fp8-block", expert_parameters(kFalls, kLoose), &expert_seconds<GemmFormat::fp8, false>,
        &expert_features},
       {"experts-nvfp4", expert_parameters(0, kLoose), &expert_seconds<GemmFormat::nvfp4, false>,
        &expert_features},
       {"experts-int4", expert_parameters(kFalls, kHeld), &expert_seconds<GemmFormat::bf16, true>,
        &expert_features}}};
  const bool wide = format == ExpertFormat::mxfp4 || format == ExpertFormat::int8;
  return laws[wide ? 0 : static_cast<std::size_t>(format)];
}

ExpertFormat computed_format(ExpertFormat format, const KernelDevice& device) {
  const bool fp8 = format == ExpertFormat::fp8 || format == ExpertFormat::fp8_block;
  if (fp8 && device.fp8 == 0) return ExpertFormat::int8;
  return format == ExpertFormat::nvfp4 && device.fp4 == 0 ? ExpertFormat::mxfp4 : format;
}

void check(const ExpertsCall& call) {
  constexpr double kMostExperts = 100000;
  if (!(call.experts >= 1 && call.experts <= kMostExperts))
    throw InputError(at_field("experts"), "a layer has 1 to 100000 experts");
  if (!(call.chosen > 0 && call.chosen <= call.experts))
    throw InputError(at_field("chosen"), "a token chooses more experts than the layer has, or none");
  if (!(call.ranks >= 1 && call.ranks <= call.experts))
    throw InputError(at_field("ranks"), "the number of devices that share the experts is none of theirs",
                     "1 to the number of experts");
  if (!(call.tokens > 0) || !std::isfinite(call.tokens))
    throw InputError(at_field("tokens"), "experts have no tokens to compute");
  if (!(call.skew >= 0) || !std::isfinite(call.skew))
    throw InputError(at_field("skew"), "the power of the loads is negative or no number", "0: all alike");
}

KernelShape experts_shape(const ExpertsCall& call, const KernelDevice& device) {
  constexpr std::array<double, 7> kWeight = {2, 1, 1, 0.5625, 0.516, 0.531, 1};  // bytes, scales included
  const ExpertWork work = expert_work(call);
  return {call.tokens,
          call.hidden,
          call.width,
          call.chosen,
          call.experts,
          work.touched,
          work.pairs,
          work.blocks[0],
          work.blocks[1],
          work.blocks[2],
          kWeight[static_cast<std::size_t>(call.format)],
          computed_format(call.format, device) == ExpertFormat::mxfp4 ? 1.0 : 0.0};
}

}  // namespace sextant::llm
