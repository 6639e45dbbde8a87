#include "metric_sources.h"

#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <nlohmann/json.hpp>

#include "sextant/core/text.h"

namespace sextant::study {
namespace {

constexpr std::size_t kEndLength = 600;
constexpr std::size_t kShownPattern = 100;
constexpr std::size_t kLongestPattern = 2000;  // longer ones take seconds to compile
constexpr const char* kNumber =
    "([-+]?(?:[0-9]+\\.[0-9]*|\\.[0-9]+|[0-9]+)(?:[eE][-+]?[0-9]+)?|[-+]?[nN]a[nN]|[-+]?[iI]nf\\w*)";

std::shared_ptr<const re2::RE2> compiled(const std::string& text, const SourcePos& at) {
  if (text.size() > kLongestPattern) {
    throw InputError(at, "a pattern of " + std::to_string(text.size()) + " characters is too long",
                     "at most " + std::to_string(kLongestPattern));
  }
  re2::RE2::Options options;
  options.set_log_errors(false);
  auto regex = std::make_shared<const re2::RE2>(text, options);
  if (regex->ok()) return regex;
  const std::string shown = text.size() <= kShownPattern ? text : text.substr(0, kShownPattern) + "…";
  throw InputError(at, "'" + shown + "' is no regular expression: " + regex->error().substr(0, kShownPattern),
                   "the syntax is that of RE2, which has no look-ahead and no references back");
}

// Of "1,5", "1,000" and "0x10" the beginning is no number: one that is read wrong is worse than none.
bool goes_on(std::string_view number, const std::string& line) {
  if (number.find_first_of(".eE") != std::string_view::npos) return false;
  const auto at = static_cast<std::size_t>(number.data() - line.data()) + number.size();
  if (at + 1 >= line.size()) return false;
  const auto next = static_cast<unsigned char>(line[at + 1]);
  return (line[at] == ',' && std::isdigit(next) != 0) ||
         ((line[at] == 'x' || line[at] == 'X') && std::isxdigit(next) != 0);
}

std::string escaped(const std::string& name) {
  std::string text;
  for (const char c : name) {
    if (std::string_view("\\^$.|?*+()[]{}").find(c) != std::string_view::npos) text += '\\';
    text += c;
  }
  return text;
}

// As people print it.
std::string usual_pattern(const std::string& metric) {
  return "(?:^|[^\\w.])" + escaped(metric) + "[\"']?\\s*[:= ]\\s*" + kNumber;
}

void add_numbers(const Json& json, const std::string& path, std::map<std::string, double>& numbers) {
  const auto below = [&](const std::string& name) { return path.empty() ? name : path + "." + name; };
  if (json.is_number()) {
    const double value = json.get<double>();
    if (std::isfinite(value) && !path.empty()) numbers[path] = value;
  } else if (json.is_object()) {
    for (const auto& [name, value] : json.items()) add_numbers(value, below(name), numbers);
  } else if (json.is_array()) {
    for (std::size_t i = 0; i < json.size(); ++i) add_numbers(json[i], below(std::to_string(i)), numbers);
  }
}

}  // namespace

std::map<std::string, double> json_numbers(const Json& json) {
  std::map<std::string, double> numbers;
  add_numbers(json, "", numbers);
  return numbers;
}

std::optional<std::string> json_at(const Json& json, const std::string& path) {
  const Json* at = &json;
  if (json.is_array() && json.size() == 1 && !to_integer(split(path, '.').at(0))) at = &json[0];
  for (const std::string& name : split(path, '.')) {
    const auto index = to_integer(name);
    if (at->is_object() && at->contains(name)) {
      at = &(*at)[name];
    } else if (at->is_array() && index && *index >= 0 && *index < static_cast<std::int64_t>(at->size())) {
      at = &(*at)[static_cast<std::size_t>(*index)];
    } else {
      return {};
    }
  }
  if (at->is_number()) return number_text(at->get<double>());
  if (at->is_string()) return at->get<std::string>();
  return {};
}

std::optional<Json> json_of_output(const std::string& output) {
  const auto parsed = [](const std::string& text) {
    return Json::parse(text, nullptr, /*allow_exceptions=*/false);
  };
  Json whole = parsed(output);
  if (!whole.is_discarded()) return whole;
  const std::vector<std::string> lines = split(output, '\n');
  for (auto line = lines.rbegin(); line != lines.rend(); ++line) {
    const std::string_view text = trim(*line);
    if (!text.starts_with('{') && !text.starts_with('[')) continue;
    Json json = parsed(std::string(text));
    if (!json.is_discarded()) return json;
  }
  return {};
}

std::string output_end(const std::string& output) {
  const std::string_view text = trim(output);
  if (text.size() <= kEndLength) return std::string(text);
  return "…" + std::string(text.substr(text.size() - kEndLength));
}

MetricSources::MetricSources(EvaluatorSettings& settings, const StudySpec& study,
                             const std::vector<std::string>& given) {
  const std::string first = study.problem.objectives.front().metric;
  for (const auto& [name, text] : settings.section("json")) {
    patterns_[name.empty() ? first : name] = {.text = text, .json = text};
  }
  for (const auto& [name, text] : settings.section("pattern")) {
    const SourcePos at = settings.where(name.empty() ? "pattern" : "pattern." + name);
    if (!patterns_.emplace(name.empty() ? first : name, Pattern{.text = text, .regex = compiled(text, at)})
             .second) {
      throw InputError(at, "metric '" + (name.empty() ? first : name) + "' has a pattern and a JSON path");
    }
  }
  std::vector<std::string> wanted;
  for (const explore::Objective& objective : study.problem.objectives) wanted.push_back(objective.metric);
  for (const explore::MetricLimit& limit : study.problem.limits) wanted.push_back(limit.metric);
  for (const std::string& name : wanted) {
    if (patterns_.contains(name) || std::ranges::find(given, name) != given.end()) continue;
    patterns_[name] = {.regex = compiled(usual_pattern(name), {})};
  }
}

std::optional<std::string> MetricSources::last_match(const Pattern& pattern, const std::string& output) {
  std::optional<std::string> found;
  const int groups = std::min(pattern.regex->NumberOfCapturingGroups(), 1) + 1;
  for (const std::string& line : split(output, '\n')) {
    std::array<re2::StringPiece, 2> match;
    for (std::size_t at = 0; at <= line.size();) {
      if (!pattern.regex->Match(line, at, line.size(), re2::RE2::UNANCHORED, match.data(), groups)) break;
      const re2::StringPiece& value = match[static_cast<std::size_t>(groups - 1)];
      const bool usable =
          value.data() != nullptr && !(pattern.text.empty() && goes_on({value.data(), value.size()}, line));
      if (usable) found = std::string(value);
      const std::size_t end = static_cast<std::size_t>(match[0].data() - line.data()) + match[0].size();
      at = std::max(end, at + 1);
    }
  }
  return found;
}

FoundMetrics MetricSources::find(const std::string& output) const {
  FoundMetrics found;
  std::optional<Json> json;
  for (const auto& [metric, pattern] : patterns_) {
    const bool by_path = !pattern.json.empty();
    if (by_path && !json) json = json_of_output(output).value_or(Json());
    const std::optional<std::string> text =
        by_path ? json_at(*json, pattern.json) : last_match(pattern, output);
    const std::string where = by_path                ? " at JSON path '" + pattern.json + "'"
                              : pattern.text.empty() ? std::string()
                                                     : " by pattern '" + pattern.text + "'";
    if (!text) {
      found.problem = "metric '" + metric + "' was not found in the output" + where;
      return found;
    }
    const std::optional<double> value = to_number(trim(*text));
    if (!value || !std::isfinite(*value)) {
      found.problem = "metric '" + metric + "' is no finite number: '" + *text + "'";
      return found;
    }
    found.values[metric] = *value;
  }
  return found;
}

}  // namespace sextant::study
