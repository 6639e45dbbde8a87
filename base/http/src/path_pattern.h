// Paths of requests: taken apart, decoded, and matched with those of routes. What tries to leave the tree by
// dots, by encoded slashes or by bytes that no name has is refused before anybody looks at it.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sextant::http {

inline constexpr std::size_t kLongestName = 200;  // bytes of a segment

// %41 as A. Nothing where the escapes are broken.
std::optional<std::string> percent_decoded(std::string_view text);

struct Target {
  std::vector<std::string> segments = {};
  std::map<std::string, std::string> query = {};
};
// Of "/v1/jobs/a%20b?state=done". Refusal with 400 for a target that is malformed.
Target parse_target(std::string_view text);

class PathPattern {
 public:
  explicit PathPattern(const std::string& path);  // "/v1/jobs/{id}"
  [[nodiscard]] std::vector<std::string> names() const;
  // The values of its names.
  [[nodiscard]] std::optional<std::map<std::string, std::string>> match(
      const std::vector<std::string>& segments) const;

 private:
  std::vector<std::string> parts_;
};

}  // namespace sextant::http
