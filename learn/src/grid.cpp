#include "grid.h"

namespace sextant {

std::vector<Parameters> grid_product(const std::vector<GridAxis>& axes) {
  std::vector<Parameters> points = {{}};
  for (const auto& axis : axes) {
    std::vector<Parameters> next;
    for (const auto& point : points) {
      for (const double value : axis.values) {
        next.push_back(point);
        next.back()[axis.name] = value;
      }
    }
    points = std::move(next);
  }
  return points;
}

ParameterInfo relative_parameter() {
  return {"relative", "1: fit relative errors, 0: absolute ones", 1, 0, 1};
}

ParameterInfo degree_parameter() {
  return {"degree", "0: columns as they are, 1: also 1/x, k >= 2: also products of up to k of them", 0, 0, 4};
}

}  // namespace sextant
