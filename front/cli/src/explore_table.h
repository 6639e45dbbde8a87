// sextant explore --table: strategies compared on recorded runs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sextant/ask/table_search.h"
#include "sextant/cli/command.h"

namespace sextant::cli {

// Options of this way to call the command but --strategy, --trials and --plot, which it shares with studies.
std::vector<Option> table_search_options(ask::TableSearchQuestion& question);

// What is given without --table would be ignored without a word.
void refuse_table_options(const ask::TableSearchQuestion& question);

struct TableSearchArgs {
  ask::TableSearchQuestion question;
  std::optional<std::string> plot;
};
int run_table_search(const TableSearchArgs& args, const Io& io, const Globals& globals);

}  // namespace sextant::cli
