#include "settings.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <set>

#include "sextant/core/error.h"
#include "sextant/core/text.h"
#include "sextant/core/toml.h"

namespace sextant::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFile = "sextant.toml";
constexpr std::string_view kPrefix = "SEXTANT_";

// Variables that are no settings: where things are, and what studies and measurements tell the programs that
// they start.
bool read_elsewhere(std::string_view name) {
  constexpr std::array<std::string_view, 8> kOthers = {"HOME",  "DATA",  "RANK",      "CONFIGURATION",
                                                       "STUDY", "TRIAL", "INTERFACE", "SIMGRID"};
  const std::string_view rest = name.substr(kPrefix.size());
  return std::ranges::find(kOthers, rest) != kOthers.end() || rest.starts_with("FACTOR_") ||
         rest.starts_with("TRIAL_") || rest.starts_with("TEST");
}

std::optional<TomlSection> settings_file() {
  std::error_code status;
  if (!fs::exists(kFile, status)) return std::nullopt;
  return read_toml_file(kFile);
}

// "net summary" is the section [net-summary].
std::string section_name(std::string scope) {
  std::ranges::replace(scope, ' ', '-');
  return scope;
}

std::optional<TomlSection> section_of(std::optional<TomlSection> file, const std::string& scope) {
  if (!file || scope.empty()) return file;
  if (!file->has(section_name(scope))) return std::nullopt;
  return file->section(section_name(scope));
}

std::vector<std::string> names_of(const Option& option) {
  std::vector<std::string> names = {option.name};
  names.insert(names.end(), option.former.begin(), option.former.end());
  return names;
}

// Links are followed, whether the file that they name is there or not.
bool within_this_folder(const std::string& path) {
  constexpr int kMostLinks = 40;
  std::error_code unknown;
  const fs::path here = fs::canonical(".", unknown);
  fs::path place = fs::absolute(path, unknown);
  for (int links = 0; links < kMostLinks && fs::is_symlink(place, unknown); ++links) {
    place = place.parent_path() / fs::read_symlink(place, unknown);
  }
  unknown.clear();
  place = fs::weakly_canonical(place, unknown);
  if (unknown) return false;
  return std::mismatch(here.begin(), here.end(), place.begin(), place.end()).first == here.end();
}

// A settings file comes with its folder, maybe from somebody else, and counts without being asked for: it
// must not make this user's run overwrite files elsewhere.
void keep_within_folder(const Option& option, const std::string& path, const SourcePos& at) {
  const bool named = path == "-" || path == ":memory:" || path.find("://") != std::string::npos;
  if (option.writes == Writes::nothing || named || within_this_folder(path)) return;
  throw InputError(at,
                   "'" + option.name + "' leads to '" + path +
                       "', outside of this folder, where a settings file may not have anything written",
                   "give it on the command line: " + option.typed() + " " + path);
}

// For the same reason such a file must not have a command of its own run.
void keep_from_running(const Option& option, const SourcePos& at) {
  if (!option.runs) return;
  throw InputError(at, "'" + option.name + "' names a command to run, which a settings file may not do",
                   "give it on the command line: " + option.typed() + " '" + option.value_name + "'");
}

void assign_from_file(const Option& option, TomlSection& file, const std::string& key) {
  const SourcePos at = file.where(key);
  keep_from_running(option, at);
  const std::vector<std::string> values = file.scalars(key);
  if (file.is_list(key)) {
    if (!option.takes_list()) throw InputError(at, "'" + key + "' takes one value, not a list");
    if (values.empty()) throw InputError(at, "the list of '" + key + "' is empty", "leave the key out");
  }
  for (const std::string& value : values) keep_within_folder(option, value, at);
  assign(option, values, at);
}

// The variable or the place in the file that has it; nothing where neither has.
std::optional<std::string> from_variable(const Option& option, const std::string& scope) {
  for (const std::string& name : names_of(option)) {
    const std::string variable = variable_name(scope, name);
    const char* value = std::getenv(variable.c_str());
    if (value == nullptr) continue;
    assign(option, {value}, {variable});
    return variable;
  }
  return std::nullopt;
}

std::optional<std::string> from_file(const Option& option, std::optional<TomlSection>& section) {
  for (const std::string& name : names_of(option)) {
    if (!section || !section->has(name)) continue;
    assign_from_file(option, *section, name);
    return section->where(name).str();
  }
  return std::nullopt;
}

class Places {
 public:
  Places(const std::string& scope, const std::string& within) : scopes_{scope} {
    if (!within.empty()) scopes_.insert(scopes_.begin(), within);
    const auto file = settings_file();
    for (const std::string& each : scopes_) sections_.push_back(section_of(file, each));
  }

  // Assigns the value, and notes where it came from.
  void find(const Option& option, const Given& given, Setting& setting) {
    setting.origin = kByDefault;
    if (const auto it = given.find(option.name); it != given.end()) {
      setting.origin = option.typed();
      assign(option, it->second, {setting.origin});
      return;
    }
    if (option.positional) return;
    std::optional<std::string> origin;
    for (std::size_t i = 0; i < scopes_.size() && !origin; ++i) {
      origin = from_variable(option, scopes_[i]);
      setting.general = origin && scopes_[i].empty();
    }
    for (std::size_t i = 0; i < scopes_.size() && !origin; ++i) {
      origin = from_file(option, sections_[i]);
      setting.general = origin && scopes_[i].empty();
    }
    if (origin) setting.origin = *origin;
  }

 private:
  std::vector<std::string> scopes_;  // the nearest first
  std::vector<std::optional<TomlSection>> sections_;
};

}  // namespace

std::string variable_name(const std::string& scope, const std::string& option) {
  std::string name = "SEXTANT_" + (scope.empty() ? "" : scope + "_") + option;
  for (char& c : name) {
    if (c == ' ' || c == '-') c = '_';
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return name;
}

std::vector<Setting> apply_settings(std::vector<Option>& options, const std::string& scope,
                                    const Given& given, const std::string& within) {
  Places places(scope, within);
  std::vector<Setting> settings;
  for (const Option& option : options) {
    Setting setting;
    places.find(option, given, setting);
    const std::string owner = setting.general ? "" : within.empty() ? scope : within;
    setting.key = (owner.empty() ? "" : section_name(owner) + ".") + option.name;
    setting.value = option.default_text();
    if (!option.positional) setting.variable = variable_name(owner, option.name);
    settings.push_back(std::move(setting));
  }
  return settings;
}

std::vector<std::string> unread_variables(const std::vector<Command>& commands, const Command& running,
                                          const std::vector<Option>& globals) {
  std::vector<std::string> set;
  for (char** each = environ; *each != nullptr; ++each) {
    const std::string_view entry = *each;
    const std::string name(entry.substr(0, entry.find('=')));
    if (name.starts_with(kPrefix) && !read_elsewhere(name)) set.push_back(name);
  }
  if (set.empty()) return {};
  std::set<std::string> known;
  const auto add = [&](const std::string& scope, const std::vector<Option>& options) {
    for (const Option& option : options) {
      if (option.positional) continue;
      for (const std::string& name : names_of(option)) known.insert(variable_name(scope, name));
    }
  };
  add("", globals);
  for (const Command& command : commands) {
    add(command.path, globals);
    add(command.path, command.options);
  }
  std::ranges::sort(set);
  std::vector<std::string> lines;
  for (const std::string& name : set) {
    if (known.contains(name)) continue;
    // SEXTANT_GPU may be meant as that of the command that runs.
    const std::string own = variable_name(running.path, name.substr(kPrefix.size()));
    const std::vector<std::string> all(known.begin(), known.end());
    const auto nearest = known.contains(own) ? std::optional(own) : nearest_name(name, all);
    lines.push_back(
        "nothing reads the variable " + name +
        (nearest ? "; did you mean " + *nearest + "?" : "; 'sextant config show' has those that are read"));
  }
  return lines;
}

void check_settings_file(const std::vector<Command>& commands, const std::vector<Option>& globals) {
  auto file = settings_file();
  if (!file) return;
  const auto expect_all = [](TomlSection& section, const std::vector<Option>& options) {
    for (const auto& option : options) {
      if (option.positional) continue;
      for (const std::string& name : names_of(option)) section.expect(name);
    }
  };
  expect_all(*file, globals);
  for (const auto& command : commands) {
    const std::string name = section_name(command.path);
    file->expect(name);
    if (!file->has(name)) continue;
    TomlSection section = file->section(name);
    expect_all(section, command.options);
    expect_all(section, globals);
    section.finish();
  }
  file->finish();
}

}  // namespace sextant::cli
