// Whether an analysis of variance may be believed: residuals that look normal, variances that look equal over
// the levels of each factor, the same on the logarithm; and, for when they do not, the test by ranks.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sextant/analysis/anova.h"
#include "sextant/stats/assumptions.h"
#include "sextant/stats/ranks.h"

namespace sextant::analysis {

struct VarianceCheck {
  std::string factor;
  stats::FTest
      test;  // Brown-Forsythe on the residuals; of several factors: corrected, as these hang together
  double p_holm = 1;  // over all factors
};

struct ModelChecks {
  std::optional<stats::NormalityTest> normality = {};  // nothing: too few residuals, or none differs
  std::vector<VarianceCheck> variances = {};  // factors with two levels or more of three runs or more
  bool normal = true;                         // not refuted
  bool equal_variances = true;
  bool log_helps = false;                  // the same checks pass on the logarithm of the response
  std::vector<std::string> findings = {};  // in words, the advice included

  [[nodiscard]] bool hold() const { return normal && equal_variances; }
};

// `level`: 0.95 refutes at p < 0.05.
ModelChecks check_model(const AnalysisTable& table, const AnovaResult& result, double level = 0.95);

struct FactorRanks {
  std::string factor;
  stats::KruskalWallisTest test;
  double p_holm = 1;
  bool blocked = false;      // ranks within workloads, whose own levels then do not count
  std::size_t censored = 0;  // runs that did not complete: ranked behind all others, as ties
};
// Each factor with levels alone, within workloads where there is a group; the other factors are not taken
// out.
std::vector<FactorRanks> rank_tests(const AnalysisTable& table);

}  // namespace sextant::analysis
