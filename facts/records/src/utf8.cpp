#include "utf8.h"

#include <cstddef>

namespace sextant::records {
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

bool is_utf8(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const Lead first = lead(static_cast<unsigned char>(text[i]));
    if (first.following == kInvalid || first.following >= text.size() - i) return false;
    for (std::size_t k = 1; k <= first.following; ++k) {
      const auto byte = static_cast<unsigned char>(text[i + k]);
      if (byte < (k == 1 ? first.low : 0x80) || byte > (k == 1 ? first.high : 0xBF)) return false;
    }
    i += first.following;
  }
  return true;
}

}  // namespace sextant::records
