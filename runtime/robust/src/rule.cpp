#include "sextant/robust/rule.h"

#include <algorithm>
#include <cmath>

#include "nested_text.h"
#include "sextant/core/text.h"

namespace sextant::robust {
namespace {

bool declares(const AggregationRuleInfo& rule, const char* parameter) {
  return std::ranges::find(rule.parameters, parameter, &ParameterInfo::name) != rule.parameters.end();
}

// As the choice says it, whether or not the rule withstands so many.
std::size_t wanted_attackers(const RuleChoice& choice, std::size_t n) {
  const double f = choice.parameters.number("f");
  return static_cast<std::size_t>(f < 1 ? std::floor(f * static_cast<double>(n) + 1e-9) : std::floor(f));
}

}  // namespace

RuleChoice parse_rule(std::string_view text, const SourcePos& at) {
  const PluginText parts = split_nested_text(text, at);
  const AggregationRuleInfo& rule = rules().get(parts.id, at);
  RuleChoice choice{.rule = &rule, .parameters = parameters_of(rule, parts, at)};
  if (declares(rule, "f")) {
    const double f = choice.parameters.number("f");
    if (f >= 1 && f != std::floor(f)) {
      throw InputError(at, "parameter 'f' is " + number_text(f) + ", which is neither a share nor a count",
                       "write a share below 1 or a whole number");
    }
  }
  return choice;
}

std::string to_string(const RuleChoice& choice) {
  return plugin_text(*choice.rule, choice.parameters);
}

std::size_t bucket_size(const RuleChoice& choice) {
  return declares(*choice.rule, "bucket") ? static_cast<std::size_t>(choice.parameters.count("bucket")) : 1;
}

std::size_t most_attackers(const RuleChoice& choice, std::size_t n) {
  const std::size_t size = bucket_size(choice);
  return choice.rule->most_attackers((n + size - 1) / size);
}

std::size_t assumed_attackers(const RuleChoice& choice, std::size_t n) {
  const std::size_t most = most_attackers(choice, n);
  return declares(*choice.rule, "f") ? std::min(most, wanted_attackers(choice, n)) : most;
}

void check_enough(const RuleChoice& choice, std::size_t n, const SourcePos& at) {
  if (!declares(*choice.rule, "f")) return;
  const std::size_t wanted = wanted_attackers(choice, n);
  const std::size_t most = most_attackers(choice, n);
  if (wanted <= most) return;
  const std::size_t size = bucket_size(choice);
  throw InputError(at,
                   "rule '" + choice.rule->id + "' withstands at most " + std::to_string(most) +
                       " attackers among " + std::to_string(n) + " updates" +
                       (size > 1 ? " in buckets of " + std::to_string(size) : "") + ", and f asks for " +
                       std::to_string(wanted),
                   "set f to at most " + std::to_string(most) + ", or have more clients in a round");
}

}  // namespace sextant::robust
