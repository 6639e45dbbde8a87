// sextant version
#include <nlohmann/json.hpp>
#include <ostream>

#include "sextant/cli/command.h"
#include "sextant/cli/run.h"
#include "sextant/core/provenance.h"

namespace sextant::cli::command_version {

std::vector<Command> plugin() {
  return {{.path = "version",
           .summary = "version of the program",
           .details = "",
           .examples = {"sextant version"},
           .options = {},
           .run = [](const Io& io, const Globals& globals) {
             if (globals.chosen_format() == Format::json) {
               write_json(io, globals, {{"schema", "sextant.version/1"}, {"version", tool_version()}});
             } else {
               io.out << "sextant " << tool_version() << '\n';
             }
             return kDone;
           }}};
}

}  // namespace sextant::cli::command_version
