#include "transcript.h"

#include <iterator>
#include <optional>
#include <regex>
#include <sstream>
#include <stdexcept>

namespace sextant::test {
namespace {

int exit_status_of(const std::string& command) {
  static const std::regex marker(R"(# exit (\d+)\s*$)");
  std::smatch found;
  return std::regex_search(command, found, marker) ? std::stoi(found[1]) : 0;
}

// Reads one block from its first line; returns the index of the closing fence.
std::size_t parse_block(const Lines& document, std::size_t at, std::vector<Step>& steps) {
  std::optional<Step> step;
  for (; at < document.size() && document[at] != "```"; ++at) {
    const std::string& line = document[at];
    if (line.starts_with("$ ")) {
      if (step) steps.push_back(*step);
      step = Step{.command = line.substr(2), .expected = {}};
      while (step->command.ends_with('\\') && at + 1 < document.size())
        step->command += "\n" + document[++at];
      step->exit_status = exit_status_of(step->command);
      step->output_line = at + 1;
    } else if (step) {
      step->expected.push_back(line);
    } else {
      throw std::runtime_error("line " + std::to_string(at + 1) + ": output before the first command");
    }
  }
  if (at == document.size()) throw std::runtime_error("a console block does not end");
  if (step) steps.push_back(*step);
  return at;
}

}  // namespace

Lines split_lines(const std::string& text) {
  Lines lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

std::string join_lines(const Lines& lines) {
  std::string text;
  for (const auto& line : lines) text += line + "\n";
  return text;
}

std::vector<Step> parse_transcript(const Lines& document) {
  std::vector<Step> steps;
  for (std::size_t at = 0; at < document.size(); ++at) {
    if (document[at] == "```console") at = parse_block(document, at + 1, steps);
  }
  return steps;
}

// Greedy matching that returns to the last "..." on a mismatch, as for the * of a file name pattern.
bool matches(const Lines& expected, const Lines& actual) {
  std::size_t e = 0;
  std::size_t a = 0;
  std::optional<std::size_t> wildcard;
  std::size_t resume = 0;
  while (a < actual.size()) {
    if (e < expected.size() && expected[e] == "...") {
      wildcard = e++;
      resume = a;
    } else if (e < expected.size() && expected[e] == actual[a]) {
      ++e;
      ++a;
    } else if (wildcard) {
      e = *wildcard + 1;
      a = ++resume;
    } else {
      return false;
    }
  }
  while (e < expected.size() && expected[e] == "...") ++e;
  return e == expected.size();
}

Lines with_output(Lines document, const Step& step, const Lines& actual) {
  const auto first = document.begin() + static_cast<std::ptrdiff_t>(step.output_line);
  const auto after = document.erase(first, first + std::ssize(step.expected));
  document.insert(after, actual.begin(), actual.end());
  return document;
}

}  // namespace sextant::test
