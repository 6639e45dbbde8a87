#include "sextant/robust/attack.h"

#include <algorithm>

#include "nested_text.h"

namespace sextant::robust {

void Attack::pose(const Samples& samples) const {
  std::ranges::fill(samples.labels, kNotAttacked);
}

AttackChoice parse_attack(std::string_view text, const SourcePos& at) {
  const PluginText parts = split_nested_text(text, at);
  const AttackInfo& attack = attacks().get(parts.id, at);
  return {.attack = &attack, .parameters = parameters_of(attack, parts, at)};
}

std::string to_string(const AttackChoice& choice) {
  return plugin_text(*choice.attack, choice.parameters);
}

std::unique_ptr<Attack> make_attack(const AttackChoice& choice, std::uint64_t seed) {
  return choice.attack->make({.parameters = choice.parameters, .seed = seed});
}

}  // namespace sextant::robust
