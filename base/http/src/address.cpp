#include <arpa/inet.h>

#include <algorithm>

#include "sextant/core/csv.h"
#include "sextant/core/text.h"
#include "sextant/http/server.h"

namespace sextant::http {
namespace {

constexpr std::size_t kShortestToken = 16;

bool is_numeric(const std::string& host) {
  in_addr four{};
  in6_addr six{};
  return ::inet_pton(AF_INET, host.c_str(), &four) == 1 || ::inet_pton(AF_INET6, host.c_str(), &six) == 1;
}

}  // namespace

bool Address::loopback() const {
  return host.starts_with("127.") || host == "::1";
}

std::string Address::str() const {
  const std::string shown = host.find(':') == std::string::npos ? host : "[" + host + "]";
  return shown + ":" + std::to_string(port);
}

Address parse_address(const std::string& text, const SourcePos& at) {
  const std::size_t colon = text.rfind(':');
  const std::string hint = "such as 127.0.0.1:8350, [::1]:8350 or 0.0.0.0:8350";
  if (colon == std::string::npos) throw InputError(at, "'" + text + "' names no port", hint);
  Address address;
  std::string host = text.substr(0, colon);
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  if (host == "localhost" || host.empty()) host = "127.0.0.1";
  if (!is_numeric(host)) throw InputError(at, "'" + host + "' is no numeric address", hint);
  address.host = host;
  const auto port = to_integer(text.substr(colon + 1));
  if (!port || *port < 0 || *port > 65535)
    throw InputError(at, "'" + text.substr(colon + 1) + "' is no port",
                     "0 to 65535; 0 takes any that is free");
  address.port = static_cast<std::uint16_t>(*port);
  return address;
}

std::string read_token(const std::string& path) {
  std::string token(trim(read_text_file(path)));
  const bool plain = std::ranges::all_of(token, [](char c) { return c > ' ' && c < 0x7f; });
  if (!plain) throw InputError({path}, "the token is not one line of visible ASCII characters");
  if (token.size() < kShortestToken) {
    throw InputError({path}, "the token has fewer than " + std::to_string(kShortestToken) + " characters",
                     "'openssl rand -hex 32' makes a good one");
  }
  return token;
}

}  // namespace sextant::http
