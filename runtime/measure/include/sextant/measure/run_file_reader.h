// Strict reading of the files that driver and workers exchange: every member is there, of its type and in its
// range, and none is unknown, so that two versions that do not fit together say so at once.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "sextant/core/json_reader.h"

namespace sextant::measure {

class RunFileReader : public JsonReader {
 protected:
  using JsonReader::JsonReader;
  using Pairs = std::vector<std::pair<std::string, std::string>>;

  // Of an object; null counts as absent only where an optional is asked for.
  [[nodiscard]] const Json& value(const Json& json, const std::string& name) const;
  [[nodiscard]] std::string text(const Json& json, const std::string& name) const;
  [[nodiscard]] bool flag(const Json& json, const std::string& name) const;
  [[nodiscard]] double at_least_zero(const Json& json, const std::string& name) const;
  [[nodiscard]] std::int64_t count(const Json& json, const std::string& name, std::int64_t low,
                                   std::int64_t high) const;
  [[nodiscard]] std::optional<std::int64_t> maybe_count(const Json& json, const std::string& name) const;
  [[nodiscard]] std::optional<double> maybe_number(const Json& json, const std::string& name) const;
  [[nodiscard]] const Json& list(const Json& json, const std::string& name) const;
  // Numbers; null is NaN, which is how JSON writes what is no number.
  [[nodiscard]] std::vector<double> numbers(const Json& json, const std::string& name) const;
  [[nodiscard]] Pairs text_pairs(const Json& json, const std::string& name) const;
  void only(const Json& json, const std::set<std::string>& known) const;
};

Json pairs_json(const std::vector<std::pair<std::string, std::string>>& pairs);

}  // namespace sextant::measure
