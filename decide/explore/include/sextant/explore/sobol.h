// Sobol's sequence: points that fill the unit cube more evenly than random ones, any number of them.
// Direction numbers of Joe and Kuo (SIAM J. Sci. Comput. 30, 2008), Gray-code order of Antonov and Saleev;
// scrambled as Owen (1995) does, each digit flipped by a draw that depends on the digits before it.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace sextant::explore {

inline constexpr std::size_t kSobolDimensions = 64;

class SobolSequence {
 public:
  // Further dimensions than kSobolDimensions are random numbers, which a sequence without seed refuses
  // (InputError).
  explicit SobolSequence(std::size_t dimensions, std::optional<std::uint64_t> scramble_seed = {});

  [[nodiscard]] std::size_t dimensions() const { return dimensions_; }
  // The index-th point, from 0 (the origin, without scramble); indices are taken modulo 2^32. Coordinates are
  // in [0, 1), scrambled ones in (0, 1).
  [[nodiscard]] std::vector<double> point(std::uint64_t index) const;

 private:
  std::size_t dimensions_ = 0;
  std::optional<std::uint64_t> seed_;
  std::vector<std::array<std::uint32_t, 32>> directions_;
};

}  // namespace sextant::explore
