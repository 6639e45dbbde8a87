// Where a value comes from: flag, then SEXTANT_*, then sextant.toml, then the default.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "sextant/cli/command.h"

namespace sextant::cli {

struct Setting {
  std::string key;  // "predict.batch", or "format" for a global option
  std::string value;
  std::string origin;         // "--batch", "SEXTANT_PREDICT_BATCH", "sextant.toml:3:9", kByDefault
  bool general = false;       // said of all commands rather than of the one that runs
  std::string variable = {};  // of the environment that sets it; empty: an argument, which none does
};
inline constexpr const char* kByDefault = "default";

// Values given on the command line, by option name.
using Given = std::map<std::string, std::vector<std::string>>;

// Of each option, in their order: assigns it from the first place that has it, and tells which one that was.
// `scope` is the command's path, empty for the program. An option that the whole program has may be set for
// one command too: `within` is its path, and what is said of it there counts first. A file may not name
// outputs outside of its folder.
std::vector<Setting> apply_settings(std::vector<Option>& options, const std::string& scope,
                                    const Given& given, const std::string& within = {});

// "SEXTANT_NET_SUMMARY_BATCH"
std::string variable_name(const std::string& scope, const std::string& option);

// Variables named SEXTANT_* that are set and that nothing reads: a line about each, with what may be meant.
std::vector<std::string> unread_variables(const std::vector<Command>& commands, const Command& running,
                                          const std::vector<Option>& globals);

// Refuses sections and keys of ./sextant.toml that no command has.
void check_settings_file(const std::vector<Command>& commands, const std::vector<Option>& globals);

}  // namespace sextant::cli
