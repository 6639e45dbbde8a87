#include "config_reader.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "sextant/core/json_place.h"
#include "sextant/core/text.h"

namespace sextant::nets {
namespace {

// Beyond these there is no such network: a slip, or a file of another kind.
constexpr std::int64_t kLargestSize = std::int64_t{1} << 32;

}  // namespace

ConfigReader::ConfigReader(const Json& object) : object_(&object) {}

const Json* ConfigReader::find(const std::string& key) const {
  const auto found = object_->find(key);
  return found == object_->end() || found->is_null() ? nullptr : &*found;
}

bool ConfigReader::has(const std::string& key) const {
  return find(key) != nullptr;
}

void ConfigReader::fail(const std::string& key, const std::string& what, const std::string& hint) const {
  throw JsonFault(*object_, key, what, hint);
}

std::int64_t ConfigReader::whole(const std::string& key, const Json& value, std::int64_t least) const {
  if (!value.is_number()) fail(key, "is not a number");
  const auto number = value.get<double>();
  if (number != std::floor(number)) fail(key, "is not a whole number");
  if (number < static_cast<double>(least) || number > static_cast<double>(kLargestSize)) {
    fail(key, "is out of range", "from " + std::to_string(least) + " to " + std::to_string(kLargestSize));
  }
  return static_cast<std::int64_t>(number);
}

std::int64_t ConfigReader::size(const std::string& key) const {
  const Json* value = find(key);
  if (value == nullptr) fail(key, "is missing", "the config.json beside the weights of the network has it");
  return whole(key, *value, 1);
}

std::int64_t ConfigReader::size_or(const std::string& key, std::int64_t fallback) const {
  const Json* value = find(key);
  return value == nullptr ? fallback : whole(key, *value, 1);
}

std::int64_t ConfigReader::count_or(const std::string& key, std::int64_t fallback) const {
  const Json* value = find(key);
  return value == nullptr ? fallback : whole(key, *value, 0);
}

double ConfigReader::number_or(const std::string& key, double fallback) const {
  const Json* value = find(key);
  if (value == nullptr) return fallback;
  if (!value->is_number()) fail(key, "is not a number");
  const auto number = value->get<double>();
  if (!(number > 0) || number > static_cast<double>(kLargestSize)) fail(key, "is out of range");
  return number;
}

bool ConfigReader::flag_or(const std::string& key, bool fallback) const {
  const Json* value = find(key);
  if (value == nullptr) return fallback;
  if (!value->is_boolean()) fail(key, "is neither true nor false");
  return value->get<bool>();
}

std::string ConfigReader::text_or(const std::string& key, const std::string& fallback) const {
  const Json* value = find(key);
  if (value == nullptr) return fallback;
  if (!value->is_string()) fail(key, "is not a text");
  return value->get<std::string>();
}

std::vector<std::string> ConfigReader::texts(const std::string& key) const {
  const Json* value = find(key);
  if (value == nullptr) return {};
  if (!value->is_array()) fail(key, "is not a list");
  std::vector<std::string> all;
  for (const Json& one : *value) {
    if (!one.is_string()) throw JsonFault::at_value(one, key, "is not a text");
    all.push_back(one.get<std::string>());
  }
  return all;
}

std::int64_t ConfigReader::entries(const std::string& key) const {
  const Json* value = find(key);
  if (value == nullptr) return 0;
  if (!value->is_array() && !value->is_object()) fail(key, "is not a list");
  return static_cast<std::int64_t>(value->size());
}

ConfigReader ConfigReader::part(const std::string& key) const {
  const Json* value = find(key);
  if (value == nullptr) return *this;
  if (!value->is_object()) fail(key, "is not an object");
  return ConfigReader(*value);
}

}  // namespace sextant::nets
