#include "sextant/core/visible_text.h"

#include <algorithm>

#include "sextant/core/utf8.h"

namespace sextant {
namespace {

constexpr std::string_view kHidden = "***";

void append_hex(std::string& out, std::string_view bytes) {
  constexpr std::string_view kHex = "0123456789abcdef";
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    out += "\\x";
    out += kHex[byte >> 4];
    out += kHex[byte & 15];
  }
}

// Controls of ISO 6429 (0x80 to 0x9f) in UTF-8, and what turns the direction of writing: U+202A to U+202E and
// U+2066 to U+2069.
bool commands_a_terminal(std::string_view letter) {
  if (letter.size() == 1) {
    const auto byte = static_cast<unsigned char>(letter.front());
    return byte < 0x20 || byte == 0x7f;
  }
  if (letter.size() == 2) return letter[0] == '\xc2' && static_cast<unsigned char>(letter[1]) < 0xa0;
  if (letter.size() != 3 || letter[0] != '\xe2') return false;
  const auto last = static_cast<unsigned char>(letter[2]);
  return (letter[1] == '\x80' && last >= 0xaa && last <= 0xae) ||
         (letter[1] == '\x81' && last >= 0xa6 && last <= 0xa9);
}

void append_visible(std::string& out, std::string_view letter, LineBreaks breaks) {
  if (letter == "\n") {
    out += breaks == LineBreaks::kept ? "\n" : "\\n";
  } else if (letter == "\t") {
    out += "\\t";
  } else if (commands_a_terminal(letter)) {
    append_hex(out, letter);
  } else {
    out += letter;
  }
}

// Where the part of a text that may be an address ends.
std::size_t end_of_address(std::string_view text, std::size_t from) {
  const std::size_t blank = text.find_first_of(" \t\r\n'\"`<>", from);
  return std::min({blank, text.find("://", from), text.size()});
}

// "//user:password@": the password ends with the last '@', since who writes one forgets to encode it.
std::string with_hidden_userinfo(std::string_view text) {
  std::string out;
  for (;;) {
    const std::size_t scheme = text.find("://");
    if (scheme == std::string_view::npos) return out.append(text);
    const std::size_t begin = scheme + 3;
    const std::string_view address = text.substr(begin, end_of_address(text, begin) - begin);
    const std::size_t at = address.rfind('@');
    const std::size_t colon = address.find(':');
    out += text.substr(0, begin);
    std::size_t copied = 0;
    if (at != std::string_view::npos && colon < at) {
      out += address.substr(0, colon + 1);
      out += kHidden;
      copied = at;
    }
    out += address.substr(copied);
    text.remove_prefix(begin + address.size());
  }
}

// After "password=": a value in single quotes with backslashes, or all up to a blank, a quote or '&'.
std::size_t value_length(std::string_view text) {
  if (!text.starts_with('\'')) return std::min(text.find_first_of(" \t\r\n&'\"`"), text.size());
  std::size_t at = 1;
  while (at < text.size() && text[at] != '\'') at += text[at] == '\\' ? 2 : 1;
  return std::min(at + 1, text.size());
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

std::string redact_url_password(std::string_view given) {
  constexpr std::string_view kKey = "password=";
  const std::string hidden = with_hidden_userinfo(given);
  std::string_view text = hidden;
  std::string out;
  for (;;) {
    const std::size_t key = text.find(kKey);
    if (key == std::string_view::npos) return out.append(text);
    const std::size_t value = key + kKey.size();
    const std::size_t length = value_length(text.substr(value));
    out += text.substr(0, value);
    if (length > 0) out += kHidden;
    text.remove_prefix(value + length);
  }
}

}  // namespace sextant
