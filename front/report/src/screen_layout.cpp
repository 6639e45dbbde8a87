#include "screen_layout.h"

#include <algorithm>
#include <set>

#include "sextant/core/text.h"

namespace sextant::report {
namespace {

constexpr std::size_t kLeastProse = 24;  // columns below which sentences are hard to read
constexpr std::size_t kMostWord = 48;    // columns that a word may ask for, to be whole
constexpr std::size_t kLeastName = 10;   // columns below which names are hard to read

std::size_t longest_word(const std::string& text) {
  std::size_t longest = 0;
  for (const std::string& word : split(text, ' ')) longest = std::max(longest, display_width(word));
  return longest;
}

// Titles may always be folded; sentences, between words, where that leaves other columns in the table; names
// and lists when nothing else helps. Numbers are never folded.
ScreenColumn screen_column(const Table& table, std::size_t c) {
  const std::string& title = table.columns[c].title;
  std::size_t widest = 0;
  std::size_t word = 0;
  bool sentences = false;
  bool words = false;
  for (const auto& row : table.rows) {
    const std::string& text = row[c].shown;
    widest = std::max(widest, display_width(text));
    word = std::max(word, longest_word(text));
    words |= !row[c].numeric();
    sentences |= !row[c].numeric() && std::ranges::count(text, ' ') > 2;
  }
  const std::size_t floor = longest_word(title);
  const std::size_t prose = std::min(widest, std::max(kLeastProse, std::min(word, kMostWord)));
  return {.index = c,
          .width = std::max(widest, display_width(title)),
          .least = std::max(floor, sentences ? prose : widest),
          .last_resort = std::max(floor, words ? std::min(widest, kLeastName) : widest),
          .right = right_aligned(table, c)};
}

std::size_t sum_of(const ScreenColumns& columns, std::size_t ScreenColumn::*width) {
  std::size_t sum = 0;
  for (const ScreenColumn& column : columns) sum += column.*width + (sum == 0 ? 0 : kColumnGap.size());
  return sum;
}

// Takes from the widest column that may give, one by one, until a line fits or none may.
void narrow(ScreenColumns& columns, std::size_t ScreenColumn::*least, std::size_t width) {
  while (sum_of(columns, &ScreenColumn::width) > width) {
    ScreenColumn* widest = nullptr;
    for (ScreenColumn& column : columns) {
      if (column.width > column.*least && (widest == nullptr || column.width > widest->width)) {
        widest = &column;
      }
    }
    if (widest == nullptr) return;
    --widest->width;
  }
}

bool same_in_all_rows(const Table& table, std::size_t c) {
  const auto differs = [&](const auto& row) { return row[c].shown != table.rows.front()[c].shown; };
  return !table.rows.empty() && std::ranges::none_of(table.rows, differs);
}

// What gives way, step by step, where a line has no room for all columns.
class GivingWay {
 public:
  GivingWay(const Table& table, std::size_t width, ScreenColumns& columns, ScreenLayout& layout)
      : table_(table), width_(width), columns_(columns), layout_(layout) {}

  // What all rows share tells none from another. Of a single row that holds for what it is about.
  void say_once() {
    const bool several = table_.rows.size() > 1;
    const auto shared = [&](const ScreenColumn& column) {
      const Importance importance = table_.columns[column.index].importance;
      if (!several) return importance == Importance::identity && !table_.rows.empty();
      return importance != Importance::essential && same_in_all_rows(table_, column.index);
    };
    if (fits() || std::ranges::all_of(columns_, shared)) return;
    for (const ScreenColumn& column : columns_) {
      if (shared(column)) layout_.said_once.push_back(column.index);
    }
    std::erase_if(columns_, shared);
    if (several) say_results_once();
  }

  // The last first; a narrow one comes back where the last to go left room.
  void leave_out() {
    ScreenColumns out;
    while (!fits() && columns_.size() > 1) {
      const auto last = std::find_if(columns_.rbegin(), columns_.rend(), [&](const ScreenColumn& column) {
        return table_.columns[column.index].importance == Importance::usual;
      });
      if (last == columns_.rend()) break;
      out.insert(out.begin(), *last);
      columns_.erase(std::next(last).base());
    }
    for (const ScreenColumn& column : out) {
      const auto place = std::ranges::upper_bound(columns_, column.index, {}, &ScreenColumn::index);
      const auto back = columns_.insert(place, column);
      if (fits()) continue;
      columns_.erase(back);
      layout_.left_out.push_back(column.index);
    }
  }

 private:
  [[nodiscard]] bool fits() const { return sum_of(columns_, &ScreenColumn::least) <= width_; }

  // A result that all rows share, where there is still no room; the last first.
  void say_results_once() {
    while (!fits() && columns_.size() > 1) {
      const auto last = std::find_if(columns_.rbegin(), columns_.rend(), [&](const ScreenColumn& column) {
        return same_in_all_rows(table_, column.index);
      });
      if (last == columns_.rend()) break;
      layout_.said_once.push_back(last->index);
      columns_.erase(std::next(last).base());
    }
    std::ranges::sort(layout_.said_once);
  }

  const Table& table_;
  std::size_t width_;
  ScreenColumns& columns_;
  ScreenLayout& layout_;
};

// What folding made narrower than was asked for gives the rest back.
void tighten(const Table& table, ScreenColumns& columns) {
  for (ScreenColumn& column : columns) {
    std::size_t widest = 0;
    const auto see = [&](const std::string& text) {
      for (const auto& line : wrapped(text, folded(text, column.width))) {
        widest = std::max(widest, display_width(line));
      }
    };
    see(table.columns[column.index].title);
    for (const auto& row : table.rows) see(row[column.index].shown);
    column.width = std::min(column.width, widest);
  }
}

// How many rows these columns tell from all others.
std::size_t told_apart(const Table& table, const ScreenColumns& columns) {
  std::set<std::vector<std::string>> keys;
  for (const auto& row : table.rows) {
    std::vector<std::string> key;
    for (const ScreenColumn& column : columns) key.push_back(row[column.index].shown);
    keys.insert(std::move(key));
  }
  return keys.size();
}

// What tells the rows of every band apart: all that identifies them. Where that leaves little room for
// anything else, the first column, and of the others those that help and still leave room.
ScreenColumns lead_of(const Table& table, const ScreenColumns& columns, std::size_t width) {
  ScreenColumns identities;
  for (const ScreenColumn& column : columns) {
    if (table.columns[column.index].importance == Importance::identity) identities.push_back(column);
  }
  if (!identities.empty() && sum_of(identities, &ScreenColumn::width) <= width / 2) return identities;
  ScreenColumns lead = {columns.front()};
  // Rows that look alike are worse than bands of one column: what is still needed may take more room.
  for (const std::size_t room : {width / 2, width - width / 3}) {
    for (const ScreenColumn& column : identities) {
      if (std::ranges::find(lead, column.index, &ScreenColumn::index) != lead.end()) continue;
      ScreenColumns more = lead;
      more.push_back(column);
      const bool helps = told_apart(table, more) > told_apart(table, lead);
      if (helps && sum_of(more, &ScreenColumn::width) <= room) lead = std::move(more);
    }
  }
  return lead;
}

// Columns that have no room beside each other, even with folded names, follow in tables of their own, each
// with what identifies its rows.
std::vector<ScreenColumns> bands_of(const Table& table, const ScreenColumns& columns, std::size_t width) {
  ScreenColumns folded = columns;
  narrow(folded, &ScreenColumn::last_resort, width);
  if (sum_of(folded, &ScreenColumn::width) <= width) return {folded};
  const ScreenColumns lead = lead_of(table, columns, width);
  std::vector<ScreenColumns> all = {lead};
  for (const ScreenColumn& column : columns) {
    if (std::ranges::find(lead, column.index, &ScreenColumn::index) != lead.end()) continue;
    ScreenColumns& band = all.back();
    band.push_back(column);
    if (band.size() < lead.size() + 2 || sum_of(band, &ScreenColumn::width) <= width) continue;
    band.pop_back();
    all.push_back(lead);
    all.back().push_back(column);
  }
  for (ScreenColumns& band : all) narrow(band, &ScreenColumn::last_resort, width);
  return all;
}

}  // namespace

std::vector<std::size_t> ScreenLayout::shown() const {
  std::vector<std::size_t> all = said_once;
  for (const ScreenColumns& band : bands) {
    for (const ScreenColumn& column : band) all.push_back(column.index);
  }
  std::ranges::sort(all);
  all.erase(std::unique(all.begin(), all.end()), all.end());  // Clang 14 does not read ranges::unique
  return all;
}

ScreenLayout screen_layout(const Table& table, std::size_t width) {
  ScreenLayout layout;
  ScreenColumns columns;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    if (for_people(table, c)) columns.push_back(screen_column(table, c));
  }
  layout.bands = {columns};
  if (width == 0 || columns.empty()) return layout;
  GivingWay giving(table, width, columns, layout);
  giving.say_once();
  giving.leave_out();
  narrow(columns, &ScreenColumn::least, width);
  layout.bands = bands_of(table, columns, width);
  for (ScreenColumns& band : layout.bands) tighten(table, band);
  return layout;
}

}  // namespace sextant::report
