// Where the numbers of a record file stand, for its reader and its writer; see record_file.h.
#pragma once

#include <zlib.h>

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <span>

namespace sextant::input {

constexpr std::array<std::uint8_t, 8> kRecordMagic{0x89, 'S', 'X', 'R', '\r', '\n', 0x1a, '\n'};
constexpr std::uint32_t kRecordVersion = 1;
constexpr std::size_t kRecordHeaderBytes = 64;
constexpr std::size_t kRecordEntryBytes = 24;

template <class Number>
void put_little(std::uint8_t* at, Number value) {
  for (std::size_t i = 0; i < sizeof(Number); ++i) at[i] = static_cast<std::uint8_t>(value >> (8 * i));
}
template <class Number>
Number get_little(const std::uint8_t* at) {
  Number value = 0;
  for (std::size_t i = 0; i < sizeof(Number); ++i) value |= static_cast<Number>(Number{at[i]} << (8 * i));
  return value;
}
inline void put_real(std::uint8_t* at, double value) {
  put_little(at, std::bit_cast<std::uint64_t>(value));
}
inline double get_real(const std::uint8_t* at) {
  return std::bit_cast<double>(get_little<std::uint64_t>(at));
}
inline std::uint32_t crc_of(std::span<const std::uint8_t> bytes) {
  return static_cast<std::uint32_t>(crc32_z(0, bytes.data(), bytes.size()));
}

}  // namespace sextant::input
