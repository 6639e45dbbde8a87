#include "pair_distances.h"

#include <algorithm>
#include <array>

#include "in_blocks.h"
#include "vector_lanes.h"

namespace sextant::robust {
namespace {

constexpr std::size_t kRun = 512;         // coordinates between two additions to the sums in double
constexpr std::size_t kRunsOfPiece = 32;  // of one thread's work
constexpr std::size_t kPieceCoordinates = kRun * kRunsOfPiece;
constexpr std::size_t kTile = 2;

struct Tile {
  std::array<const float*, kTile> left;
  std::array<const float*, kTile> right;
};

// Sums of squared differences of two by two rows over `count` coordinates, a multiple of the lanes.
SEXTANT_ROBUST_CLONES void tile_sums(const Tile& tile, std::size_t count, double* sums) {
  FloatLanes s00 = {};
  FloatLanes s01 = {};
  FloatLanes s10 = {};
  FloatLanes s11 = {};
  for (std::size_t k = 0; k < count; k += kFloatLanes) {
    FloatLanes a0;
    FloatLanes a1;
    FloatLanes b0;
    FloatLanes b1;
    std::memcpy(&a0, tile.left[0] + k, sizeof a0);
    std::memcpy(&a1, tile.left[1] + k, sizeof a1);
    std::memcpy(&b0, tile.right[0] + k, sizeof b0);
    std::memcpy(&b1, tile.right[1] + k, sizeof b1);
    s00 += (a0 - b0) * (a0 - b0);
    s01 += (a0 - b1) * (a0 - b1);
    s10 += (a1 - b0) * (a1 - b0);
    s11 += (a1 - b1) * (a1 - b1);
  }
  for (std::size_t l = 0; l < kFloatLanes; ++l) {
    sums[0] += static_cast<double>(s00[l]);
    sums[1] += static_cast<double>(s01[l]);
    sums[2] += static_cast<double>(s10[l]);
    sums[3] += static_cast<double>(s11[l]);
  }
}

// In double: the length of an update may be too large for a float, and its inverse too small.
SEXTANT_ROBUST_CLONES void scale(const float* values, std::size_t count, double factor, float* out) {
  for (std::size_t k = 0; k < count; ++k)
    out[k] = static_cast<float>(static_cast<double>(values[k]) * factor);
}

// One thread's part: the upper triangle over the coordinates of a block.
class TriangleSums {
 public:
  TriangleSums(const Updates& updates, std::span<const double> scales, double* sums)
      : updates_(updates), scales_(scales), n_(updates.size()), sums_(sums) {}

  void add(const Block& block) {
    for (std::size_t first = block.first; first < block.first + block.count; first += kRun) {
      const std::size_t count = std::min(kRun, block.first + block.count - first);
      load(first, count);
      const std::size_t padded = (count + kFloatLanes - 1) / kFloatLanes * kFloatLanes;
      for (std::size_t i = 0; i < n_; i += kTile) {
        for (std::size_t j = i; j < n_; j += kTile) add_tile(i, j, padded);
      }
    }
  }

 private:
  // Rows beside each other, with zeros up to whole lanes; an odd last row is there twice.
  void load(std::size_t first, std::size_t count) {
    rows_.assign((n_ + 1) * kRun, 0);
    for (std::size_t i = 0; i < n_; ++i) {
      const float* values = updates_.rows[i].values.data() + first;
      if (scales_.empty()) {
        std::copy_n(values, count, rows_.data() + i * kRun);
      } else {
        scale(values, count, scales_[i], rows_.data() + i * kRun);
      }
    }
  }
  [[nodiscard]] const float* row(std::size_t i) const { return rows_.data() + i * kRun; }

  void add_tile(std::size_t i, std::size_t j, std::size_t count) {
    std::array<double, kTile* kTile> sums = {};
    tile_sums({.left = {row(i), row(i + 1)}, .right = {row(j), row(j + 1)}}, count, sums.data());
    for (std::size_t a = 0; a < kTile && i + a < n_; ++a) {
      for (std::size_t b = 0; b < kTile && j + b < n_; ++b)
        sums_[(i + a) * n_ + j + b] += sums[a * kTile + b];
    }
  }

  const Updates& updates_;
  std::span<const double> scales_;
  std::size_t n_;
  double* sums_;
  std::vector<float> rows_;
};

}  // namespace

PairDistances::PairDistances(const Updates& updates, std::size_t threads, std::span<const double> scales)
    : n_(updates.size()), values_(n_ * n_) {
  // Long updates are cut into at most kMostPieces parts, so that their sums take little memory.
  constexpr std::size_t kMostPieces = 16;
  const std::size_t whole = (updates.dimension + kMostPieces - 1) / kMostPieces;
  const std::size_t piece = std::max(kPieceCoordinates, (whole + kRun - 1) / kRun * kRun);
  const std::size_t pieces = (updates.dimension + piece - 1) / piece;
  std::vector<std::vector<double>> parts(pieces);
  for_blocks(updates.dimension, piece, threads, [&](const Block& block) {
    parts[block.index].assign(n_ * n_, 0);
    TriangleSums(updates, scales, parts[block.index].data()).add(block);
  });
  for (const auto& part : parts) {
    for (std::size_t k = 0; k < values_.size(); ++k) values_[k] += part[k];
  }
  for (std::size_t i = 0; i < n_; ++i) {
    values_[i * n_ + i] = 0;
    for (std::size_t j = i + 1; j < n_; ++j) values_[j * n_ + i] = values_[i * n_ + j];
  }
}

}  // namespace sextant::robust
