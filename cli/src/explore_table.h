// sextant explore --table: strategies compared on recorded runs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sextant/cli/command.h"

namespace sextant {

struct TableArgs {
  std::optional<std::string> table;  // a CSV file; the rest counts only with it
  std::optional<std::string> group;
  std::vector<std::string> config;
  std::vector<std::string> features;
  std::optional<std::string> objective;
  std::optional<std::string> censored;
  std::optional<std::string> penalised;
  std::optional<std::string> transfer_apart;
  std::optional<std::string> prior;
  std::optional<std::string> strategies;  // --strategy, a list here
  std::optional<std::string> plot;
  std::int64_t trials = 15;
  std::int64_t seeds = 10;
  std::int64_t threads = 0;
};

// Options of this way to call the command but --strategy, --trials and --plot, which it shares with studies.
std::vector<Option> table_search_options(TableArgs& args);

// What is given without --table would be ignored without a word.
void refuse_table_options(const TableArgs& args);

int run_table_search(const TableArgs& args, const Io& io, const Globals& globals);

}  // namespace sextant
