// sextant config show: every setting with its value and where that came from.
#include "settings.h"
#include "sextant/cli/command.h"
#include "sextant/cli/run.h"

namespace sextant::cli::command_config {
namespace {

int show(const Io& io, const Globals& globals) {
  Globals effective;
  auto options = global_options(effective);
  std::vector<Setting> settings = apply_settings(options, "", {});
  for (auto& command : all_commands()) {
    for (auto& setting : apply_settings(command.options, command.path, {}))
      settings.push_back(std::move(setting));
  }
  report::Table table;
  table.columns = {{"setting", "setting"}, {"value", "value"}, {"origin", "origin"}};
  for (const auto& setting : settings) table.rows.push_back({setting.key, setting.value, setting.origin});
  write_table(io, globals, table);
  return kDone;
}

}  // namespace

std::vector<Command> plugin() {
  return {{.path = "config show",
           .summary = "every setting, its value and its origin",
           .details = "A flag wins over SEXTANT_*, that over ./sextant.toml, that over the default.",
           .examples = {"sextant config show"},
           .options = {},
           .run = show}};
}

}  // namespace sextant::cli::command_config
