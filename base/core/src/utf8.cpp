#include "sextant/core/utf8.h"

namespace sextant {
namespace {

struct Lead {
  std::size_t following;  // bytes after the first
  unsigned char low = 0x80;
  unsigned char high = 0xBF;  // bounds of the second byte
};

constexpr std::size_t kInvalid = 9;  // no lead byte at all

Lead lead(unsigned char byte) {
  if (byte < 0x80) return {0};
  if (byte < 0xC2) return {kInvalid};
  if (byte < 0xE0) return {1};
  if (byte == 0xE0) return {2, 0xA0, 0xBF};
  if (byte == 0xED) return {2, 0x80, 0x9F};
  if (byte < 0xF0) return {2};
  if (byte == 0xF0) return {3, 0x90, 0xBF};
  if (byte < 0xF4) return {3};
  if (byte == 0xF4) return {3, 0x80, 0x8F};
  return {kInvalid};
}

}  // namespace

std::size_t utf8_length(std::string_view text) {
  if (text.empty()) return 0;
  const Lead first = lead(static_cast<unsigned char>(text.front()));
  if (first.following == kInvalid || first.following >= text.size()) return 0;
  for (std::size_t k = 1; k <= first.following; ++k) {
    const auto byte = static_cast<unsigned char>(text[k]);
    if (byte < (k == 1 ? first.low : 0x80) || byte > (k == 1 ? first.high : 0xBF)) return 0;
  }
  return first.following + 1;
}

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

}  // namespace sextant
