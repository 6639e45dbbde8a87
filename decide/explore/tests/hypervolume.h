// Volume that a set of results covers up to a reference point: how good a front is, in one number. Exact:
// slices along the last objective, each the volume of one dimension less (Zitzler and Thiele 1998; While et
// al. 2006). Losses: the smaller the better.
#pragma once

#include <span>
#include <vector>

namespace sextant::explore {

// Points that are not below the reference in every coordinate add nothing; dominated ones neither. InputError
// for points of another dimension than the reference, for no dimension and for NaN.
double hypervolume(std::span<const std::vector<double>> points, std::span<const double> reference);

}  // namespace sextant::explore
