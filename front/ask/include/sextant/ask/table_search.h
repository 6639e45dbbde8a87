// Which search strategy would have found the best of recorded runs, and how soon?
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sextant/study/table_search.h"

namespace sextant::ask {

struct TableSearchQuestion {
  std::optional<std::string> table = {};      // a CSV file
  std::optional<std::string> group = {};      // column; rows with one value are one search
  std::vector<std::string> config = {};       // columns that name a configuration
  std::vector<std::string> features = {};     // columns that models see; empty: those of `config`
  std::optional<std::string> objective = {};  // column to minimise
  std::optional<std::string> censored = {};   // "completed=0": rows that did not complete
  std::optional<std::string> penalised = {};
  std::optional<std::string> transfer_apart = {};
  std::optional<std::string> prior = {};
  std::vector<std::string> strategy = {"sextant", "random"};
  std::int64_t trials = 15;
  std::int64_t seeds = 10;   // searches of each group
  std::int64_t threads = 0;  // 0: as many as there are cores
  std::uint64_t seed = 0;
};

struct TableSearchAnswer {
  study::TableSearchReport report;
  std::vector<std::string> warnings = {};  // groups that were left out
};

TableSearchAnswer search_table(const TableSearchQuestion& question, Progress& progress);

}  // namespace sextant::ask
