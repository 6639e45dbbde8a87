// Text as a terminal takes it: how many columns it needs, and lines that are no wider than asked.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sextant::report {

// Columns that a text takes on a terminal: code points, not bytes.
std::size_t display_width(std::string_view utf8);

struct Wrap {
  std::size_t width = 0;    // 0: one line for each that the text has
  std::size_t hanging = 0;  // blanks before every line but the first
  // A word that is wider than a line is broken after a sign such as '/' or '-', or where the line ends.
  // Otherwise it keeps its line, so that a path or a command can be copied.
  bool break_words = false;
};

// Broken at blanks. At least one line, which is empty where the text is.
std::vector<std::string> wrapped(std::string_view text, const Wrap& wrap);

// A text from a file may hold anything: blanks for line ends and tabs, U+FFFD for other control characters,
// which a terminal would obey, and for bytes that are no UTF-8.
std::string printable(std::string_view text);

}  // namespace sextant::report
