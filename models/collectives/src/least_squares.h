// Levenberg and Marquardt's damped least squares, with derivatives by differences.
#pragma once

#include <functional>
#include <vector>

namespace sextant::collectives {

using Residuals = std::function<std::vector<double>(const std::vector<double>&)>;

// The point from which no step lowers the sum of squares by more than a millionth.
std::vector<double> least_squares(const Residuals& residuals, std::vector<double> start);

}  // namespace sextant::collectives
