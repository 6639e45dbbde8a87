// Texts of declarations as help shows them: paragraphs, items and commands; never broken within a word.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace sextant::cli {

struct Indents {
  std::size_t first = 0;
  std::size_t rest = 0;  // of all further lines
};

// Words are moved to the next line where they do not fit; one that is longer than a line stands alone. A line
// break in the text is a blank, unless a blank line or an item ("- ") follows it. Ends with a line break;
// empty for empty text.
std::string help_paragraphs(std::string_view text, std::size_t width, const Indents& indents = {});

// A command for a shell over several lines, each of which ends in a backslash: "  $ sextant predict \". What
// stands in quotes is not broken.
std::string shell_command(std::string_view command, std::size_t width);

}  // namespace sextant::cli
