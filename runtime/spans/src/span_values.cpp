#include "span_values.h"

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "sextant/core/infinity.h"
#include "sextant/core/text.h"

namespace sextant::spans {
namespace {

constexpr std::string_view kThreadKey = "thread.";
constexpr std::string_view kNameKey = ".name";

// Protobuf's names for what JSON has no number for.
Json double_json(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "Infinity" : "-Infinity";
  return value;
}

std::optional<double> double_of(const Json& value) {
  if (value.is_number()) return value.get<double>();
  if (!value.is_string()) return std::nullopt;
  const auto& text = value.get_ref<const std::string&>();
  if (text == "NaN") return kNan;
  if (text == "Infinity") return std::numeric_limits<double>::infinity();
  if (text == "-Infinity") return -std::numeric_limits<double>::infinity();
  return to_number(text);
}

}  // namespace

std::string thread_name_key(std::int64_t thread) {
  return std::string(kThreadKey) + std::to_string(thread) + std::string(kNameKey);
}

std::optional<std::int64_t> thread_of_name_key(std::string_view key) {
  if (!key.starts_with(kThreadKey) || !key.ends_with(kNameKey)) return std::nullopt;
  if (key.size() <= kThreadKey.size() + kNameKey.size()) return std::nullopt;
  key.remove_prefix(kThreadKey.size());
  key.remove_suffix(kNameKey.size());
  return to_integer(key);
}

std::optional<std::int64_t> integer_of(const Json& value) {
  if (value.is_string()) return to_integer(value.get_ref<const std::string&>());
  if (value.is_number_unsigned() &&
      value.get<std::uint64_t>() > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
    return std::nullopt;
  if (value.is_number_integer()) return value.get<std::int64_t>();
  return std::nullopt;
}

Json otlp_value(const SpanValue& value) {
  Json json = Json::object();
  if (const auto* whole = std::get_if<std::int64_t>(&value)) json["intValue"] = std::to_string(*whole);
  if (const auto* number = std::get_if<double>(&value)) json["doubleValue"] = double_json(*number);
  if (const auto* truth = std::get_if<bool>(&value)) json["boolValue"] = *truth;
  if (const auto* text = std::get_if<std::string>(&value)) json["stringValue"] = *text;
  return json;
}

Json otlp_attribute(const SpanAttribute& attribute) {
  return {{"key", attribute.first}, {"value", otlp_value(attribute.second)}};
}

std::optional<SpanValue> from_otlp_value(const Json& value) {
  if (!value.is_object() || value.empty()) return std::nullopt;
  const std::string& kind = value.begin().key();
  const Json& held = value.begin().value();
  if (kind == "stringValue" && held.is_string()) return held.get<std::string>();
  if (kind == "boolValue" && held.is_boolean()) return held.get<bool>();
  if (kind == "intValue") {
    if (const auto whole = integer_of(held)) return *whole;
    return std::nullopt;
  }
  if (kind == "doubleValue") {
    if (const auto number = double_of(held)) return *number;
    return std::nullopt;
  }
  return held.dump();
}

std::optional<SpanAttribute> from_otlp_attribute(const Json& attribute) {
  if (!attribute.is_object() || !attribute.contains("key") || !attribute.contains("value") ||
      !attribute.at("key").is_string())
    return std::nullopt;
  auto value = from_otlp_value(attribute.at("value"));
  if (!value) return std::nullopt;
  return SpanAttribute{attribute.at("key").get<std::string>(), std::move(*value)};
}

Json plain_value(const SpanValue& value) {
  return std::visit([](const auto& held) { return Json(held); }, value);
}

SpanValue from_plain_value(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_boolean()) return value.get<bool>();
  if (value.is_number_float()) return value.get<double>();
  if (const auto whole = integer_of(value)) return *whole;
  return value.dump();
}

}  // namespace sextant::spans
