// Strategies compared on recorded runs: every group of a table (a workload) is searched again and again with
// other seeds, and what a strategy would have found after each trial is set against the best run that was
// recorded.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sextant/core/csv.h"
#include "sextant/core/progress.h"

namespace sextant::study {

struct TableSearchRequest {
  std::string group;                  // column; rows with one value are one search
  std::vector<std::string> config;    // columns that name a configuration
  std::vector<std::string> features;  // columns that models see; texts become dummies
  std::string objective;              // column, minimised
  std::string censored = {};          // "completed=0": rows that did not complete
  // Counts for what did not complete while nothing has; empty: the objective's name with "_penalised", if
  // there is such a column, else the dearest completed run. Strategies never see it.
  std::string penalised = {};
  // With transfer: groups that share the value of this column with the searched one are not told of; empty:
  // no transfer at all.
  std::string transfer_apart = {};
  // Column with what was predicted of the objective before any run; empty: nothing was. An empty cell is a
  // run of which nothing is known.
  std::string prior = {};
  std::vector<std::string> strategies;
  std::size_t trials = 15;
  std::size_t seeds = 10;
  std::uint64_t seed = 0;
  std::size_t threads = 1;  // 0: all cores
};

struct TableSearchResult {
  std::string group;
  std::string strategy;
  std::size_t seeds = 0;
  double optimum = 0;
  std::vector<double> best_over_optimum_mean;  // after trial 1..N
  std::vector<double> best_over_optimum_p90;
  double search_cost_over_optimum_mean = 0;  // of all N trials, failed ones by their penalty
  double stopped_after_mean = 0;  // trials until the strategy's own rule said stop; N where it never did
  double stopped_ratio_mean = 0;  // best over optimum at that trial
  double stopped_cost_mean = 0;   // search cost until then
};

struct TableSearchReport {
  std::vector<TableSearchResult> results;  // by group, in the order of the table, then by strategy
  std::vector<std::string> skipped;        // groups in which nothing completed: there is no optimum
};

// Rows of one group with one configuration are repeated runs: their mean counts; one that completed is
// enough. The same to the byte whatever the number of threads. InputError for what the table does not have,
// an objective that is not positive, and features that differ within a configuration.
TableSearchReport search_table(const CsvTable& table, const TableSearchRequest& request, Progress& progress);

// A strategy over all groups; means but for the worst.
struct StrategyScore {
  std::string strategy;
  std::size_t groups = 0;
  std::vector<double> best_over_optimum;  // after trial 1..N
  double worst_group = 0;                 // best over optimum after all trials
  double search_cost_over_optimum = 0;
  double stopped_after = 0;
  double stopped_ratio = 0;
  double stopped_cost = 0;
};
// In the order in which strategies stand in the report.
std::vector<StrategyScore> strategy_scores(const TableSearchReport& report);

}  // namespace sextant::study
