// A table of recorded runs as searches: each group with its configurations, what each cost, and what models
// may know of it.
#pragma once

#include <string>
#include <vector>

#include "sextant/explore/problem.h"
#include "sextant/study/table_search.h"

namespace sextant::study {

struct RecordedRun {
  explore::Configuration configuration;
  bool completed = false;
  double cost = 0;                   // of a completed run; of repeated ones the mean
  double penalty = 0;                // what counts where it did not complete
  std::optional<double> prior = {};  // what was predicted of it
};

struct RecordedGroup {
  std::string name;
  std::string apart;           // value of the column that keeps related groups apart
  explore::SearchSpace space;  // its own configurations, in the order of `runs`
  std::vector<RecordedRun> runs;
  double optimum = 0;
};

struct RecordedTable {
  std::vector<RecordedGroup> groups;
  std::vector<std::string> skipped;
};

RecordedTable read_recorded_table(const CsvTable& table, const TableSearchRequest& request);

}  // namespace sextant::study
