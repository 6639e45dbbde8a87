// Tables as text: aligned for people, CSV for pipes, Markdown for documents. What would command a terminal is
// spelt out for people (core/visible_text.h); CSV has the values as they are.
#pragma once

#include <iosfwd>
#include <string>

#include "sextant/report/table.h"

namespace sextant::report {

struct ScreenStyle {
  bool color = false;
  int width = 0;                    // of the terminal; 0: never cut (pipes)
  std::string how_to_see_all = {};  // for who misses a column: "--wide shows them"
};

// A table without columns for people is its notes. On a terminal no line is wider than it: long texts go on
// in the next line; what all rows share is said once above the table, and what a single row is about; then
// `usual` columns are left out, the last first, and named; and what still has no room side by side follows
// below, with what identifies its rows. Marks and legends are explained where they are shown.
void render_screen(std::ostream& out, const Table& table, const ScreenStyle& style);
void render_csv(std::ostream& out, const Table& table);
void render_markdown(std::ostream& out, const Table& table);

// A cell as CSV has it: the exact value, not quoted.
std::string csv_text(const Cell& cell);

}  // namespace sextant::report
