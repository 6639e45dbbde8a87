// Do the assumptions of an analysis of variance hold? Normality by Shapiro and Wilk (Royston, Applied
// Statistics 44, 1995, AS R94), from 5000 values on by Anderson and Darling (Stephens, in D'Agostino and
// Stephens 1986, table 4.9); equal variances by Brown and Forsythe (1974). A small p says that they do not; a
// large one that nothing speaks against it. Input errors as in summary.h.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sextant/stats/hypothesis.h"

namespace sextant::stats {

struct NormalityTest {
  std::string name;      // "Shapiro-Wilk", "Anderson-Darling"
  double statistic = 0;  // W, or A^2
  double p = 1;
};
// 3 to 5000 values, not all equal.
NormalityTest shapiro_wilk(std::span<const double> values);
// Mean and standard deviation estimated; at least 8 values, not all equal.
NormalityTest anderson_darling(std::span<const double> values);
// The one that fits the number of values.
NormalityTest normality_test(std::span<const double> values);

// F test of the distances from each group's median. At least two groups with two values or more among them,
// and more values than groups.
FTest brown_forsythe(std::span<const std::vector<double>> groups);

}  // namespace sextant::stats
