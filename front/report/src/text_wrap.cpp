#include "sextant/report/text_wrap.h"

#include <algorithm>

#include "sextant/core/text.h"

namespace sextant::report {
namespace {

// How much of a word that is too wide stands on this line: up to the last sign that fits, or all that fits.
std::size_t piece_of(std::string_view word, std::size_t width) {
  std::size_t all = within_columns(word, width).size();
  if (all == 0) all = within_columns(word, 2).size();  // the broadest letter: there is no smaller piece
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
