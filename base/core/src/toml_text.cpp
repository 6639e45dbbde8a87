#include "toml_text.h"

#include <algorithm>
#include <string_view>

#include "sextant/core/csv.h"

namespace sextant {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr int kMostKeyParts = 32;

// What a key with dots is made of, besides the dots and strings.
bool within_key(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' ||
         c == ' ' || c == '\t';
}

// Offset after the string that begins at `begin`, whose quotes are `quote` or three of it.
std::size_t after_string(std::string_view text, std::size_t begin) {
  const char quote = text[begin];
  const bool many_lines = text.substr(begin, 3) == std::string(3, quote);
  const std::string_view end = text.substr(begin, many_lines ? 3 : 1);
  std::size_t at = begin + end.size();
  while (at < text.size()) {
    if (text.substr(at, end.size()) == end) return at + end.size();
    if (!many_lines && text[at] == '\n') return at;
    at += quote == '"' && text[at] == '\\' ? 2 : 1;
  }
  return text.size();
}

}  // namespace

void refuse_what_the_parser_cannot(const std::string& text, const std::string& file_name) {
  const std::string_view all = text;
  std::size_t at = all.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0;
  int dots = 0;  // of the key, or the number, that is being read
  while (at < all.size()) {
    const char c = all[at];
    if (c == '.' && ++dots >= kMostKeyParts) {
      throw InputError(position_in(text, at, file_name),
                       "this key has more than " + std::to_string(kMostKeyParts) + " parts");
    }
    if (c != '.' && c != '"' && c != '\'' && !within_key(c)) dots = 0;
    if (c == '"' || c == '\'') {
      at = after_string(all, at);
    } else if (c == '#') {
      at = std::min(all.find('\n', at), all.size());
    } else if (static_cast<unsigned char>(c) >= 0x80) {
      throw InputError(position_in(text, at, file_name), "a letter beyond ASCII stands outside of quotes",
                       "put the name or value in quotes");
    } else {
      ++at;
    }
  }
}

}  // namespace sextant
