#include "sextant/measure/shell_words.h"

#include <optional>
#include <string_view>

namespace sextant::measure {

std::string shell_quoted(const std::string& word) {
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

std::string shell_line(const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words) line += (line.empty() ? "" : " ") + shell_quoted(word);
  return line;
}

std::vector<std::string> split_shell_words(const std::string& line, const SourcePos& at) {
  std::vector<std::string> words;
  std::optional<std::string> word;
  char quote = 0;
  const auto add = [&word](char c) { word = word.value_or("") + c; };
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    const bool escapes = c == '\\' && quote != '\'' && i + 1 < line.size();
    if (quote != 0 && c == quote) {
      quote = 0;
    } else if (escapes &&
               (quote == 0 || std::string_view("\\\"$`").find(line[i + 1]) != std::string_view::npos)) {
      add(line[++i]);
    } else if (quote == 0 && (c == '\'' || c == '"')) {
      quote = c;
      word = word.value_or("");
    } else if (quote == 0 && std::string_view(" \t\r\n").find(c) != std::string_view::npos) {
      if (word) words.push_back(*word);
      word.reset();
    } else {
      add(c);
    }
  }
  if (quote != 0) throw InputError(at, std::string("a quote ") + quote + " stays open");
  if (word) words.push_back(*word);
  return words;
}

}  // namespace sextant::measure
