// Location and scale that a few wild measurements cannot move. Input errors as in summary.h.
// Source: Iglewicz and Hoaglin (1993) for the outlier rule.
#pragma once

#include <span>
#include <vector>

namespace sextant::stats {

double median(std::span<const double> values);

// Median absolute deviation from the median, times 1.4826 so that it estimates the standard
// deviation of a normal sample. 0 when more than half of the values are equal.
double mad(std::span<const double> values);

// Distance from the median in robust standard deviations. Where mad() is 0 the mean absolute
// deviation replaces it (times 1.2533); where that is 0 too, all values agree and all scores are 0.
std::vector<double> modified_z_scores(std::span<const double> values);
// True where |score| > threshold (positive).
std::vector<bool> outlier_marks(std::span<const double> values, double threshold = 3.5);

}  // namespace sextant::stats
