// sextant explore: the best configuration with the fewest runs.
#include "explore_table.h"
#include "sextant/cli/run.h"

namespace sextant {

std::vector<Command> command_explore() {
  const auto args = std::make_shared<TableArgs>();
  return {
      {.path = "explore",
       .summary = "search for the best configuration",
       .details = "With --table, strategies are compared on recorded runs: each group is searched anew "
                  "with every seed, and what was found\nafter each trial is divided by the best run "
                  "recorded.",
       .examples = {"sextant explore --table runs.csv --group case --config vm_type,vm_count --features "
                    "vcpus,memory_gib,vm_count --objective cost_usd --strategy sextant,random"},
       .options = table_search_options(args),
       .run = [args](const Io& io, const Globals& globals) { return run_table_search(*args, io, globals); }}};
}

}  // namespace sextant
