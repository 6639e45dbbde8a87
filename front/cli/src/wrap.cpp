#include "wrap.h"

#include <algorithm>
#include <vector>

#include "sextant/core/text.h"
#include "sextant/report/text_wrap.h"

namespace sextant::cli {
namespace {

using report::display_width;

constexpr std::string_view kItem = "- ";
constexpr std::string_view kContinued = " \\";

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  for (std::string& word : split(text, ' ')) {
    if (!word.empty()) words.push_back(std::move(word));
  }
  return words;
}

// Parts of a command between blanks, where quotes hold blanks together; an option and its value stay
// together.
std::vector<std::string> arguments_of(std::string_view command) {
  std::vector<std::string> parts;
  std::string part;
  char quote = 0;
  const auto end_part = [&] {
    const bool value = !parts.empty() && parts.back().starts_with("--") && !part.starts_with("-") &&
                       parts.back().find(' ') == std::string::npos;
    if (part.empty()) return;
    if (value)
      parts.back() += " " + part;
    else
      parts.push_back(part);
    part.clear();
  };
  for (const char c : command) {
    if (quote == 0 && (c == '\'' || c == '"'))
      quote = c;
    else if (c == quote)
      quote = 0;
    if (c == ' ' && quote == 0)
      end_part();
    else
      part += c;
  }
  end_part();
  return parts;
}

struct Lines {
  std::size_t width;
  Indents indents;
  std::string_view ending = {};  // of every line but the last

  [[nodiscard]] std::string of(const std::vector<std::string>& words) const {
    std::string lines;
    std::string line(indents.first, ' ');
    bool empty = true;
    for (const std::string& word : words) {
      const std::size_t needed = display_width(line) + (empty ? 0 : 1) + display_width(word);
      const bool last = &word == &words.back();
      if (!empty && needed + (last ? 0 : ending.size()) > width) {
        lines += line + std::string(ending) + "\n";
        line.assign(indents.rest, ' ');
        empty = true;
      }
      line += (empty ? "" : " ") + word;
      empty = false;
    }
    return empty ? "" : lines + line + "\n";
  }
};

// What is filled into lines together: a paragraph or an item.
std::vector<std::string> blocks_of(std::string_view text) {
  std::vector<std::string> blocks;
  bool apart = true;
  for (const std::string& line : split(text, '\n')) {
    if (apart || line.starts_with(kItem))
      blocks.push_back(line);
    else if (!line.empty())
      blocks.back() += " " + line;
    apart = line.empty();
  }
  return blocks;
}

}  // namespace

std::string wrapped(std::string_view text, std::size_t width, const Indents& indents) {
  std::string lines;
  for (const std::string& block : blocks_of(text)) {
    const std::size_t hanging = block.starts_with(kItem) ? kItem.size() : 0;
    const std::size_t first = lines.empty() ? indents.first : indents.rest;
    lines += Lines{width, {first, indents.rest + hanging}}.of(words_of(block));
  }
  return lines;
}

std::string wrapped_command(std::string_view command, std::size_t width) {
  std::vector<std::string> parts = arguments_of(command);
  parts.insert(parts.begin(), "$");
  return Lines{width, {2, 6}, kContinued}.of(parts);
}

}  // namespace sextant::cli
