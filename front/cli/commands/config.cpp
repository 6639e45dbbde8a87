// sextant config show: every setting with its value and where that came from.
#include "settings.h"
#include "sextant/cli/command.h"
#include "sextant/cli/run.h"
#include "sextant/core/secrets.h"

namespace sextant::cli::command_config {
namespace {

report::Fields<Setting> setting_fields() {
  using enum report::Importance;
  return {
      {"setting", "setting", [](const Setting& s) { return report::Cell(s.key); }, identity},
      {"value", "value", [](const Setting& s) { return report::Cell(shown_address(s.value)); }, essential},
      {"origin", "origin", [](const Setting& s) { return report::Cell(s.origin); }},
      {"variable", "variable", [](const Setting& s) { return report::Cell(s.variable); }},
  };
}

// What the whole program has and this command has otherwise.
std::vector<Setting> own_general_settings(const std::string& path) {
  Globals values;
  auto options = global_options(values);
  std::vector<Setting> settings = apply_settings(options, "", {}, path);
  std::erase_if(settings, [](const Setting& s) { return s.general || s.origin == kByDefault; });
  return settings;
}

int show(const Io& io, const Globals& globals) {
  Globals effective;
  auto options = global_options(effective);
  std::vector<Setting> settings = apply_settings(options, "", {});
  for (auto& command : all_commands()) {
    for (auto& setting : apply_settings(command.options, command.path, {}))
      settings.push_back(std::move(setting));
    for (auto& setting : own_general_settings(command.path)) settings.push_back(std::move(setting));
  }
  write_result(io, globals,
               {.schema = "sextant.config/1",
                .sections = {{.key = "settings", .table = report::table_of(setting_fields(), settings)}}});
  return kDone;
}

}  // namespace

std::vector<Command> plugin() {
  return {{.path = "config show",
           .wish = Wish::set_up,
           .summary = "every setting, its value and its origin",
           .details = "A flag wins over a variable SEXTANT_*, the variable over ./sextant.toml, the file "
                      "over the default. "
                      "Passwords in addresses are shown as ***.",
           .examples = {"sextant config show"},
           .options = {},
           .run = show}};
}

}  // namespace sextant::cli::command_config
