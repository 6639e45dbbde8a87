#include "sextant/core/json_reader.h"

#include <array>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

#include "sextant/core/error.h"
#include "sextant/core/json_place.h"

namespace sextant {
namespace {

// Far above any quantity, and far from overflow when squared.
constexpr double kLargest = 1e30;

}  // namespace

double rounded(double value) {
  std::array<char, 32> text{};
  const auto end =
      std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::general, 6);
  std::from_chars(text.data(), end.ptr, value);
  return value;
}

void JsonReader::fail(const std::string& where, const std::string& what, const std::string& hint) const {
  throw InputError(SourcePos{file_}, "'" + where + "' " + what, hint);
}

void JsonReader::fail_at(const Json& holder, const std::string& name, const std::string& what,
                         const std::string& hint) const {
  throw JsonFault(holder, name, what, hint).in(document_ == nullptr ? holder : *document_, file_);
}

void JsonReader::check_schema(const Json& json, const std::string& schema, const std::string& what,
                              const std::string& maker) const {
  document_ = &json;
  if (json.is_object() && json.contains("schema") && json.at("schema") == schema) return;
  fail("schema", "is not " + what + " (" + schema + ")", "made by '" + maker + "'");
}

const Json& JsonReader::member(const Json& json, const std::string& name) const {
  if (!json.is_object() || !json.contains(name)) fail_at(json, name, "is missing");
  const Json& value = json.at(name);
  if (!value.is_object()) fail_at(json, name, "is not an object");
  return value;
}

double JsonReader::number(const Json& json, const std::string& name) const {
  if (!json.is_object() || !json.contains(name) || !json.at(name).is_number())
    fail_at(json, name, "is not a number");
  const double value = json.at(name).get<double>();
  if (!std::isfinite(value) || std::abs(value) > kLargest) fail_at(json, name, "is out of range");
  return value;
}

double JsonReader::positive(const Json& json, const std::string& name) const {
  const double value = number(json, name);
  if (value <= 1 / kLargest) fail_at(json, name, "is not above 0");
  return value;
}

}  // namespace sextant
