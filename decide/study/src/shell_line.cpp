#include "shell_line.h"

#include <algorithm>
#include <cctype>

namespace sextant::study {
namespace {

// Where in a line its reader stands: POSIX Shell Command Language, 2.2 Quoting.
struct ShellQuoting {
  enum class Within { nothing, single_quotes, double_quotes };
  Within within = Within::nothing;
  bool escaped = false;  // by a backslash just before

  void read(char c) {
    using enum Within;
    if (escaped) {
      escaped = false;
    } else if (c == '\\' && within != single_quotes) {
      escaped = true;
    } else if (c == '\'' && within != double_quotes) {
      within = within == nothing ? single_quotes : nothing;
    } else if (c == '"' && within != single_quotes) {
      within = within == nothing ? double_quotes : nothing;
    }
  }
};

std::string variable_of(const std::string& name, const std::vector<std::string>& extras) {
  std::string variable = "SEXTANT_";
  if (std::ranges::find(extras, name) != extras.end()) {
    for (const char c : name) variable += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    return variable;
  }
  variable += "FACTOR_";
  for (const char c : name) variable += c == '.' ? std::string("__") : std::string(1, c);
  return variable;
}

// Within double quotes; what the user wrote as fallback is a text, too.
std::string reference(const TemplatePiece& piece, const std::vector<std::string>& extras) {
  std::string text = "${" + variable_of(piece.text, extras);
  if (!piece.fallback.empty()) text += ":-";
  for (const char c : piece.fallback) {
    if (std::string_view("\"\\$`}").find(c) != std::string_view::npos) text += '\\';
    text += c;
  }
  return text + "}";
}

}  // namespace

std::string line_for_shell(const std::string& text, const explore::SearchSpace& space, const SourcePos& at,
                           const std::vector<std::string>& extras) {
  using enum ShellQuoting::Within;
  const std::vector<std::string> known = placeholder_names(space, extras);
  ShellQuoting quoting;
  std::string line;
  for (const TemplatePiece& piece : template_pieces(text, known, at, Dollar::of_a_shell)) {
    if (!piece.value) {
      for (const char c : piece.text) quoting.read(c);
      line += piece.text;
      continue;
    }
    const std::string braces = "{" + piece.text + "}";
    if (quoting.within == single_quotes) {
      throw InputError(at, "the shell puts no value between single quotes: '" + braces + "'",
                       "write " + braces +
                           " without quotes, or between double quotes; a script between "
                           "single quotes may read $" +
                           variable_of(piece.text, extras));
    }
    if (quoting.escaped) {
      throw InputError(at, "a backslash stands before " + braces, "leave it out: the value is one word");
    }
    const std::string value = reference(piece, extras);
    line += quoting.within == double_quotes ? value : "\"" + value + "\"";
  }
  return line;
}

std::vector<std::pair<std::string, std::string>> factor_environment(
    const explore::SearchSpace& space, const explore::Configuration& configuration) {
  std::vector<std::pair<std::string, std::string>> environment;
  for (const std::string& name : placeholder_names(space, {})) {
    environment.emplace_back(variable_of(name, {}),
                             placeholder_value(space, configuration, name).value_or(""));
  }
  return environment;
}

}  // namespace sextant::study
