// Tests of terms by ranks that know the other terms: the aligned rank transform (Wobbrock et al., CHI 2011;
// Higgins & Tashtoush 1994). What the other terms explain is taken off the response, the rest is ranked, and
// the ranks are analysed; of that analysis the one term counts. Outliers and unequal scatter move ranks
// little.
#pragma once

#include <optional>
#include <vector>

#include "sextant/analysis/anova.h"

namespace sextant::analysis {

// p of every row of `result`, which is of this table; nothing for terms that others determine. Empty where
// chance cannot be told, and where it would take minutes.
std::vector<std::optional<double>> aligned_rank_tests(const AnalysisTable& table, const AnovaResult& result);

}  // namespace sextant::analysis
