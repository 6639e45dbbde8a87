#include "sextant/core/visible_text.h"

#include <algorithm>

#include "sextant/core/utf8.h"

namespace sextant {
namespace {

void append_hex(std::string& out, std::string_view bytes) {
  constexpr std::string_view kHex = "0123456789abcdef";
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    out += "\\x";
    out += kHex[byte >> 4];
    out += kHex[byte & 15];
  }
}

// Controls of ISO 6429 (0x80 to 0x9f) in UTF-8, what turns the direction of writing (U+202A to U+202E and
// U+2066 to U+2069), and U+FFFE and U+FFFF, which are no characters and which XML refuses.
bool no_text(std::string_view letter) {
  if (letter.size() == 1) {
    const auto byte = static_cast<unsigned char>(letter.front());
    return byte < 0x20 || byte == 0x7f;
  }
  if (letter.size() == 2) return letter[0] == '\xc2' && static_cast<unsigned char>(letter[1]) < 0xa0;
  if (letter.size() != 3) return false;
  const auto last = static_cast<unsigned char>(letter[2]);
  if (letter[0] == '\xef') return letter[1] == '\xbf' && last >= 0xbe;
  if (letter[0] != '\xe2') return false;
  return (letter[1] == '\x80' && last >= 0xaa && last <= 0xae) ||
         (letter[1] == '\x81' && last >= 0xa6 && last <= 0xa9);
}

void append_visible(std::string& out, std::string_view letter, LineBreaks breaks) {
  if (letter == "\n") {
    out += breaks == LineBreaks::kept ? "\n" : "\\n";
  } else if (letter == "\t") {
    out += "\\t";
  } else if (no_text(letter)) {
    append_hex(out, letter);
  } else {
    out += letter;
  }
}

}  // namespace

std::string visible(std::string_view text, LineBreaks breaks) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    if (length == 0)
      append_hex(out, text.substr(0, 1));
    else
      append_visible(out, text.substr(0, length), breaks);
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return out;
}

}  // namespace sextant
