#include <algorithm>

#include "sextant/ask/explore.h"
#include "sextant/core/text.h"

namespace sextant::ask {
namespace {

std::string toml_text(const std::string& text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c == '\n' ? std::string("\\n") : c == '\t' ? std::string("\\t") : std::string(1, c);
  }
  return quoted + "\"";
}

std::string toml_list(const std::vector<std::string>& texts) {
  std::string list;
  for (const std::string& text : texts) list += (list.empty() ? "" : ", ") + toml_text(text);
  return "[" + list + "]";
}

std::string toml_number(const std::string& text, const std::string& factor) {
  const auto number = to_number(text);
  if (!number) throw InputError(at_field("factor"), "'" + text + "' in '" + factor + "' is no number");
  return to_integer(text) ? text : number_text(*number);
}

// "1..8", "1e-5..0.1:log"
std::string range_lines(const std::string& factor, const std::string& values, std::size_t dots) {
  std::string high = values.substr(dots + 2);
  const std::string log = ":log";
  const bool ratios = high.ends_with(log);
  if (ratios) high.resize(high.size() - log.size());
  const std::string from = toml_number(values.substr(0, dots), factor);
  const std::string to = toml_number(high, factor);
  const bool whole = to_integer(from) && to_integer(to);
  return std::string("kind = \"") + (whole ? "integer" : "real") + "\"\nlow = " + from + "\nhigh = " + to +
         "\n" + (ratios ? "log = true\n" : "");
}

std::string level_lines(const std::string& factor, const std::string& values) {
  const std::vector<std::string> levels = split(values, ',');
  if (std::ranges::any_of(levels, [](const std::string& level) { return level.empty(); })) {
    throw InputError(at_field("factor"), "'" + factor + "' has an empty level");
  }
  const bool numbers =
      std::ranges::all_of(levels, [](const std::string& level) { return to_number(level).has_value(); });
  if (!numbers) return "kind = \"categorical\"\nlevels = " + toml_list(levels) + "\n";
  std::vector<std::string> texts;
  for (const std::string& level : levels) texts.push_back(toml_number(level, factor));
  return "kind = \"ordinal\"\nlevels = [" + join(texts, ", ") + "]\n";
}

std::string factor_text(const std::string& factor) {
  const std::size_t equals = factor.find('=');
  if (equals == 0 || equals == std::string::npos || equals + 1 == factor.size()) {
    throw InputError(at_field("factor"), "'" + factor + "' is no factor",
                     "as in batch=16,32,64 or workers=1..8");
  }
  const std::string values = factor.substr(equals + 1);
  const std::size_t dots = values.find("..");
  return "\n[[factor]]\nname = " + toml_text(factor.substr(0, equals)) + "\n" +
         (dots == std::string::npos ? level_lines(factor, values) : range_lines(factor, values, dots));
}

std::string objectives_text(const InlineStudy& given) {
  std::string text;
  for (const auto& [metrics, goal] :
       {std::pair(&given.minimise, "minimise"), {&given.maximise, "maximise"}}) {
    for (const std::string& metric : *metrics) {
      text += "\n[[objective]]\nmetric = " + toml_text(metric) + "\ngoal = \"" + goal + "\"\n";
    }
  }
  if (text.empty()) return "\n[[objective]]\nmetric = \"seconds\"\n";
  return text;
}

}  // namespace

std::string inline_study_text(const InlineStudy& given, std::int64_t trials) {
  if (given.factor.empty()) {
    throw InputError(at_field("factor"), "there is nothing to choose", "`factor` batch=16,32,64");
  }
  std::string text;
  if (given.cost) text += "cost = " + toml_text(*given.cost) + "\n";
  if (given.timeout) text += "timeout = " + toml_text(*given.timeout) + "\n";
  if (!given.limit.empty()) text += "limits = " + toml_list(given.limit) + "\n";
  if (!given.constraint.empty()) text += "constraints = " + toml_list(given.constraint) + "\n";
  for (const std::string& factor : given.factor) text += factor_text(factor);
  text += objectives_text(given);
  text += "\n[budget]\ntrials = " + std::to_string(trials) + "\n";
  if (!given.run) return text;
  text += "\n[evaluator]\nkind = \"command\"\nrun = " + toml_text(*given.run) + "\n";
  if (given.shell) text += "shell = true\n";
  if (given.metric) text += "pattern = " + toml_text(*given.metric) + "\n";
  return text;
}

}  // namespace sextant::ask
