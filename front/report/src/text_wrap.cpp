#include "sextant/report/text_wrap.h"

#include <algorithm>

#include "sextant/core/text.h"

namespace sextant::report {
namespace {

bool begins_character(char c) {
  return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
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

// Blanks that a line begins with are part of it.
void wrap_line(std::string_view text, const Wrap& wrap, std::vector<std::string>& lines) {
  const std::size_t begin = std::min(text.find_first_not_of(' '), text.size());
  const Filling filling{.width = wrap.width,
                        .first = begin,
                        .rest = std::min(wrap.hanging, wrap.width / 2),
                        .break_words = wrap.break_words};
  std::ranges::move(filled(split(text.substr(begin), ' '), filling), std::back_inserter(lines));
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

std::vector<std::string> filled(const std::vector<std::string>& words, const Filling& filling) {
  std::vector<std::string> lines;
  std::string line(filling.first, ' ');
  std::size_t used = filling.first;
  bool fresh = true;
  const auto next_line = [&] {
    lines.push_back(line + std::string(filling.ending));
    line.assign(filling.rest, ' ');
    used = filling.rest;
    fresh = true;
  };
  for (const std::string& each : words) {
    std::string_view word = each;
    const std::size_t behind = &each == &words.back() ? 0 : filling.ending.size();
    if (!fresh && used + 1 + display_width(word) + behind > filling.width) next_line();
    while (filling.break_words && fresh && used + display_width(word) > filling.width) {
      const std::size_t piece = piece_of(word, filling.width > used ? filling.width - used : 1);
      if (piece == word.size()) break;
      line += word.substr(0, piece);
      word.remove_prefix(piece);
      next_line();
    }
    line += (fresh ? "" : " ") + std::string(word);
    used += (fresh ? 0 : 1) + display_width(word);
    fresh = false;
  }
  if (!words.empty()) lines.push_back(line);
  return lines;
}

}  // namespace sextant::report
