#include "evaluator_settings.h"

#include <filesystem>

#include "sextant/core/text.h"

namespace sextant::study {

std::optional<std::string> EvaluatorSettings::maybe_text(const std::string& key) {
  read_.insert(key);
  const auto found = spec_.settings.find(key);
  return found == spec_.settings.end() ? std::nullopt : std::optional(found->second);
}

std::string EvaluatorSettings::text(const std::string& key) {
  if (const auto value = maybe_text(key)) return *value;
  throw InputError(spec_.at, "evaluator " + spec_.kind + " needs '" + key + "'");
}

bool EvaluatorSettings::boolean(const std::string& key) {
  const std::string value = maybe_text(key).value_or("false");
  if (value == "true" || value == "false") return value == "true";
  throw InputError(where(key), "'" + key + "' must be true or false");
}

std::int64_t EvaluatorSettings::integer(const std::string& key, std::int64_t fallback) {
  constexpr std::int64_t kMost = 1'000'000;
  const auto value = maybe_text(key);
  if (!value) return fallback;
  const auto number = to_integer(*value);
  if (number && *number >= 1 && *number <= kMost) return *number;
  throw InputError(where(key), "'" + key + "' must be a whole number from 1 to " + std::to_string(kMost));
}

std::map<std::string, std::string> EvaluatorSettings::section(const std::string& key) {
  std::map<std::string, std::string> values;
  for (const auto& [name, value] : spec_.settings) {
    const bool inside = name.starts_with(key + ".");
    if (!inside && name != key) continue;
    read_.insert(name);
    values[inside ? name.substr(key.size() + 1) : ""] = value;
  }
  read_.insert(key);
  return values;
}

SourcePos EvaluatorSettings::where(const std::string& key) const {
  const auto found = spec_.places.find(key);
  return found == spec_.places.end() ? spec_.at : found->second;
}

std::string EvaluatorSettings::path(const std::string& text) const {
  return (std::filesystem::path(spec_.folder) / text).string();
}

void EvaluatorSettings::finish() const {
  for (const auto& [name, value] : spec_.settings) {
    if (read_.contains(name)) continue;
    const std::vector<std::string> known(read_.begin(), read_.end());
    throw InputError(where(name), "evaluator " + spec_.kind + " has no setting '" + name + "'",
                     name_hint(name, known));
  }
}

}  // namespace sextant::study
