#include "flat_math.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "in_blocks.h"

namespace sextant::robust {
namespace {

constexpr std::size_t kSumBlock = 1024;  // its sums stay in the first cache
constexpr std::size_t kPiece = 1 << 14;  // of a long sum, which is added up in pieces
constexpr std::size_t kLanes = 8;

// Eight sums beside each other, for the vector units; always in the same order.
template <class Term>
double lane_sum(std::size_t count, Term term) {
  std::array<double, kLanes> lanes = {};
  std::size_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    for (std::size_t l = 0; l < kLanes; ++l) lanes[l] += term(i + l);
  }
  for (; i < count; ++i) lanes[i % kLanes] += term(i);
  double sum = 0;
  for (const double lane : lanes) sum += lane;
  return sum;
}

// rows x pieces sums, each by one thread, added up by row.
template <class Term>
std::vector<double> sums_of_rows(const Updates& updates, std::size_t threads, Term term) {
  const std::size_t n = updates.size();
  const std::size_t pieces = (updates.dimension + kPiece - 1) / kPiece;
  std::vector<double> parts(n * pieces);
  for_blocks(updates.dimension, kPiece, threads, [&](const Block& block) {
    for (std::size_t row = 0; row < n; ++row) {
      const float* values = updates.rows[row].values.data() + block.first;
      parts[row * pieces + block.index] =
          lane_sum(block.count, [&](std::size_t i) { return term(values[i], block.first + i); });
    }
  });
  std::vector<double> sums(n);
  for (std::size_t row = 0; row < n; ++row) {
    for (std::size_t piece = 0; piece < pieces; ++piece) sums[row] += parts[row * pieces + piece];
  }
  return sums;
}

}  // namespace

float finite_float(double value) {
  constexpr double kMost = std::numeric_limits<float>::max();
  return static_cast<float>(std::clamp(value, -kMost, kMost));
}

void weighted_sum(const Updates& updates, std::span<const double> weights, std::size_t threads,
                  std::vector<float>& out) {
  out.resize(updates.dimension);
  for_blocks(updates.dimension, kSumBlock, threads, [&](const Block& block) {
    std::array<double, kSumBlock> sum = {};
    for (std::size_t row = 0; row < updates.size(); ++row) {
      const double weight = weights[row];
      if (weight == 0) continue;
      const float* __restrict values = updates.rows[row].values.data() + block.first;
      for (std::size_t i = 0; i < block.count; ++i) sum[i] += weight * static_cast<double>(values[i]);
    }
    for (std::size_t i = 0; i < block.count; ++i) out[block.first + i] = finite_float(sum[i]);
  });
}

std::vector<double> norms(const Updates& updates, std::size_t threads) {
  std::vector<double> sums = sums_of_rows(updates, threads, [](float value, std::size_t) {
    return static_cast<double>(value) * static_cast<double>(value);
  });
  for (double& sum : sums) sum = std::sqrt(sum);
  return sums;
}

std::vector<double> squared_distances(const Updates& updates, std::span<const float> point,
                                      std::size_t threads) {
  return sums_of_rows(updates, threads, [&](float value, std::size_t i) {
    const double difference = static_cast<double>(value) - static_cast<double>(point[i]);
    return difference * difference;
  });
}

bool is_finite(std::span<const float> values) {
  constexpr std::uint32_t kExponent = 0x7f800000U;
  constexpr std::size_t kRun = 4096;
  for (std::size_t first = 0; first < values.size(); first += kRun) {
    std::uint32_t bad = 0;
    for (const float value : values.subspan(first, std::min(kRun, values.size() - first))) {
      bad |= static_cast<std::uint32_t>((std::bit_cast<std::uint32_t>(value) & kExponent) == kExponent);
    }
    if (bad != 0) return false;
  }
  return true;
}

double median_of(std::vector<double> values) {
  if (values.empty()) return 0;
  const std::size_t middle = values.size() / 2;
  std::ranges::nth_element(values, values.begin() + static_cast<std::ptrdiff_t>(middle));
  const double upper = values[middle];
  if (values.size() % 2 == 1) return upper;
  return (upper + *std::max_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(middle))) /
         2;
}

// Selection sampling (Knuth, volume 2, 3.4.2 S).
std::vector<std::size_t> draw_coordinates(std::size_t d, std::size_t count, Rng rng) {
  std::vector<std::size_t> drawn;
  drawn.reserve(std::min(d, count));
  for (std::size_t i = 0; i < d && drawn.size() < count; ++i) {
    if (d - i <= count - drawn.size() || rng.below(d - i) < count - drawn.size()) drawn.push_back(i);
  }
  return drawn;
}

Moments moments_of(const Updates& updates) {
  const auto n = static_cast<double>(updates.size());
  Moments moments{.mean = std::vector<double>(updates.dimension),
                  .sd = std::vector<double>(updates.dimension)};
  for (const Update& row : updates.rows) {
    for (std::size_t i = 0; i < updates.dimension; ++i) moments.mean[i] += static_cast<double>(row.values[i]);
  }
  for (double& mean : moments.mean) mean /= n;
  if (updates.size() < 2) return moments;
  for (const Update& row : updates.rows) {
    for (std::size_t i = 0; i < updates.dimension; ++i) {
      const double difference = static_cast<double>(row.values[i]) - moments.mean[i];
      moments.sd[i] += difference * difference;
    }
  }
  for (double& sd : moments.sd) sd = std::sqrt(sd / (n - 1));
  return moments;
}

}  // namespace sextant::robust
