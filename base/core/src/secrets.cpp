#include "sextant/core/secrets.h"

#include <algorithm>
#include <string_view>
#include <vector>

namespace sextant {
namespace {

constexpr std::string_view kHidden = "***";
constexpr std::string_view kScheme = "://";
constexpr std::string_view kParameter = "password=";
constexpr std::string_view kEndOfAddress = " \t\r\n'\"`";

// A part of a text.
struct Part {
  std::size_t begin = 0;
  std::size_t end = 0;
};

std::size_t or_end(std::size_t found, const std::string& text) {
  return found == std::string::npos ? text.size() : found;
}

// libpq takes "password='it\\'s me'" as well.
std::size_t end_of_parameter(const std::string& text, std::size_t begin, std::string_view ends) {
  if (begin == text.size() || text[begin] != '\'')
    return or_end(text.find_first_of(std::string(ends) + "&", begin), text);
  std::size_t at = begin + 1;
  while (at < text.size() && text[at] != '\'') at += text[at] == '\\' ? 2 : 1;
  return std::min(at + 1, text.size());
}

// Passwords of the addresses in a text, in their order. `ends` are the characters at which an address ends.
std::vector<Part> passwords(const std::string& text, std::string_view ends) {
  std::vector<Part> found;
  for (std::size_t scheme = text.find(kScheme); scheme != std::string::npos;
       scheme = text.find(kScheme, scheme + 1)) {
    const std::size_t begin = scheme + kScheme.size();
    const std::size_t end = or_end(text.find_first_of(ends, begin), text);
    const std::size_t colon = text.find(':', begin);
    const std::size_t at = end == begin ? std::string::npos : text.rfind('@', end - 1);
    if (at == std::string::npos || colon >= at) continue;
    found.push_back({colon + 1, at});
  }
  for (std::size_t name = text.find(kParameter); name != std::string::npos;
       name = text.find(kParameter, name + 1)) {
    const std::size_t begin = name + kParameter.size();
    found.push_back({begin, end_of_parameter(text, begin, ends)});
  }
  return found;
}

// Parts may overlap: a password may look like a parameter.
std::string hidden(std::string text, std::string_view ends) {
  const std::vector<Part> parts = passwords(text, ends);
  if (parts.empty()) return text;
  std::vector<bool> secret(text.size(), false);
  for (const Part& part : parts) {
    for (std::size_t i = part.begin; i < part.end; ++i) secret[i] = true;
  }
  std::string shown;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (!secret[i]) shown += text[i];
    if (secret[i] && (i == 0 || !secret[i - 1])) shown += kHidden;
  }
  return shown;
}

bool share(const std::string& quoted, const std::string& secret) {
  if (quoted.empty() || secret.empty()) return false;
  return secret.find(quoted) != std::string::npos || quoted.find(secret) != std::string::npos;
}

// A wrong address is taken apart at these: any piece may be taken for a host or a port.
bool tells(const std::string& quoted, const std::string& secret) {
  if (share(quoted, secret)) return true;
  for (std::size_t from = 0; from <= secret.size();) {
    const std::size_t to = or_end(secret.find_first_of("@/:?#", from), secret);
    if (share(quoted, secret.substr(from, to - from))) return true;
    from = to + 1;
  }
  return false;
}

}  // namespace

std::string shown_address(std::string address) {
  return hidden(std::move(address), "");
}

std::string without_passwords(std::string text) {
  return hidden(std::move(text), kEndOfAddress);
}

std::string without_passwords(std::string text, const std::string& address) {
  std::string shown;
  text = without_passwords(std::move(text));
  const std::vector<Part> secrets = passwords(address, "");
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::size_t close = text[i] == '"' ? text.find('"', i + 1) : std::string::npos;
    if (close == std::string::npos) {
      shown += text[i];
      continue;
    }
    std::string quoted = text.substr(i + 1, close - i - 1);
    for (const Part& part : secrets) {
      if (tells(quoted, address.substr(part.begin, part.end - part.begin))) quoted = kHidden;
    }
    shown += '"' + quoted + '"';
    i = close;
  }
  return shown;
}

}  // namespace sextant
