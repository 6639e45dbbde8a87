#include "json_scan.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "sextant/core/csv.h"

namespace sextant::spans {
namespace {

constexpr int kDeepest = 200;  // as in parse_json: destruction is recursive

bool is_space(char c) {
  return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

// "[json.exception.parse_error.101] parse error at line 1, column 2: reason"
std::string reason(const std::string& what) {
  const auto at = what.find("column ");
  const auto colon = what.find(": ", at == std::string::npos ? 0 : at);
  return colon == std::string::npos ? what : what.substr(colon + 2);
}

}  // namespace

std::size_t JsonScan::space(std::size_t at) const {
  while (at < text_.size() && is_space(text_[at])) ++at;
  return at;
}

std::size_t JsonScan::skip_string(std::size_t at) const {
  for (std::size_t i = at + 1; i < text_.size(); ++i) {
    if (text_[i] == '"') return i + 1;
    if (text_[i] == '\\') ++i;
  }
  fail(at, "a string without an end", "the file may be cut off");
}

std::size_t JsonScan::skip(std::size_t at) const {
  const std::size_t start = at;
  int depth = 0;
  do {
    const char c = peek(at);
    if (at >= text_.size()) fail(start, "a value without an end", "the file may be cut off");
    if (c == '"') {
      at = skip_string(at);
      continue;
    }
    if (c == '[' || c == '{') ++depth;
    if (c == ']' || c == '}') --depth;
    if (depth > kDeepest) fail(at, "nested too deeply");
    if (depth < 0) fail(at, "a value is expected here");
    ++at;
    if (depth == 0 && c != ']' && c != '}') {  // a number or word
      while (at < text_.size() && !is_space(text_[at]) &&
             std::string_view(",]}[{\":").find(text_[at]) == std::string_view::npos)
        ++at;
    }
  } while (depth > 0);
  return at;
}

std::size_t JsonScan::each_member(std::size_t at,
                                  const std::function<void(std::string_view, std::size_t)>& take) const {
  if (peek(at) != '{') fail(at, "an object is expected here");
  at = space(at + 1);
  if (peek(at) == '}') return at + 1;
  while (true) {
    if (peek(at) != '"') fail(at, "a name in quotes is expected here");
    const std::size_t end = skip_string(at);
    const auto name = std::string_view(text_).substr(at + 1, end - at - 2);
    at = space(end);
    if (peek(at) != ':') fail(at, "':' is expected here");
    at = space(at + 1);
    take(name, at);
    at = space(skip(at));
    if (peek(at) == '}') return at + 1;
    if (peek(at) != ',') fail(at, "',' or '}' is expected here", "the file may be cut off");
    at = space(at + 1);
  }
}

std::size_t JsonScan::each_element(std::size_t at, const std::function<std::size_t(std::size_t)>& take,
                                   bool open_end) const {
  if (peek(at) != '[') fail(at, "an array is expected here");
  at = space(at + 1);
  while (true) {
    if (peek(at) == ']') return at + 1;
    if (open_end && at >= text_.size()) return at;
    at = space(take(at));
    if (peek(at) == ',') {
      at = space(at + 1);
      if (peek(at) == ']' && !open_end) fail(at, "a value is expected here");
    } else if (peek(at) != ']' && !(open_end && at >= text_.size())) {
      fail(at, "',' or ']' is expected here", "the file may be cut off");
    }
  }
}

Json JsonScan::value(std::size_t at, std::size_t end) const {
  try {
    return Json::parse(text_.data() + at, text_.data() + end);
  } catch (const nlohmann::json::parse_error& error) {
    fail(std::min(at + std::max<std::size_t>(error.byte, 1) - 1, text_.size()), reason(error.what()));
  } catch (const nlohmann::json::exception& error) {
    fail(at, reason(error.what()));
  }
}

SourcePos JsonScan::where(std::size_t at) const {
  return position_in(text_, std::min(at, text_.size()), file_);
}

void JsonScan::fail(std::size_t at, const std::string& what, const std::string& hint) const {
  throw InputError(where(at), what, hint);
}

}  // namespace sextant::spans
