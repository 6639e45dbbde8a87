// sextant list KIND: everything of a kind, one line each.
#include <memory>

#include "catalog_option.h"
#include "kinds.h"
#include "sextant/cli/command.h"
#include "sextant/cli/run.h"
#include "sextant/report/catalog_report.h"

namespace sextant::cli::command_list {

std::vector<Command> plugin() {
  const auto kind = std::make_shared<std::string>();
  return {{.path = "list",
           .summary = "GPUs, machines, networks, predictors and what else there is",
           .details = "",
           .examples = {"sextant list gpus", "sextant list machines --catalog vms.csv --format csv"},
           .options = {{.name = "KIND",
                        .summary = "what to list",
                        .target = kind.get(),
                        .positional = true,
                        .required = true,
                        .names = kind_names}},
           .run = [kind](const Io& io, const Globals& globals) {
             const Kind& found = find_kind(*kind);
             write_result(io, globals,
                          report::list_result(found.plural, found.list(open_catalog(io, globals))));
             return kDone;
           }}};
}

}  // namespace sextant::cli::command_list
