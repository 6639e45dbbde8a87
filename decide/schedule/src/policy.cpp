#include "sextant/schedule/policy.h"

#include "sextant/core/plugin_text.h"

namespace sextant::schedule {

namespace {

PolicyChoice choice_of(const PolicyInfo& policy, const PluginText& parts, std::string_view text,
                       const SourcePos& at) {
  return {.policy = &policy, .parameters = parameters_of(policy, parts, at), .text = std::string(trim(text))};
}

}  // namespace

PolicyChoice parse_policy(std::string_view text, const SourcePos& at) {
  const PluginText parts = split_plugin_text(text, at);
  return choice_of(policies().get(parts.id, at), parts, text, at);
}

PolicyChoice parse_gavel_policy(std::string_view text, const SourcePos& at) {
  const PluginText parts = split_plugin_text(text, at);
  for (const PolicyInfo& policy : policies().all()) {
    if (!policy.gavel.empty() && policy.gavel == parts.id) return choice_of(policy, parts, text, at);
  }
  return parse_policy(text, at);
}

bool sees_run_times(const PolicyChoice& choice) {
  return choice.policy->sees_run_times != nullptr && choice.policy->sees_run_times(choice.parameters);
}

std::string to_string(const PolicyChoice& choice) {
  return choice.text.empty() ? plugin_text(*choice.policy, choice.parameters) : choice.text;
}

}  // namespace sextant::schedule
