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

}  // namespace

std::string json_reason(const std::string& what) {
  const auto tag = what.starts_with('[') ? what.find("] ") : std::string::npos;
  const std::string text = tag == std::string::npos ? what : what.substr(tag + 2);
  const auto column = text.find("column ");
  const auto colon = column == std::string::npos ? column : text.find(": ", column);
  return colon == std::string::npos ? text : text.substr(colon + 2);
}

Json parse_json(const std::string& text, const std::string& file_name) {
  check_depth(text, file_name);
  try {
    return Json::parse(text);
  } catch (const nlohmann::json::parse_error& error) {
    const std::size_t offset = error.byte > 0 ? error.byte - 1 : 0;
    throw InputError(position_in(text, std::min(offset, text.size()), file_name), json_reason(error.what()));
  } catch (const nlohmann::json::exception& error) {
    throw InputError({file_name}, json_reason(error.what()));
  }
}

Json read_json_file(const std::string& path) {
  return parse_json(read_text_file(path), path);
}

}  // namespace sextant
