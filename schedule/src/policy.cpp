#include "sextant/schedule/policy.h"

#include "sextant/core/plugin_text.h"

namespace sextant {

#define X(stem) std::vector<PolicyInfo> policy_##stem();
#include "builtin_policies.inc"
#undef X

const Registry<PolicyInfo>& policies() {
  static const Registry<PolicyInfo> registry = [] {
    std::vector<PolicyInfo> list;
#define X(stem) \
  for (PolicyInfo & info : policy_##stem()) list.push_back(std::move(info));
#include "builtin_policies.inc"
#undef X
    return Registry<PolicyInfo>("policy", std::move(list));
  }();
  return registry;
}

PolicyChoice parse_policy(std::string_view text, const SourcePos& at) {
  const PluginText parts = split_plugin_text(text, at);
  const PolicyInfo& policy = policies().get(parts.id, at);
  return {.policy = &policy, .values = parameter_values(policy, parts, at)};
}

std::string to_string(const PolicyChoice& choice) {
  return plugin_text(*choice.policy, choice.values);
}

}  // namespace sextant
