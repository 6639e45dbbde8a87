#include "sextant/core/plugin_text.h"

#include <algorithm>
#include <cctype>
#include <limits>

#include "sextant/core/unit_text.h"

namespace sextant {
namespace {

double parse_value(const ParameterInfo& parameter, const std::string& text, const SourcePos& at) {
  const std::optional<double> plain =
      text == "inf" ? std::numeric_limits<double>::infinity() : to_number(text);
  const bool has_unit = !text.empty() && std::isalpha(static_cast<unsigned char>(text.back())) != 0;
  if (!plain && !has_unit) {
    throw InputError(at, "'" + text + "' is no number for parameter '" + parameter.name + "'");
  }
  const double value = plain ? *plain : parse_seconds(text, at).value;
  if (!(value >= parameter.low && value <= parameter.high)) {
    throw InputError(at, "parameter '" + parameter.name + "' is " + text + ", and must be from " +
                             number_text(parameter.low) + " to " + number_text(parameter.high));
  }
  return value;
}

}  // namespace

PluginText split_plugin_text(std::string_view text, const SourcePos& at) {
  const std::vector<std::string> parts = split(text, ':');
  PluginText result{.id = std::string(trim(parts.empty() ? "" : parts.front()))};
  if (result.id.empty()) throw InputError(at, "a name is missing in '" + std::string(text) + "'");
  for (std::size_t i = 1; i < parts.size(); ++i) {
    const std::size_t equals = parts[i].find('=');
    if (equals == std::string::npos) {
      throw InputError(at, "'" + parts[i] + "' is no setting", "write name=value");
    }
    const std::string name(trim(std::string_view(parts[i]).substr(0, equals)));
    const bool twice = std::ranges::any_of(result.settings, [&](const auto& s) { return s.first == name; });
    if (twice) throw InputError(at, "'" + name + "' is given twice");
    result.settings.emplace_back(name, std::string(trim(std::string_view(parts[i]).substr(equals + 1))));
  }
  return result;
}

std::vector<double> parameter_values(const PluginInfo& plugin, const PluginText& text, const SourcePos& at) {
  std::vector<double> values;
  std::vector<std::string> names;
  for (const ParameterInfo& parameter : plugin.parameters) {
    values.push_back(parameter.fallback);
    names.push_back(parameter.name);
  }
  for (const auto& [name, value] : text.settings) {
    const auto found = std::ranges::find(names, name);
    if (found == names.end()) {
      throw InputError(at, "'" + plugin.id + "' has no parameter '" + name + "'",
                       names.empty() ? "it has none" : name_hint(name, names));
    }
    const auto index = static_cast<std::size_t>(found - names.begin());
    values[index] = parse_value(plugin.parameters[index], value, at);
  }
  return values;
}

std::string plugin_text(const PluginInfo& plugin, const std::vector<double>& values) {
  std::string text = plugin.id;
  for (std::size_t i = 0; i < plugin.parameters.size() && i < values.size(); ++i) {
    if (values[i] == plugin.parameters[i].fallback) continue;
    text += ":" + plugin.parameters[i].name + "=" + number_text(values[i]);
  }
  return text;
}

}  // namespace sextant
