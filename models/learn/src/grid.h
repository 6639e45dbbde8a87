// Grids of parameters as products of short lists.
#pragma once

#include <string>
#include <vector>

#include "sextant/learn/method.h"

namespace sextant::learn {

struct GridAxis {
  std::string name;
  std::vector<double> values;
};

// Every combination, the last axis fastest.
std::vector<MethodSettings> grid_product(const std::vector<GridAxis>& axes);

// Shared by the methods.
ParameterInfo relative_parameter();
ParameterInfo degree_parameter();

}  // namespace sextant::learn
