#include "sextant/cli/run.h"

#include <cerrno>
#include <cstring>
#include <memory>
#include <ostream>
#include <typeinfo>

#include "field_words.h"
#include "help.h"
#include "parse.h"
#include "sextant/cli/command.h"
#include "sextant/core/error.h"
#include "sextant/core/provenance.h"
#include "sextant/core/secrets.h"
#include "user_folder.h"

namespace sextant::cli {
namespace {

// `settings` are those of the command's options, in their order.
void require_options(const Command& command, const std::vector<Setting>& settings) {
  for (std::size_t i = 0; i < settings.size(); ++i) {
    const Option& option = command.options[i];
    if (!option.required || settings[i].origin != kByDefault) continue;
    const std::string what = option.positional ? option.name : "--" + option.name;
    throw InputError({}, what + " is missing: " + option.summary,
                     "see 'sextant " + command.path + " --help'");
  }
}

// What provenance keeps.
std::string typed(const std::vector<std::string>& arguments) {
  std::string line = "sextant";
  for (const std::string& each : arguments) line += " " + shown_address(each);
  return line;
}

// "sextant help predict" is "sextant predict --help".
std::vector<std::string> help_as_flag(std::vector<std::string> arguments) {
  if (arguments.empty() || arguments.front() != "help") return arguments;
  arguments.erase(arguments.begin());
  arguments.emplace_back("--help");
  return arguments;
}

// Those that begin with the word that was typed first, or all: declaring a parser takes longer than most
// answers.
std::vector<Command> meant(const std::vector<std::string>& arguments, const std::vector<Command>& commands) {
  std::vector<Command> some;
  for (const Command& command : commands) {
    if (!arguments.empty() && command.path.substr(0, command.path.find(' ')) == arguments.front()) {
      some.push_back(command);
    }
  }
  return some.empty() ? commands : some;
}

// Notes in `io` how the command says fields, for whoever reports what it throws.
int dispatch(const std::vector<std::string>& arguments, Io& io, Globals& globals) {
  const std::vector<Command> commands = all_commands();
  auto options = global_options(globals);
  if (arguments == std::vector<std::string>{"--version"}) {
    io.out << "sextant " << tool_version() << '\n';
    return kDone;
  }
  const std::vector<std::string> words = help_as_flag(arguments);
  const std::vector<Command> some = meant(words, commands);
  const Parsed parsed = parse(words, some, options);
  if (parsed.command == nullptr) {
    (parsed.help ? io.out : io.err) << (parsed.group.empty() ? program_help(commands)
                                                             : group_help(commands, parsed.group));
    return parsed.help ? kDone : kBadInput;
  }
  if (parsed.help) {
    io.out << command_help(*parsed.command, options);
    return kDone;
  }
  io.words = std::make_shared<FieldWords>(*parsed.command, options, commands);
  check_settings_file(commands, options);
  apply_settings(options, "", parsed.given_globals);
  auto own = parsed.command->options;
  require_options(*parsed.command, apply_settings(own, parsed.command->path, parsed.given));
  globals.command_line = typed(arguments);
  const std::vector<std::string> own_catalog = user_catalog_files();
  globals.catalog.insert(globals.catalog.begin(), own_catalog.begin(), own_catalog.end());
  return parsed.command->run(io, globals);
}

int report(const Io& io, const Globals& globals, const std::exception& error, int code) {
  const auto* input = dynamic_cast<const InputError*>(&error);
  const bool placed = input != nullptr && !input->where().str().empty();
  // A position stands first, as compilers print it; anything else is the program speaking.
  io.err << (placed ? "" : "sextant: ") << (input != nullptr ? "" : "error: ") << said(io, error.what())
         << '\n';
  if (globals.debug) io.err << "  thrown as " << typeid(error).name() << '\n';
  return code;
}

}  // namespace

int run(const std::vector<std::string>& arguments, const Io& io) {
  Io own = io;
  Globals globals;
  int code = kDone;
  try {
    code = dispatch(arguments, own, globals);
  } catch (const InputError& error) {
    return report(own, globals, error, kBadInput);
  } catch (const std::exception& error) {
    return report(own, globals, error, kFailed);
  }
  io.out.flush();
  if (!io.out) {
    io.err << "sextant: error: the result could not be written: " << std::strerror(errno) << '\n';
    return kFailed;
  }
  return code;
}

}  // namespace sextant::cli
