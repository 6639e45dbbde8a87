// Tables as text: aligned for people, CSV for pipes, Markdown for documents.
#pragma once

#include <iosfwd>
#include <string>
#include <string_view>

#include "sextant/report/table.h"

namespace sextant::report {

struct ScreenStyle {
  bool color = false;
  int width = 0;                    // of the terminal; 0: never cut (pipes)
  std::string how_to_see_all = {};  // for who misses a column: "--wide shows them"
};

// A table without columns for people is its notes.
void render_screen(std::ostream& out, const Table& table, const ScreenStyle& style);
void render_csv(std::ostream& out, const Table& table);
void render_markdown(std::ostream& out, const Table& table);

// Columns that a text takes on a terminal: code points, not bytes.
std::size_t display_width(std::string_view utf8);

}  // namespace sextant::report
