// What of a table a terminal shows, and how wide: the columns beside each other, those that are said once
// above the table, and those that are left out.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sextant/report/table.h"
#include "sextant/report/text_wrap.h"

namespace sextant::report {

inline constexpr std::string_view kColumnGap = "  ";
inline constexpr std::size_t kFoldedName =
    2;  // blanks before what follows of a name, so that it begins no row

// How a cell is folded to the width of its column. Sentences go on where they began.
inline Wrap folded(const std::string& text, std::size_t width) {
  const bool name = text.find(' ') == std::string::npos;
  return {.width = width, .hanging = name ? kFoldedName : 0, .break_words = true};
}

struct ScreenColumn {
  std::size_t index = 0;
  std::size_t width = 0;
  std::size_t least = 0;  // that it may have before others are left out
  std::size_t last_resort = 0;
  bool right = false;
};
using ScreenColumns = std::vector<ScreenColumn>;

struct ScreenLayout {
  std::vector<std::size_t> said_once;
  std::vector<std::size_t> left_out;
  // One, unless what has to be shown has no room side by side.
  std::vector<ScreenColumns> bands;

  [[nodiscard]] std::vector<std::size_t> shown() const;  // said once or in the table, in its order
};

// `width` 0: there is room for everything.
ScreenLayout screen_layout(const Table& table, std::size_t width);

}  // namespace sextant::report
