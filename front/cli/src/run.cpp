#include "sextant/cli/run.h"

#include <cerrno>
#include <cstring>
#include <memory>
#include <new>
#include <nlohmann/json.hpp>
#include <ostream>
#include <stdexcept>
#include <typeinfo>

#include "field_words.h"
#include "help.h"
#include "input_files.h"
#include "memory_text.h"
#include "output_file.h"
#include "parse.h"
#include "sextant/cli/command.h"
#include "sextant/core/error.h"
#include "sextant/core/json.h"
#include "sextant/core/provenance.h"
#include "sextant/core/secrets.h"
#include "sextant/core/text.h"
#include "sextant/core/visible_text.h"
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

// One file at most can be standard output; then the result goes where warnings go.
Io with_standard_output(const Io& io, const std::vector<Option>& options) {
  const Option* taker = nullptr;
  for (const Option& option : options) {
    if (!option.writes_file() || option.default_text() != kStandardOutput) continue;
    if (taker != nullptr) {
      throw InputError({option.typed()},
                       "standard output takes one file, and " + taker->typed() + " goes there",
                       "name a file");
    }
    taker = &option;
  }
  if (taker == nullptr) return io;
  Io beside{io.err, io.err, io.err_is_terminal, io.err_is_terminal, io.err_is_terminal ? io.width : 0};
  beside.program = io.program;
  beside.catalogs = io.catalogs;
  beside.take = io.take;
  beside.abandoned = io.abandoned;
  beside.words = io.words;
  beside.standard_output = &io.out;
  return beside;
}

int run_command(const Parsed& parsed, const std::vector<Command>& commands, Io& io, Globals& globals) {
  const Command& command = *parsed.command;
  auto options = global_options(globals);
  auto own = command.options;
  const auto words = std::make_shared<FieldWords>(command, options, commands);
  io.words = words;
  check_settings_file(commands, options);
  const auto settings = apply_settings(options, "", parsed.given_globals, command.path);
  const auto own_settings = apply_settings(own, command.path, parsed.given);
  words->note_origins(options, settings);
  words->note_origins(own, own_settings);
  for (std::size_t i = 0; i < options.size(); ++i) {
    if (options[i].name == "columns") globals.columns_if_there = settings[i].general;
  }
  for (const std::string& line : unread_variables(commands, command, options)) warn(io, line);
  require_options(command, own_settings);
  globals.format_given = parsed.given_globals.contains("format");
  const std::vector<std::string> own_catalog = user_catalog_files();
  globals.catalog.insert(globals.catalog.begin(), own_catalog.begin(), own_catalog.end());
  globals.inputs = input_files(own);
  return command.run(with_standard_output(io, own), globals);
}

// Notes in `io` how the command says fields, for whoever reports what it throws.
int dispatch(const std::vector<std::string>& arguments, Io& io, Globals& globals) {
  if (arguments == std::vector<std::string>{"--version"}) {
    io.out << "sextant " << tool_version() << '\n';
    return kDone;
  }
  globals.command_line = without_passwords(typed(arguments));
  const std::vector<Command> commands = all_commands();
  const auto options = global_options(globals);
  const std::vector<std::string> words = help_as_flag(arguments);
  const std::vector<Command> some = meant(words, commands);
  const Parsed parsed = parse(words, some, options, commands);
  const std::size_t width = help_width(io.width);
  if (parsed.command == nullptr) {
    (parsed.help ? io.out : io.err) << (parsed.group.empty() ? program_help(commands, width)
                                                             : group_help(commands, parsed.group, width));
    return parsed.help ? kDone : kBadInput;
  }
  if (parsed.help) {
    io.out << command_help(*parsed.command, options, width);
    return kDone;
  }
  return run_command(parsed, commands, io, globals);
}

void show_kind(const Io& io, const Globals& globals, const std::exception& error) {
  if (globals.debug) io.err << "  thrown as " << typeid(error).name() << '\n';
}

// A position stands first, as compilers print it; anything else is the program speaking.
int report(const Io& io, const Globals& globals, const InputError& error) {
  std::string place = error.where().str();
  if (io.words != nullptr && !place.empty()) place = io.words->place(place);
  std::string text = (place.empty() ? "sextant" : visible(place)) + ": error: " + visible(error.message());
  if (!error.hint().empty()) text += "\n  hint: " + visible(error.hint());
  Io teller = io;
  // Keys of a file are what the file calls them, also where an option has the same name.
  if (error.where().line > 0 && error.where().file.ends_with(".toml")) teller.words = nullptr;
  tell(teller, text);
  show_kind(io, globals, error);
  return kBadInput;
}

int report(const Io& io, const Globals& globals, const std::exception& error, const std::string& message) {
  tell(io, "sextant: error: " + message);
  show_kind(io, globals, error);
  return kFailed;
}

}  // namespace

int run(const std::vector<std::string>& arguments, const Io& io) {
  Io own = io;
  Globals globals;
  int code = kDone;
  try {
    code = dispatch(arguments, own, globals);
  } catch (const InputError& error) {
    return report(own, globals, error);
  } catch (const std::bad_alloc& error) {
    return report(own, globals, error, out_of_memory_text(globals.command_line));
  } catch (const std::length_error& error) {  // a list longer than any memory
    return report(own, globals, error, out_of_memory_text(globals.command_line));
  } catch (const Json::exception& error) {
    return report(own, globals, error,
                  "a text cannot be kept as JSON: " + json_reason(error.what()) +
                      "\n  hint: are all names, also those of files, in UTF-8?");
  } catch (const std::exception& error) {
    return report(own, globals, error, error.what());
  }
  io.out.flush();
  if (!io.out) {
    io.err << "sextant: error: the result could not be written: " << std::strerror(errno) << '\n';
    return kFailed;
  }
  return code;
}

}  // namespace sextant::cli
