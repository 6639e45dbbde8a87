#include "sextant/report/text_wrap.h"

#include <algorithm>

#include "sextant/core/text.h"

namespace sextant::report {
namespace {

bool begins_character(char c) {
  return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
}

struct Character {
  bool valid = false;  // as UTF-8
  char32_t code = 0;
  std::size_t bytes = 1;
};

// Of a text that is not empty. Overlong forms and surrogates are no characters.
Character first_character(std::string_view text) {
  constexpr char32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
  const auto lead = static_cast<unsigned char>(text[0]);
  if (lead < 0x80) return {.valid = true, .code = lead};
  const std::size_t bytes = lead >= 0xF0 ? 4 : (lead >= 0xE0 ? 3 : 2);
  if (lead < 0xC2 || lead > 0xF4 || text.size() < bytes) return {};
  char32_t code = lead & (0xFFU >> (bytes + 1));
  for (std::size_t i = 1; i < bytes; ++i) {
    const auto next = static_cast<unsigned char>(text[i]);
    if ((next & 0xC0U) != 0x80U) return {};
    code = (code << 6U) | (next & 0x3FU);
  }
  const bool surrogate = code >= 0xD800 && code < 0xE000;
  if (surrogate || code < kLeast[bytes] || code > 0x10FFFF || (code & 0xFFFEU) == 0xFFFE) return {};
  return {.valid = true, .code = code, .bytes = bytes};
}

// Bytes of the first `characters` of it.
std::size_t bytes_of(std::string_view text, std::size_t characters) {
  std::size_t at = 0;
  for (std::size_t seen = 0; at < text.size(); ++at) {
    if (begins_character(text[at]) && seen++ == characters) break;
  }
  return at;
}

// How much of a word that is too wide stands on this line: up to the last sign that fits, or all that fits.
std::size_t piece_of(std::string_view word, std::size_t width) {
  const std::size_t all = bytes_of(word, std::max<std::size_t>(width, 1));
  const std::size_t sign = word.substr(0, all).find_last_of("/-_.,;:=");
  return sign == std::string_view::npos || sign == 0 ? all : sign + 1;
}

void wrap_line(std::string_view text, const Wrap& wrap, std::vector<std::string>& lines) {
  const std::string indent(std::min(wrap.hanging, wrap.width / 2), ' ');
  // Blanks that a line begins with are part of it.
  const std::size_t begin = std::min(text.find_first_not_of(' '), text.size());
  std::string line(text.substr(0, begin));
  std::size_t used = line.size();
  bool fresh = true;
  const auto next_line = [&] {
    lines.push_back(line);
    line = indent;
    used = indent.size();
    fresh = true;
  };
  for (const std::string& each : split(text.substr(begin), ' ')) {
    std::string_view word = each;
    if (!fresh && used + 1 + display_width(word) > wrap.width) next_line();
    while (wrap.break_words && fresh && used + display_width(word) > wrap.width) {
      const std::size_t piece = piece_of(word, wrap.width > used ? wrap.width - used : 1);
      if (piece == word.size()) break;
      line += word.substr(0, piece);
      word.remove_prefix(piece);
      next_line();
    }
    line += (fresh ? "" : " ") + std::string(word);
    used += (fresh ? 0 : 1) + display_width(word);
    fresh = false;
  }
  lines.push_back(line);
}

}  // namespace

std::size_t display_width(std::string_view utf8) {
  return static_cast<std::size_t>(std::ranges::count_if(utf8, begins_character));
}

std::vector<std::string> wrapped(std::string_view text, const Wrap& wrap) {
  std::vector<std::string> lines;
  for (const std::string& line : split(text, '\n')) {
    if (wrap.width == 0 || display_width(line) <= wrap.width) {
      lines.push_back(line);
    } else {
      wrap_line(line, wrap, lines);
    }
  }
  return lines;
}

std::string printable(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const Character c = first_character(text);
    if (c.code == '\n' || c.code == '\r' || c.code == '\t') {
      out += ' ';
    } else if (!c.valid || c.code < 0x20 || (c.code >= 0x7F && c.code < 0xA0)) {
      out += "\uFFFD";
    } else {
      out += text.substr(0, c.bytes);
    }
    text.remove_prefix(c.bytes);
  }
  return out;
}

}  // namespace sextant::report
