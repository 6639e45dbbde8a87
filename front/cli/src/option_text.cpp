#include "option_text.h"

#include <algorithm>
#include <array>

#include "sextant/core/text.h"

namespace sextant::cli {
namespace {

constexpr std::array<std::pair<Wish, const char*>, 8> kWishes{{
    {Wish::plan, "Plan a training job: how long, on which machines, at what cost"},
    {Wish::share, "Share a cluster: queues, policies, traces of jobs"},
    {Wish::measure, "Measure here, and keep what was measured"},
    {Wish::find, "Find good configurations with few runs"},
    {Wish::learn, "Learn from your own measurements"},
    {Wish::look_up, "Look up what Sextant knows"},
    {Wish::set_up, "Set up the program"},
    {Wish::unsorted, "More"},
}};

}  // namespace

const char* const kExitCodes =
    "Exit codes: 0 done; 1 failed, also when out of memory or disk; 2 bad usage or input; 3 infeasible; 130 "
    "interrupted.";

std::string usage(const Command& command) {
  std::string line = "sextant " + command.path;
  for (const auto& option : command.options) {
    if (option.positional) line += option.required ? " " + option.name : " [" + option.name + "]";
  }
  return line + " [options]";
}

std::string option_name(const Option& option) {
  return option.typed() + (option.positional || option.value_name.empty() ? "" : " " + option.value_name);
}

std::string option_meaning(const Option& option) {
  std::string text = option.summary;
  if (!option.choices.empty()) text += ": " + join(option.choices, ", ");
  const std::string fallback = option.required ? "" : option.default_text();
  if (!fallback.empty()) text += " (default " + fallback + ")";
  if (!option.former.empty()) text += " (formerly --" + join(option.former, ", --") + ")";
  return text;
}

std::vector<OptionGroup> option_groups(const std::vector<Option>& options) {
  std::vector<OptionGroup> groups = {{"Arguments", {}}, {"Options", {}}};
  for (const Option& option : options) {
    const std::string heading = option.positional      ? "Arguments"
                                : option.group.empty() ? "Options"
                                                       : option.group;
    auto group = std::ranges::find(groups, heading, &OptionGroup::heading);
    if (group == groups.end()) group = groups.insert(groups.end(), {heading, {}});
    group->options.push_back(option);
  }
  std::erase_if(groups, [](const OptionGroup& group) { return group.options.empty(); });
  return groups;
}

std::vector<CommandGroup> command_groups(const std::vector<Command>& commands) {
  std::vector<CommandGroup> groups;
  for (const auto& [wish, heading] : kWishes) {
    CommandGroup group{heading, {}};
    for (const Command& command : commands) {
      if (command.wish == wish) group.commands.push_back(command);
    }
    if (!group.commands.empty()) groups.push_back(std::move(group));
  }
  return groups;
}

}  // namespace sextant::cli
