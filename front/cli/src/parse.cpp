#include "parse.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <list>

#include "sextant/core/error.h"
#include "sextant/core/text.h"

namespace sextant::cli {
namespace {

// What CLI11 fills in; addresses must stay put while it parses.
struct Slot {
  const Option* option;
  std::vector<std::string> values;
  bool flag = false;
};

struct CommandSlots {
  const Command* command;
  CLI::App* app;
  std::list<Slot> slots;
};

// "--plot,--residuals": all names of an option.
std::string spellings(const Option& option) {
  std::string names = option.typed();
  for (const std::string& former : option.former) names += ",--" + former;
  return names;
}

void declare(CLI::App& app, const Option& option, std::list<Slot>& slots) {
  Slot& slot = slots.emplace_back(Slot{&option, {}});
  if (std::holds_alternative<bool*>(option.target)) {
    app.add_flag(spellings(option), slot.flag);
    return;
  }
  auto* added = app.add_option(spellings(option), slot.values);
  const bool many = option.positional && std::holds_alternative<std::vector<std::string>*>(option.target);
  if (!many)
    added->expected(1)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)->allow_extra_args(false);
}

Given collect(const std::list<Slot>& slots) {
  Given given;
  for (const auto& slot : slots) {
    if (slot.flag) given[slot.option->name] = {"true"};
    if (!slot.values.empty()) given[slot.option->name] = slot.values;
  }
  return given;
}

std::vector<std::string> first_words(const std::vector<Command>& commands, const std::string& below) {
  std::vector<std::string> words;
  for (const auto& command : commands) {
    if (!below.empty() && !command.path.starts_with(below + " ")) continue;
    const std::string rest = below.empty() ? command.path : command.path.substr(below.size() + 1);
    words.push_back(rest.substr(0, rest.find(' ')));
  }
  words.erase(std::unique(words.begin(), words.end()), words.end());
  return words;
}

class Parser {
 public:
  Parser(const std::vector<Command>& commands, const std::vector<Option>& globals,
         const std::vector<Command>& all)
      : commands_(commands), globals_(globals), all_(all) {
    configure(app_);
    for (const auto& option : globals) declare(app_, option, global_slots_);
    for (const auto& command : commands) add_command(command);
  }

  Parsed parse(std::vector<std::string> arguments) {
    std::ranges::reverse(arguments);  // CLI11 takes them from the back
    try {
      app_.parse(arguments);
    } catch (const CLI::ParseError& error) {
      throw InputError({}, error.what(), "see 'sextant --help'");
    }
    Parsed parsed;
    parsed.help = help_;
    parsed.given_globals = collect(global_slots_);
    for (const auto& slots : command_slots_) {
      if (!slots.app->parsed()) continue;
      parsed.command = slots.command;
      parsed.given = collect(slots.slots);
    }
    for (const auto& [word, group] : groups_) {
      if (group->parsed()) parsed.group = word;
    }
    refuse_extras(parsed);
    refuse_options_of_others(parsed);
    return parsed;
  }

 private:
  void configure(CLI::App& app) {
    app.set_help_flag();
    app.allow_extras();
    app.fallthrough();
    app.require_subcommand(
        0, 1);  // after a command, the name of another one is a word like any: describe KIND predict
    app.add_flag("-h,--help", help_);
  }

  void add_command(const Command& command) {
    CLI::App* parent = &app_;
    const auto words = split(command.path, ' ');
    if (words.size() == 2) {
      parent = group(words.front());
    }
    CLI::App* app = parent->add_subcommand(words.back());
    configure(*app);
    auto& slots = command_slots_.emplace_back(CommandSlots{&command, app, {}});
    for (const auto& option : command.options) declare(*app, option, slots.slots);
  }

  // A group may be a command itself: `measure NET`, and `measure input`.
  CLI::App* group(const std::string& word) {
    const auto known = std::ranges::find_if(
        command_slots_, [&](const CommandSlots& slots) { return slots.command->path == word; });
    if (known != command_slots_.end()) return known->app;
    CLI::App*& group = groups_[word];
    if (group == nullptr) {
      group = app_.add_subcommand(word);
      configure(*group);
    }
    return group;
  }

  // Words that a command does not know go to the one that it is below: `explore ask` is below `explore`.
  void refuse_options_of_others(const Parsed& parsed) const {
    for (const CommandSlots& slots : command_slots_) {
      if (slots.command == parsed.command) continue;
      for (const Slot& slot : slots.slots) {
        if (!slot.flag && slot.values.empty()) continue;
        const std::string what =
            slot.option->positional
                ? "unexpected argument '" + slot.values.front() + "'"
                : "'sextant " + parsed.command->path + "' has no option '" + slot.option->typed() + "'";
        throw InputError({}, what, "see 'sextant " + parsed.command->path + " --help'");
      }
    }
  }

  // Of two commands that are often taken for each other: "'sextant advise' has --deadline".
  [[nodiscard]] std::string others_with(const std::string& name, const std::string& otherwise) const {
    std::vector<std::string> paths;
    for (const Command& command : all_) {
      const auto has = [&](const Option& option) { return !option.positional && "--" + option.name == name; };
      if (std::ranges::any_of(command.options, has)) paths.push_back("'sextant " + command.path + "'");
    }
    if (paths.empty()) return otherwise;
    return join(paths, ", ") + (paths.size() == 1 ? " has " : " have ") + name;
  }

  void refuse_extras(const Parsed& parsed) const {
    const auto extras = app_.remaining(true);
    if (extras.empty()) return;
    const std::string& extra = extras.front();
    if (extra.starts_with("-")) {
      std::vector<std::string> known = {"--help"};
      for (const auto& option : globals_) known.push_back("--" + option.name);
      if (parsed.command != nullptr) {
        for (const auto& option : parsed.command->options) {
          if (!option.positional) known.push_back("--" + option.name);
        }
      }
      const std::string name = extra.substr(0, extra.find('='));
      std::string hint = name_hint(name, known);
      if (!hint.starts_with("did you mean")) hint = others_with(name, hint);
      throw InputError({}, "unknown option '" + extra + "'", hint);
    }
    if (parsed.command == nullptr) {
      const std::string path = parsed.group.empty() ? extra : parsed.group + " " + extra;
      throw InputError({}, "there is no command '" + path + "'",
                       name_hint(extra, first_words(commands_, parsed.group)));
    }
    throw InputError({}, "unexpected argument '" + extra + "'",
                     "see 'sextant " + parsed.command->path + " --help'");
  }

  const std::vector<Command>& commands_;
  const std::vector<Option>& globals_;
  const std::vector<Command>& all_;
  CLI::App app_;
  bool help_ = false;
  std::list<Slot> global_slots_;
  std::list<CommandSlots> command_slots_;
  std::map<std::string, CLI::App*> groups_;
};

}  // namespace

Parsed parse(const std::vector<std::string>& arguments, const std::vector<Command>& commands,
             const std::vector<Option>& globals, const std::vector<Command>& all) {
  return Parser(commands, globals, all).parse(arguments);
}

}  // namespace sextant::cli
