// sextant reference: the manual page of all commands, as Markdown.
#include <ostream>

#include "help.h"
#include "sextant/cli/command.h"
#include "sextant/cli/run.h"

namespace sextant::cli::command_reference {

std::vector<Command> plugin() {
  return {{.path = "reference",
           .summary = "the manual of all commands, as one Markdown page",
           .details = "",
           .examples = {"sextant reference > docs/reference/commands.md"},
           .options = {},
           .run = [](const Io& io, const Globals&) {
             Globals defaults;
             io.out << reference_page(all_commands(), global_options(defaults));
             return kDone;
           }}};
}

}  // namespace sextant::cli::command_reference
