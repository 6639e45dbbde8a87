#include "sextant/core/plugin_text.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>

#include "sextant/core/unit_text.h"

namespace sextant {
namespace {

std::string bounds_text(const ParameterInfo& parameter) {
  return "from " + number_text(parameter.low) + " to " + number_text(parameter.high);
}

std::string words_text(const ParameterInfo& parameter) {
  if (parameter.type == ParameterType::flag) return "true or false, 1 or 0";
  std::vector<std::string> words;
  for (const NamedValue& word : parameter.words) words.push_back(word.name);
  return join(words, ", ");
}

double parse_value(const ParameterInfo& parameter, const std::string& text, const SourcePos& at) {
  const std::optional<double> value = typed_value(parameter, text, at);
  if (!value) {
    throw InputError(at, "'" + text + "' is not a number for parameter '" + parameter.name + "'",
                     words_text(parameter));
  }
  if (!(*value >= parameter.low && *value <= parameter.high)) {
    throw InputError(
        at, "parameter '" + parameter.name + "' is " + text + ", and must be " + bounds_text(parameter));
  }
  if (is_whole(parameter) && *value != std::floor(*value)) {
    throw InputError(at, "parameter '" + parameter.name + "' is " + text + ", which is not a whole number");
  }
  return *value;
}

}  // namespace

PluginText split_plugin_text(std::string_view text, const SourcePos& at) {
  const std::vector<std::string> parts = split(text, ':');
  PluginText result{.id = std::string(trim(parts.empty() ? "" : parts.front()))};
  if (result.id.empty()) throw InputError(at, "a name is missing in '" + std::string(text) + "'");
  for (std::size_t i = 1; i < parts.size(); ++i) {
    const std::size_t equals = parts[i].find('=');
    if (equals == std::string::npos) {
      throw InputError(at, "'" + parts[i] + "' is not a setting", "write name=value");
    }
    const std::string name(trim(std::string_view(parts[i]).substr(0, equals)));
    const bool twice = std::ranges::any_of(result.settings, [&](const auto& s) { return s.first == name; });
    if (twice) throw InputError(at, "'" + name + "' is given twice");
    result.settings.emplace_back(name, std::string(trim(std::string_view(parts[i]).substr(equals + 1))));
  }
  return result;
}

Parameters parameters_of(const PluginInfo& plugin, const PluginText& text, const SourcePos& at) {
  Parameters parameters(plugin);
  std::vector<std::string> names;
  for (const ParameterInfo& parameter : plugin.parameters) names.push_back(parameter.name);
  for (const auto& [name, value] : text.settings) {
    const auto found = std::ranges::find(names, name);
    if (found == names.end()) {
      throw InputError(at, "'" + plugin.id + "' has no parameter '" + name + "'",
                       names.empty() ? "it has none" : name_hint(name, names));
    }
    const auto index = static_cast<std::size_t>(found - names.begin());
    const ParameterInfo& parameter = plugin.parameters[index];
    if (parameter.type == ParameterType::text) {
      parameters.set_text(name, value);
    } else {
      parameters.set_value(index, parse_value(parameter, value, at));
    }
  }
  return parameters;
}

std::optional<double> typed_value(const ParameterInfo& parameter, std::string_view text,
                                  const SourcePos& at) {
  const std::string folded = fold_name(text);
  for (const NamedValue& word : parameter.words) {
    if (fold_name(word.name) == folded) return word.value;
  }
  if (parameter.type == ParameterType::flag) {
    if (folded == "true") return 1;
    if (folded == "false") return 0;
  }
  if (text == "inf") return std::numeric_limits<double>::infinity();
  if (const auto plain = to_number(text)) return plain;
  if (text.empty() || std::isalpha(static_cast<unsigned char>(text.back())) == 0) return std::nullopt;
  if (parameter.type == ParameterType::seconds) return parse_seconds(text, at).value;
  if (parameter.type == ParameterType::bytes) return parse_bytes(text, at).value;
  return std::nullopt;
}

bool is_whole(const ParameterInfo& parameter) {
  return parameter.type == ParameterType::bytes || parameter.type == ParameterType::count ||
         parameter.type == ParameterType::flag || parameter.type == ParameterType::word;
}

std::string value_text(const ParameterInfo& parameter, double value) {
  const auto found = std::ranges::find(parameter.words, value, &NamedValue::value);
  return found == parameter.words.end() ? number_text(value) : found->name;
}

std::string plugin_text(const PluginInfo& plugin, const Parameters& parameters) {
  std::string text = plugin.id;
  for (std::size_t i = 0; i < plugin.parameters.size(); ++i) {
    const ParameterInfo& parameter = plugin.parameters[i];
    if (parameter.type == ParameterType::text) {
      const std::string& given = parameters.text(parameter.name);
      if (!given.empty()) text += ":" + parameter.name + "=" + given;
    } else if (parameters.value(i) != parameter.fallback) {
      text += ":" + parameter.name + "=" + value_text(parameter, parameters.value(i));
    }
  }
  return text;
}

}  // namespace sextant
