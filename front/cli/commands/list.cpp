// sextant list KIND: everything of a kind, one line each.
#include <memory>

#include "catalog_option.h"
#include "kinds.h"
#include "sextant/cli/command.h"
#include "sextant/cli/run.h"
#include "sextant/report/catalog_report.h"

namespace sextant::cli::command_list {
namespace {

report::Fields<Kind> kind_fields() {
  using enum report::Importance;
  return {{"kind", "kind", [](const Kind& kind) { return report::Cell(kind.plural); }, identity},
          {"summary", "what it is", [](const Kind& kind) { return report::Cell(kind.summary); }, essential}};
}

}  // namespace

std::vector<Command> plugin() {
  const auto kind = std::make_shared<std::string>();
  return {
      {.path = "list",
       .wish = Wish::look_up,
       .summary = "list what is known: GPUs, machines, networks, predictors and more",
       .details = "Without KIND, it lists the kinds.",
       .examples = {"sextant list", "sextant list gpus",
                    "sextant list machines --catalog vms.csv --format csv"},
       .options = {{.name = "KIND",
                    .summary = "what to list",
                    .target = kind.get(),
                    .positional = true,
                    .names = kind_names}},
       .run = [kind](const Io& io, const Globals& globals) {
         if (kind->empty()) {
           write_result(io, globals, report::list_result("kinds", report::table_of(kind_fields(), kinds())));
           return kDone;
         }
         const Kind& found = find_kind(*kind);
         write_result(io, globals, report::list_result(found.plural, found.list(open_catalog(io, globals))));
         return kDone;
       }}};
}

}  // namespace sextant::cli::command_list
