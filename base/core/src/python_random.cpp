#include "sextant/core/python_random.h"

namespace sextant {

void PythonRandom::seed(std::uint64_t n) {
  std::array<std::uint32_t, 2> key = {static_cast<std::uint32_t>(n), static_cast<std::uint32_t>(n >> 32)};
  const std::size_t length = key[1] == 0 ? 1 : 2;
  state_[0] = 19650218U;
  for (std::size_t i = 1; i < kWords; ++i) {
    state_[i] = 1812433253U * (state_[i - 1] ^ (state_[i - 1] >> 30)) + static_cast<std::uint32_t>(i);
  }
  std::size_t i = 1;
  const auto advance = [&] {
    if (++i < kWords) return;
    state_[0] = state_[kWords - 1];
    i = 1;
  };
  for (std::size_t k = 0; k < kWords; ++k) {
    const auto j = k % length;
    const std::uint32_t mixed = (state_[i - 1] ^ (state_[i - 1] >> 30)) * 1664525U;
    state_[i] = (state_[i] ^ mixed) + key[j] + static_cast<std::uint32_t>(j);
    advance();
  }
  for (std::size_t k = 0; k + 1 < kWords; ++k) {
    const std::uint32_t mixed = (state_[i - 1] ^ (state_[i - 1] >> 30)) * 1566083941U;
    state_[i] = (state_[i] ^ mixed) - static_cast<std::uint32_t>(i);
    advance();
  }
  state_[0] = 0x80000000U;
  next_ = kWords;
}

void PythonRandom::refill() {
  for (std::size_t i = 0; i < kWords; ++i) {
    const std::uint32_t y = (state_[i] & 0x80000000U) | (state_[(i + 1) % kWords] & 0x7fffffffU);
    state_[i] = state_[(i + 397) % kWords] ^ (y >> 1) ^ ((y & 1U) != 0 ? 0x9908b0dfU : 0U);
  }
  next_ = 0;
}

std::uint32_t PythonRandom::word() {
  if (next_ >= kWords) refill();
  std::uint32_t y = state_[next_++];
  y ^= y >> 11;
  y ^= (y << 7) & 0x9d2c5680U;
  y ^= (y << 15) & 0xefc60000U;
  return y ^ (y >> 18);
}

}  // namespace sextant
