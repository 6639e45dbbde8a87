// Text as a terminal takes it: how many columns it needs, and lines that are no wider than asked.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sextant::report {

// Columns that a text takes on a terminal: a letter takes one, those of Chinese, Japanese and Korean two, an
// accent that follows its letter none.
std::size_t display_width(std::string_view utf8);
// What of it stands within so many columns, from the front; no letter is cut.
std::string_view within_columns(std::string_view utf8, std::size_t columns);

struct Wrap {
  std::size_t width = 0;    // 0: one line for each that the text has
  std::size_t hanging = 0;  // blanks before every line but the first; at most half of the width
  // A word that is wider than a line is broken after a sign such as '/' or '-', or where the line ends.
  // Otherwise it keeps its line, so that a path or a command can be copied.
  bool break_words = false;
};

// Broken at blanks. At least one line, which is empty where the text is.
std::vector<std::string> wrapped(std::string_view text, const Wrap& wrap);

struct Filling {
  std::size_t width = 0;
  std::size_t first = 0;  // blanks before the first line
  std::size_t rest = 0;   // and before all others
  bool break_words = false;
  std::string_view ending = {};  // of every line but the last: " \\" in a command for a shell
};

// Lines filled with words, which may hold blanks. None where there are no words.
std::vector<std::string> filled(const std::vector<std::string>& words, const Filling& filling);

}  // namespace sextant::report
