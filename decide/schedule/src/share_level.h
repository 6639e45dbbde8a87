// Shares that bring all jobs to the largest common level, and what is done with what is left over.
#pragma once

#include "share_simplex.h"

namespace sextant::schedule {

class LevelSolver {
 public:
  // The largest level, then the rest as below; where types are alike, the rest fairly by weight.
  void solve(const ShareProgram& program, const std::vector<double>& weight, ShareOptimum& out);
  // The largest level; shares as they come.
  void find_level(const ShareProgram& program, ShareOptimum& out);
  // After find_level: of all shares that reach the level, some with the largest sum of levels, so that
  // nothing stays idle that somebody could use.
  void share_rest(const ShareProgram& program, ShareOptimum& out);
  // Water-filling: whoever cannot rise any more stays, the others rise on; a level after the other.
  void fill(const ShareProgram& program, const std::vector<double>& weight, ShareOptimum& out);

  [[nodiscard]] const ShareSimplex& simplex() const { return simplex_; }

 private:
  bool freeze(const ShareOptimum& optimum);

  ShareSimplex simplex_;
  ShareProgram rest_;
  ShareProgram stage_;
};

}  // namespace sextant::schedule
