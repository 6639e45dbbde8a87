// Does what is best for one workload hold for another? Regret of taking over the optimum,
// C_t(x*_s) / C_t(x*_t) - 1, agreement of the orders (Spearman, Kendall), share of the best that both have,
// and whether a line turns one into the other (Jamshidi et al., ASE 2017).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sextant/analysis/analysis_table.h"
#include "sextant/stats/ranks.h"

namespace sextant::analysis {

// At least four of them. y_target = slope y_source + intercept over the configurations that completed in
// both.
struct LinearShift {
  double slope = 0;
  double intercept = 0;
  double r2 = 0;
};

struct WorkloadTransfer {
  std::string source;
  std::string target;
  std::size_t common = 0;   // configurations of both, failed ones included
  std::string source_best;  // "vm_type=c4.large vm_count=8"
  std::string target_best;
  double regret = 0;     // 0: the optimum holds; infinite: it failed on the target
  double top_share = 0;  // of the best `top`, at most half of all, those that are among the best of the other
  std::size_t top = 0;
  std::optional<stats::RankCorrelation> spearman =
      {};  // nothing: fewer than 3 common ones, or one side never changes
  std::optional<stats::RankCorrelation> kendall = {};
  std::optional<LinearShift> shift = {};
};

// Every ordered pair of workloads. Configurations are the combinations of all other factors; repeated runs
// are averaged, one that never completed has failed. The responses must be positive. InputError without a
// group.
std::vector<WorkloadTransfer> transfer_table(const AnalysisTable& table, std::size_t top = 5);

}  // namespace sextant::analysis
