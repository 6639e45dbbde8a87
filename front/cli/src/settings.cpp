#include "settings.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <optional>

#include "sextant/core/error.h"
#include "sextant/core/text.h"
#include "sextant/core/toml.h"

namespace sextant::cli {
namespace {

constexpr const char* kFile = "sextant.toml";

std::optional<TomlSection> settings_file() {
  std::error_code status;
  if (!std::filesystem::exists(kFile, status)) return std::nullopt;
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

std::string origin_of(const Option& option, const std::string& scope, const Given& given,
                      std::optional<TomlSection>& file) {
  if (const auto it = given.find(option.name); it != given.end()) {
    const std::string flag = option.positional ? option.name : "--" + option.name;
    assign(option, it->second, {flag});
    return flag;
  }
  if (option.positional) return kByDefault;
  const std::string variable = variable_name(scope, option.name);
  if (const char* value = std::getenv(variable.c_str())) {
    assign(option, {value}, {variable});
    return variable;
  }
  if (file && file->has(option.name)) {
    const SourcePos at = file->where(option.name);
    assign(option, {file->scalar(option.name)}, at);
    return at.str();
  }
  return kByDefault;
}

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
                                    const Given& given) {
  auto file = section_of(settings_file(), scope);
  std::vector<Setting> settings;
  for (const Option& option : options) {
    const std::string origin = origin_of(option, scope, given, file);
    const std::string key = (scope.empty() ? "" : section_name(scope) + ".") + option.name;
    settings.push_back({key, option.default_text(), origin});
  }
  return settings;
}

void check_settings_file(const std::vector<Command>& commands, const std::vector<Option>& globals) {
  auto file = settings_file();
  if (!file) return;
  const auto expect_all = [](TomlSection& section, const std::vector<Option>& options) {
    for (const auto& option : options) {
      if (!option.positional) section.expect(option.name);
    }
  };
  expect_all(*file, globals);
  for (const auto& command : commands) {
    const std::string name = section_name(command.path);
    file->expect(name);
    if (!file->has(name)) continue;
    TomlSection section = file->section(name);
    expect_all(section, command.options);
    section.finish();
  }
  file->finish();
}

}  // namespace sextant::cli
