// A 64-bit checksum of many bytes at a few GB/s: FNV-1a over words in four lanes that are folded at the end.
// Finds accidents, not attackers.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace sextant::measure {

inline std::uint64_t flat_hash(std::string_view bytes) {
  constexpr std::uint64_t kPrime = 0x100000001b3U;
  std::array<std::uint64_t, 4> lanes = {0xcbf29ce484222325U, 0x84222325cbf29ce4U, 0x9e3779b97f4a7c15U,
                                        0xbf58476d1ce4e5b9U};
  const std::uint64_t length = bytes.size();
  while (bytes.size() >= sizeof(lanes)) {
    std::array<std::uint64_t, 4> words{};
    std::memcpy(words.data(), bytes.data(), sizeof(words));
    for (std::size_t i = 0; i < lanes.size(); ++i) {
      lanes[i] = (lanes[i] ^ words[i]) * kPrime;
      lanes[i] ^= lanes[i] >> 29;
    }
    bytes.remove_prefix(sizeof(lanes));
  }
  std::uint64_t hash = length;
  for (const std::uint64_t lane : lanes) hash = ((hash ^ lane) * kPrime) ^ (hash >> 31);
  for (const char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * kPrime;
  return hash ^ (hash >> 32);
}

}  // namespace sextant::measure
