#include "help_lines.h"

#include <algorithm>
#include <vector>

#include "sextant/core/text.h"
#include "sextant/report/text_wrap.h"

namespace sextant::cli {
namespace {

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

std::string lines_of(const std::vector<std::string>& words, const report::Filling& filling) {
  std::string text;
  for (const std::string& line : report::filled(words, filling)) text += line + "\n";
  return text;
}

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

std::string help_paragraphs(std::string_view text, std::size_t width, const Indents& indents) {
  std::string lines;
  for (const std::string& block : blocks_of(text)) {
    const std::size_t hanging = block.starts_with(kItem) ? kItem.size() : 0;
    const std::size_t first = lines.empty() ? indents.first : indents.rest;
    lines += lines_of(words_of(block), {.width = width, .first = first, .rest = indents.rest + hanging});
  }
  return lines;
}

std::string shell_command(std::string_view command, std::size_t width) {
  std::vector<std::string> parts = arguments_of(command);
  parts.insert(parts.begin(), "$");
  return lines_of(parts, {.width = width, .first = 2, .rest = 6, .ending = kContinued});
}

}  // namespace sextant::cli
