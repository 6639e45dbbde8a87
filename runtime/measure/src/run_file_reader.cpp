#include "sextant/measure/run_file_reader.h"

#include <limits>
#include <nlohmann/json.hpp>

#include "sextant/core/infinity.h"
#include "sextant/core/text.h"

namespace sextant::measure {
namespace {

// Counts of anything: batches, iterations, processes. Products of two stay within 64 bits.
constexpr std::int64_t kLargestCount = 1'000'000'000;

}  // namespace

const Json& RunFileReader::value(const Json& json, const std::string& name) const {
  if (!json.is_object()) fail(name, "is not in an object");
  if (!json.contains(name)) fail(name, "is missing");
  return json.at(name);
}

std::string RunFileReader::text(const Json& json, const std::string& name) const {
  const Json& found = value(json, name);
  if (!found.is_string()) fail(name, "is not a text");
  return found.get<std::string>();
}

bool RunFileReader::flag(const Json& json, const std::string& name) const {
  const Json& found = value(json, name);
  if (!found.is_boolean()) fail(name, "is not true or false");
  return found.get<bool>();
}

double RunFileReader::at_least_zero(const Json& json, const std::string& name) const {
  const double found = number(json, name);
  if (found < 0) fail(name, "is negative");
  return found;
}

std::int64_t RunFileReader::count(const Json& json, const std::string& name, std::int64_t low,
                                  std::int64_t high) const {
  const Json& found = value(json, name);
  if (!found.is_number_integer()) fail(name, "is not a whole number");
  const bool huge = found.is_number_unsigned() &&
                    found.get<std::uint64_t>() > std::uint64_t{std::numeric_limits<std::int64_t>::max()};
  if (huge || found.get<std::int64_t>() < low || found.get<std::int64_t>() > high) {
    fail(name, "is not between " + std::to_string(low) + " and " + std::to_string(high));
  }
  return found.get<std::int64_t>();
}

std::optional<std::int64_t> RunFileReader::maybe_count(const Json& json, const std::string& name) const {
  if (value(json, name).is_null()) return {};
  return count(json, name, 0, kLargestCount);
}

std::optional<double> RunFileReader::maybe_number(const Json& json, const std::string& name) const {
  if (value(json, name).is_null()) return {};
  return at_least_zero(json, name);
}

const Json& RunFileReader::list(const Json& json, const std::string& name) const {
  const Json& found = value(json, name);
  if (!found.is_array()) fail(name, "is not a list");
  return found;
}

std::vector<double> RunFileReader::numbers(const Json& json, const std::string& name) const {
  std::vector<double> all;
  for (const Json& item : list(json, name)) {
    if (!item.is_null() && !item.is_number()) fail(name, "is not a list of numbers");
    all.push_back(item.is_null() ? kNan : item.get<double>());
  }
  return all;
}

RunFileReader::Pairs RunFileReader::text_pairs(const Json& json, const std::string& name) const {
  Pairs pairs;
  const Json& object = member(json, name);
  for (const auto& [key, item] : object.items()) pairs.emplace_back(key, text(object, key));
  return pairs;
}

void RunFileReader::only(const Json& json, const std::set<std::string>& known) const {
  for (const auto& [key, item] : json.items()) {
    if (known.contains(key)) continue;
    const std::vector<std::string> names(known.begin(), known.end());
    fail(key, "is not known here", name_hint(key, names));
  }
}

Json pairs_json(const std::vector<std::pair<std::string, std::string>>& pairs) {
  Json json = Json::object();
  for (const auto& [name, value] : pairs) json[name] = value;
  return json;
}

}  // namespace sextant::measure
