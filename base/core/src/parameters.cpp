#include "sextant/core/parameters.h"

#include <algorithm>
#include <stdexcept>

namespace sextant {
namespace {

ParameterInfo declared(std::string name, std::string summary, ParameterType type,
                       const ParameterRange& range) {
  return {.name = std::move(name),
          .summary = std::move(summary),
          .type = type,
          .fallback = range.fallback,
          .low = range.low,
          .high = range.high};
}

std::string place(const PluginInfo* plugin, std::string_view name) {
  return "parameter '" + std::string(name) + "' of plug-in '" + (plugin == nullptr ? "" : plugin->id) + "'";
}

}  // namespace

ParameterInfo number_parameter(std::string name, std::string summary, const ParameterRange& range) {
  return declared(std::move(name), std::move(summary), ParameterType::number, range);
}

ParameterInfo seconds_parameter(std::string name, std::string summary, const ParameterRange& range) {
  return declared(std::move(name), std::move(summary), ParameterType::seconds, range);
}

ParameterInfo bytes_parameter(std::string name, std::string summary, const ParameterRange& range) {
  return declared(std::move(name), std::move(summary), ParameterType::bytes, range);
}

ParameterInfo share_parameter(std::string name, std::string summary, const ParameterRange& range) {
  return declared(std::move(name), std::move(summary), ParameterType::share, range);
}

ParameterInfo count_parameter(std::string name, std::string summary, const ParameterRange& range,
                              std::vector<NamedValue> words) {
  ParameterInfo info = declared(std::move(name), std::move(summary), ParameterType::count, range);
  info.words = std::move(words);
  return info;
}

ParameterInfo flag_parameter(std::string name, std::string summary, bool fallback) {
  return declared(std::move(name), std::move(summary), ParameterType::flag,
                  {.fallback = fallback ? 1.0 : 0.0, .low = 0, .high = 1});
}

ParameterInfo word_parameter(std::string name, std::string summary, const std::vector<std::string>& words,
                             const std::string& fallback) {
  ParameterInfo info = declared(std::move(name), std::move(summary), ParameterType::word, {});
  for (const std::string& word : words) {
    if (word == fallback) info.fallback = static_cast<double>(info.words.size());
    info.words.push_back({word, static_cast<double>(info.words.size())});
  }
  info.high = static_cast<double>(words.size()) - 1;
  return info;
}

ParameterInfo text_parameter(std::string name, std::string summary) {
  return declared(std::move(name), std::move(summary), ParameterType::text, {});
}

Parameters::Parameters(const PluginInfo& plugin) : plugin_(&plugin) {
  if (plugin.parameters.size() > kMost) {
    throw std::logic_error("plug-in '" + plugin.id + "' has more than " + std::to_string(kMost) +
                           " parameters");
  }
  for (std::size_t i = 0; i < plugin.parameters.size(); ++i) {
    values_[i] = plugin.parameters[i].fallback;
    if (plugin.parameters[i].type == ParameterType::text) texts_.resize(plugin.parameters.size());
  }
}

std::size_t Parameters::index(std::string_view name) const {
  const std::size_t count = plugin_ == nullptr ? 0 : plugin_->parameters.size();
  for (std::size_t i = 0; i < count; ++i) {
    if (plugin_->parameters[i].name == name) return i;
  }
  throw std::logic_error("there is no " + place(plugin_, name));
}

std::size_t Parameters::index(std::string_view name, ParameterType type) const {
  const std::size_t found = index(name);
  if (plugin_->parameters[found].type == type) return found;
  throw std::logic_error(place(plugin_, name) + " is of another type");
}

double Parameters::number(std::string_view name) const {
  return values_[index(name, ParameterType::number)];
}

Seconds Parameters::seconds(std::string_view name) const {
  return Seconds{values_[index(name, ParameterType::seconds)]};
}

Bytes Parameters::bytes(std::string_view name) const {
  return Bytes{values_[index(name, ParameterType::bytes)]};
}

double Parameters::share(std::string_view name) const {
  return values_[index(name, ParameterType::share)];
}

std::int64_t Parameters::count(std::string_view name) const {
  return static_cast<std::int64_t>(values_[index(name, ParameterType::count)]);
}

bool Parameters::flag(std::string_view name) const {
  return values_[index(name, ParameterType::flag)] != 0;
}

const std::string& Parameters::word(std::string_view name) const {
  const std::size_t at = index(name, ParameterType::word);
  return plugin_->parameters[at].words[static_cast<std::size_t>(values_[at])].name;
}

const std::string& Parameters::text(std::string_view name) const {
  return texts_[index(name, ParameterType::text)];
}

void Parameters::set(std::string_view name, double value) {
  const std::size_t at = index(name);
  const ParameterType type = plugin_->parameters[at].type;
  if (type == ParameterType::text || type == ParameterType::word) {
    throw std::logic_error(place(plugin_, name) + " is no number");
  }
  values_[at] = value;
}

void Parameters::set_word(std::string_view name, std::string_view word) {
  const std::size_t at = index(name, ParameterType::word);
  const auto& words = plugin_->parameters[at].words;
  const auto found = std::ranges::find(words, word, &NamedValue::name);
  if (found == words.end()) {
    throw std::logic_error(place(plugin_, name) + " is never '" + std::string(word) + "'");
  }
  values_[at] = found->value;
}

void Parameters::set_text(std::string_view name, std::string text) {
  texts_[index(name, ParameterType::text)] = std::move(text);
}

}  // namespace sextant
