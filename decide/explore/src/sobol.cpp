#include "sextant/explore/sobol.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "sextant/core/error.h"
#include "sextant/core/rng.h"
#include "sobol_directions.h"

namespace sextant::explore {
namespace {

static_assert(kSobolDirections.size() == kSobolDimensions);
constexpr std::size_t kBits = 32;

// v_i = m_i 2^(32-i); further ones by the recurrence of the primitive polynomial.
std::array<std::uint32_t, kBits> directions_of(std::size_t dimension) {
  std::array<std::uint32_t, kBits> v{};
  const SobolDirection& direction = kSobolDirections[dimension];
  if (dimension == 0) {  // van der Corput's sequence
    for (std::size_t i = 0; i < kBits; ++i) v[i] = std::uint32_t{1} << (kBits - 1 - i);
    return v;
  }
  const auto degree = static_cast<std::size_t>(std::bit_width(direction.polynomial)) - 1;
  for (std::size_t i = 0; i < kBits; ++i) {
    if (i < degree) {
      v[i] = direction.m[i] << (kBits - 1 - i);
      continue;
    }
    v[i] = v[i - degree] ^ (v[i - degree] >> degree);
    for (std::size_t k = 1; k < degree; ++k) {
      if (((direction.polynomial >> (degree - k)) & 1U) != 0) v[i] ^= v[i - k];
    }
  }
  return v;
}

// A digit is flipped by a draw that belongs to the dimension and to the digits above it.
std::uint32_t owen_scrambled(std::uint32_t x, std::uint64_t key) {
  std::uint32_t result = 0;
  for (std::size_t i = 0; i < kBits; ++i) {
    const std::size_t shift = kBits - 1 - i;
    const std::uint64_t above = i == 0 ? 0 : x >> (shift + 1);
    const std::uint64_t node = (std::uint64_t{1} << i) | above;  // of the binary tree of digits, from 1
    Rng draw(key ^ (node * 0x9e3779b97f4a7c15U));
    const auto flip = static_cast<std::uint32_t>(draw.bits() >> 63);
    result |= (((x >> shift) & 1U) ^ flip) << shift;
  }
  return result;
}

}  // namespace

SobolSequence::SobolSequence(std::size_t dimensions, std::optional<std::uint64_t> scramble_seed)
    : dimensions_(dimensions), seed_(scramble_seed) {
  if (dimensions > kSobolDimensions && !seed_) {
    throw InputError("Sobol's sequence is known here for up to " + std::to_string(kSobolDimensions) +
                     " dimensions, not " + std::to_string(dimensions));
  }
  for (std::size_t d = 0; d < std::min(dimensions, kSobolDimensions); ++d) {
    directions_.push_back(directions_of(d));
  }
}

std::vector<double> SobolSequence::point(std::uint64_t index) const {
  const auto place = static_cast<std::uint32_t>(index);
  const std::uint32_t gray = place ^ (place >> 1);
  std::vector<double> result;
  result.reserve(dimensions_);
  for (std::size_t d = 0; d < dimensions_; ++d) {
    const Rng own = Rng(seed_.value_or(0)).stream("sobol", d);
    if (d >= directions_.size()) {
      result.push_back(own.stream("index", index).uniform());
      continue;
    }
    std::uint32_t x = 0;
    for (std::uint32_t bits = gray; bits != 0; bits &= bits - 1) {
      x ^= directions_[d][static_cast<std::size_t>(std::countr_zero(bits))];
    }
    if (!seed_) {
      result.push_back(x * 0x1p-32);
      continue;
    }
    Rng key = own;
    result.push_back((owen_scrambled(x, key.bits()) + 0.5) * 0x1p-32);
  }
  return result;
}

}  // namespace sextant::explore
