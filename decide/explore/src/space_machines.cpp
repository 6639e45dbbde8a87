#include "space_machines.h"

#include <algorithm>
#include <set>

#include "sextant/core/text.h"

namespace sextant::explore {
namespace {

std::vector<std::string> known_names(const std::vector<KnownMachine>& machines) {
  std::set<std::string> names;
  for (const KnownMachine& machine : machines) {
    for (const auto& [name, value] : machine.numbers) names.insert(name);
    for (const auto& [name, value] : machine.texts) names.insert(name);
  }
  return {names.begin(), names.end()};
}

// A machine of which a named number is not known is not kept.
bool kept(const KnownMachine& machine, const Expression& filter, const std::vector<std::string>& known) {
  bool all_known = true;
  for (const std::string& name : filter.names()) {
    if (std::ranges::find(known, name) == known.end()) {
      throw InputError(filter.where(), "no machine type has a feature '" + name + "'",
                       name_hint(name, known));
    }
    all_known = all_known && (machine.numbers.contains(name) || machine.texts.contains(name));
  }
  return all_known && filter.holds([&](const std::string& name) -> ExpressionValue {
    const auto number = machine.numbers.find(name);
    if (number != machine.numbers.end()) return number->second;
    return machine.texts.at(name);
  });
}

std::vector<KnownMachine> filtered(const std::string& text, const SourcePos& at,
                                   const MachineLookup& lookup) {
  std::vector<KnownMachine> all = lookup.all();
  if (text == "all") return all;
  const Expression filter = Expression::parse(text, at);
  const std::vector<std::string> known = known_names(all);
  std::erase_if(all, [&](const KnownMachine& machine) { return !kept(machine, filter, known); });
  if (all.empty()) throw InputError(at, "no machine type meets '" + text + "'");
  return all;
}

std::vector<KnownMachine> named(TomlSection& section, const MachineLookup& lookup) {
  std::vector<KnownMachine> found;
  for (const std::string& name : section.texts("levels")) {
    found.push_back(lookup.find(name, section.where("levels")));
  }
  return found;
}

bool holds_text(TomlSection& section, const std::string& key) {
  try {
    (void)section.text(key);
    return true;
  } catch (const InputError&) {
    return false;
  }
}

// Those that are known of every level.
std::vector<std::string> common_features(const std::vector<KnownMachine>& machines) {
  std::vector<std::string> names;
  for (const auto& feature : machines.front().numbers) {
    const bool everywhere = std::ranges::all_of(
        machines, [&](const KnownMachine& machine) { return machine.numbers.contains(feature.first); });
    if (everywhere) names.push_back(feature.first);
  }
  return names;
}

std::vector<std::string> chosen_features(TomlSection& section, const std::vector<KnownMachine>& machines) {
  if (!section.has("features")) return common_features(machines);
  const std::vector<std::string> known = known_names(machines);
  const SourcePos at = section.where("features");
  std::vector<std::string> names = section.texts("features");
  for (const std::string& name : names) {
    if (std::ranges::find(known, name) == known.end()) {
      throw InputError(at, "no machine type has a feature '" + name + "'", name_hint(name, known));
    }
    if (std::ranges::count(names, name) > 1) throw InputError(at, "feature '" + name + "' is given twice");
    for (const KnownMachine& machine : machines) {
      if (machine.numbers.contains(name)) continue;
      throw InputError(at, "feature '" + name + "' is not known of machine type '" + machine.id + "'",
                       "leave out the feature or the machine type");
    }
  }
  return names;
}

}  // namespace

void read_machines(TomlSection& section, const MachineLookup& machines, SearchFactor& factor) {
  if (!machines.find || !machines.all) {
    throw InputError(section.where("kind"), "machine types are not known here",
                     "list them as categorical levels with features");
  }
  if (!section.has("levels")) {
    throw InputError(section.where(), "factor '" + factor.name + "' names no machine types",
                     "levels = [\"aws/p3.2xlarge\", …], \"all\", or a filter such as \"vcpus >= 8\"");
  }
  const std::vector<KnownMachine> chosen =
      holds_text(section, "levels") ? filtered(section.text("levels"), section.where("levels"), machines)
                                    : named(section, machines);
  if (chosen.empty()) throw InputError(section.where("levels"), "factor '" + factor.name + "' has no levels");
  factor.features.names = chosen_features(section, chosen);
  factor.features.values = stats::Matrix(chosen.size(), factor.features.names.size());
  for (std::size_t row = 0; row < chosen.size(); ++row) {
    factor.levels.push_back(chosen[row].id);
    for (std::size_t column = 0; column < factor.features.names.size(); ++column) {
      factor.features.values(row, column) = chosen[row].numbers.at(factor.features.names[column]);
    }
  }
}

}  // namespace sextant::explore
