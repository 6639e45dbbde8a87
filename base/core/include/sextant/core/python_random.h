// The numbers of Python's random.Random(n), for programs that must repeat what a Python program drew.
// MT19937 (Matsumoto, Nishimura 1998) seeded by array, 53-bit uniforms, and integers by rejection of the top
// bits. Everything else draws from core/rng.h.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace sextant {

class PythonRandom {
 public:
  explicit PythonRandom(std::uint64_t seed) { this->seed(seed); }

  // random.seed(n): the 32-bit words of n, low first, are the key.
  void seed(std::uint64_t n);

  std::uint32_t word();  // getrandbits(32)

  // [0, 1): 27 and 26 bits of two words.
  double random() {
    const std::uint32_t high = word() >> 5;
    const std::uint32_t low = word() >> 6;
    return (high * 67108864.0 + low) * (1.0 / 9007199254740992.0);
  }
  double uniform(double low, double high) { return low + (high - low) * random(); }

  // _randbelow(n): uniform in [0, n); 0 for n = 0, as in Python 3.11 and before.
  std::uint64_t below(std::uint64_t n) {
    if (n == 0) return 0;
    const auto bits = static_cast<int>(std::bit_width(n));
    std::uint64_t drawn = random_bits(bits);
    while (drawn >= n) drawn = random_bits(bits);
    return drawn;
  }

  // choice: the items must not be empty.
  template <class Items>
  const auto& choice(const Items& items) {
    return items[static_cast<std::size_t>(below(items.size()))];
  }

  template <class Items>
  void shuffle(Items& items) {
    for (std::size_t i = items.size(); i-- > 1;) {
      const auto j = static_cast<std::size_t>(below(i + 1));
      std::swap(items[i], items[j]);
    }
  }

 private:
  std::uint64_t random_bits(int bits) {  // 1 to 64; the first word holds the low bits
    if (bits <= 32) return word() >> (32 - bits);
    const std::uint64_t low = word();
    const std::uint64_t high = word() >> (64 - bits);
    return (high << 32) | low;
  }
  void refill();

  static constexpr std::size_t kWords = 624;
  std::array<std::uint32_t, kWords> state_ = {};
  std::size_t next_ = kWords;
};

}  // namespace sextant
