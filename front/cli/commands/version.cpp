// sextant version
#include "sextant/cli/command.h"
#include "sextant/cli/run.h"
#include "sextant/core/provenance.h"

namespace sextant::cli::command_version {
namespace {

// People get a sentence, programs the version alone.
report::Result version_result(const std::string& version) {
  const report::Fields<std::string> fields = {
      {"version", "", [](const std::string& v) { return report::Cell(v); }, report::Importance::detail}};
  report::Result result{.schema = "sextant.version/1", .facts = facts_of(fields, version)};
  result.facts.notes = {"sextant " + version};
  return result;
}

}  // namespace

std::vector<Command> plugin() {
  return {{.path = "version",
           .wish = Wish::set_up,
           .summary = "version of the program",
           .details = "",
           .examples = {"sextant version"},
           .options = {},
           .run = [](const Io& io, const Globals& globals) {
             write_result(io, globals, version_result(tool_version()));
             return kDone;
           }}};
}

}  // namespace sextant::cli::command_version
