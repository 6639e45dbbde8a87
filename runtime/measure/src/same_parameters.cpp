#include <array>

#include "flat_hash.h"
#include "sextant/core/error.h"
#include "strategy_parts.h"

namespace sextant::measure {

// A sum is all that a transport offers. Digit x of the checksum is the same on all n ranks exactly if
// n sum(x^2) = (sum x)^2 (Cauchy-Schwarz), which every rank can see; with digits of 4 bits the sums are whole
// numbers that a float holds for up to 74 thousand workers.
void check_same_parameters(Transport& transport, std::int64_t workers, std::span<const float> parameters) {
  const std::uint64_t hash =
      flat_hash({reinterpret_cast<const char*>(parameters.data()), parameters.size_bytes()});
  constexpr std::size_t kDigits = 16;
  std::array<float, 2 * kDigits> sums{};
  for (std::size_t i = 0; i < kDigits; ++i) {
    const auto digit = static_cast<float>((hash >> (4 * i)) & 0xf);
    sums[i] = digit;
    sums[i + kDigits] = digit * digit;
  }
  transport.all_reduce(sums);
  for (std::size_t i = 0; i < kDigits; ++i) {
    const double sum = sums[i];
    if (static_cast<double>(workers) * sums[i + kDigits] == sum * sum) continue;
    throw SystemError(
        "workers start from different parameters: do all machines run the same version of sextant-worker "
        "and read the same checkpoint?");
  }
}

}  // namespace sextant::measure
