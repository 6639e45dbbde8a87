// sextant reference: the manual of all commands, as Markdown or as pages for man(1).
#include <filesystem>
#include <memory>
#include <ostream>

#include "manual.h"
#include "sextant/cli/command.h"
#include "sextant/cli/run.h"
#include "sextant/core/whole_file.h"

namespace sextant::cli::command_reference {
namespace {

void write_manual(const std::string& folder, const std::vector<Option>& globals) {
  for (const ManualPage& page : manual_pages(all_commands(), globals)) {
    WholeFile file((std::filesystem::path(folder) / page.file).string());
    file.stream() << page.text;
    file.commit();
  }
}

}  // namespace

std::vector<Command> plugin() {
  const auto man = std::make_shared<std::optional<std::string>>();
  return {{.path = "reference",
           .wish = Wish::set_up,
           .summary = "the manual of all commands, as one Markdown page",
           .details = "",
           .examples = {"sextant reference > docs/reference/commands.md", "sextant reference --man man1"},
           .options = {{.name = "man",
                        .summary = "write pages for man(1) to this folder instead, one for each command",
                        .target = man.get(),
                        .value_name = "FOLDER",
                        .writes = Writes::place}},
           .run = [man](const Io& io, const Globals&) {
             Globals defaults;
             const auto globals = global_options(defaults);
             if (*man)
               write_manual(**man, globals);
             else
               io.out << reference_page(all_commands(), globals);
             return kDone;
           }}};
}

}  // namespace sextant::cli::command_reference
