#include "sextant/core/json.h"

#include <nlohmann/json.hpp>

#include "sextant/core/csv.h"
#include "sextant/core/error.h"

namespace sextant {
namespace {

// Deeper nesting than any real document; the parser is recursive in destruction.
constexpr int kDeepest = 200;

void check_depth(const std::string& text, const std::string& file_name) {
  int depth = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\') ++i;
      in_string = c != '"';
      continue;
    }
    in_string = c == '"';
    if (c == '[' || c == '{') ++depth;
    if (c == ']' || c == '}') --depth;
    if (depth > kDeepest)
      throw InputError(position_in(text, i, file_name), "values are nested too deeply here");
  }
}

// The library names the number, as in "number overflow parsing '1e999'", and not where it stands.
SourcePos place_of_quoted(const std::string& reason, const std::string& text, const std::string& file_name) {
  const std::size_t open = reason.find('\'');
  const std::size_t close = reason.rfind('\'');
  if (open == std::string::npos || close <= open + 1) return {file_name};
  const std::size_t at = text.find(reason.substr(open + 1, close - open - 1));
  return at == std::string::npos ? SourcePos{file_name} : position_in(text, at, file_name);
}

std::string syntax_hint(const std::string& text, std::size_t offset) {
  if (text.empty()) return "the file is empty";
  if (offset >= text.size()) return "the file may be cut off";
  return "JSON has names and texts in double quotes, and a comma between two values";
}

// What stands behind the first `end`, of a text that begins like this.
std::string after(const std::string& text, std::string_view begin, std::string_view end) {
  const std::size_t at = text.starts_with(begin) ? text.find(end) : std::string::npos;
  return at == std::string::npos ? text : text.substr(at + end.size());
}

}  // namespace

std::string json_reason(const std::string& what) {
  const auto tag = what.starts_with('[') ? what.find("] ") : std::string::npos;
  const std::string text = tag == std::string::npos ? what : what.substr(tag + 2);
  const auto column = text.find("column ");
  const auto colon = column == std::string::npos ? column : text.find(": ", column);
  return after(colon == std::string::npos ? text : text.substr(colon + 2), "syntax error while parsing ",
               " - ");
}

Json parse_json(const std::string& text, const std::string& file_name) {
  check_depth(text, file_name);
  try {
    return Json::parse(text);
  } catch (const nlohmann::json::parse_error& error) {
    const std::size_t offset = error.byte > 0 ? error.byte - 1 : 0;
    throw InputError(position_in(text, std::min(offset, text.size()), file_name),
                     "this is not JSON: " + json_reason(error.what()), syntax_hint(text, offset));
  } catch (const nlohmann::json::exception& error) {
    const std::string reason = json_reason(error.what());
    throw InputError(place_of_quoted(reason, text, file_name), reason);
  }
}

Json read_json_file(const std::string& path) {
  return parse_json(read_text_file(path), path);
}

}  // namespace sextant
