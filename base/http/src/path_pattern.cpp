#include "path_pattern.h"

#include "sextant/core/text.h"
#include "sextant/core/utf8.h"
#include "sextant/http/route.h"

namespace sextant::http {
namespace {

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

bool has_control(const std::string& text) {
  for (const char c : text) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) return true;
  }
  return false;
}

std::string decoded_or_refused(std::string_view text) {
  auto decoded = percent_decoded(text);
  if (!decoded || has_control(*decoded) || !is_utf8(*decoded))
    throw Refusal(400, "the path holds bytes that no name has");
  return *std::move(decoded);
}

void check_segment(const std::string& segment) {
  if (segment == "." || segment == ".." || segment.find('/') != std::string::npos ||
      segment.find('\\') != std::string::npos) {
    throw Refusal(400, "the path tries to leave its place");
  }
  if (segment.size() > kLongestName)
    throw Refusal(400, "a name in the path is longer than " + std::to_string(kLongestName) + " bytes");
}

bool is_name(const std::string& part) {
  return part.starts_with('{') && part.ends_with('}');
}

std::string name_of(const std::string& part) {
  return part.substr(1, part.size() - 2);
}

}  // namespace

std::optional<std::string> percent_decoded(std::string_view text) {
  std::string decoded;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      decoded += text[i];
      continue;
    }
    if (i + 2 >= text.size()) return {};
    const int high = hex_digit(text[i + 1]);
    const int low = hex_digit(text[i + 2]);
    if (high < 0 || low < 0) return {};
    decoded += static_cast<char>(16 * high + low);
    i += 2;
  }
  return decoded;
}

Target parse_target(std::string_view text) {
  if (!text.starts_with('/')) throw Refusal(400, "the target of the request is no path");
  Target target;
  const std::size_t mark = text.find('?');
  for (const std::string& part :
       split(text.substr(1, mark == std::string_view::npos ? mark : mark - 1), '/')) {
    target.segments.push_back(decoded_or_refused(part));
    check_segment(target.segments.back());
  }
  if (mark == std::string_view::npos) return target;
  for (const std::string& pair : split(text.substr(mark + 1), '&')) {
    if (pair.empty()) continue;
    const std::size_t equals = pair.find('=');
    const std::string name = decoded_or_refused(pair.substr(0, equals));
    const std::string value = equals == std::string::npos ? "" : decoded_or_refused(pair.substr(equals + 1));
    if (!target.query.emplace(name, value).second)
      throw Refusal(400, "'" + name + "' stands twice in the query");
  }
  return target;
}

PathPattern::PathPattern(const std::string& path) : parts_(split(std::string_view(path).substr(1), '/')) {}

std::vector<std::string> PathPattern::names() const {
  std::vector<std::string> names;
  for (const std::string& part : parts_) {
    if (is_name(part)) names.push_back(name_of(part));
  }
  return names;
}

std::optional<std::map<std::string, std::string>> PathPattern::match(
    const std::vector<std::string>& segments) const {
  if (segments.size() != parts_.size()) return {};
  std::map<std::string, std::string> values;
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    if (is_name(parts_[i]) && !segments[i].empty()) {
      values[name_of(parts_[i])] = segments[i];
    } else if (parts_[i] != segments[i]) {
      return {};
    }
  }
  return values;
}

}  // namespace sextant::http
