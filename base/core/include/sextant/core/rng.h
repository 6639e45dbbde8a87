// Named random streams: each component draws from its own, so adding a component leaves
// every other stream as it was. SplitMix64 (Steele, Lea, Flood 2014) keyed by FNV-1a of the name.
// Distributions are written here because the standard leaves theirs to each library.
// Draw once per statement: the order of two draws in one call's arguments is unspecified.
#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>
#include <string_view>

namespace sextant {

class Rng {
 public:
  explicit constexpr Rng(std::uint64_t seed) : key_(mix64(seed + kGamma)) {}

  [[nodiscard]] constexpr Rng stream(std::string_view name, std::uint64_t index = 0) const {
    std::uint64_t h = 0xcbf29ce484222325U;
    for (char c : name) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
    return Rng(mix64(key_ ^ h) + index);
  }

  constexpr std::uint64_t bits() { return mix64(key_ += kGamma); }
  constexpr double uniform() { return static_cast<double>(bits() >> 11) * 0x1p-53; }  // [0, 1)

  // Uniform integer in [0, n), without modulo bias (Lemire 2019).
  std::uint64_t below(std::uint64_t n) {
    while (true) {
      const auto product = static_cast<Wide>(bits()) * n;
      if (static_cast<std::uint64_t>(product) >= (0 - n) % n)
        return static_cast<std::uint64_t>(product >> 64);
    }
  }
  double exponential(double mean) { return -mean * std::log1p(-uniform()); }
  double normal() {  // Box-Muller; 1 - u keeps the logarithm finite
    const double radius = std::sqrt(-2 * std::log1p(-uniform()));
    return radius * std::cos(2 * std::numbers::pi * uniform());
  }

 private:
  __extension__ using Wide = unsigned __int128;
  static constexpr std::uint64_t kGamma = 0x9e3779b97f4a7c15U;
  static constexpr std::uint64_t mix64(std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31);
  }
  std::uint64_t key_;
};

}  // namespace sextant
