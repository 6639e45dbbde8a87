#include "grid.h"

namespace sextant::learn {

std::vector<MethodSettings> grid_product(const std::vector<GridAxis>& axes) {
  std::vector<MethodSettings> points = {{}};
  for (const auto& axis : axes) {
    std::vector<MethodSettings> next;
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
  return flag_parameter("relative", "1: fit relative errors, 0: absolute ones", true);
}

ParameterInfo degree_parameter() {
  return count_parameter(
      "degree", "0: columns as they are, 1: also 1/x, k >= 2: also products of up to k of them", {0, 0, 4});
}

}  // namespace sextant::learn
