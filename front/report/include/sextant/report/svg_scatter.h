// Predicted against measured as an SVG picture: one dot a row, the line y = x, the same axes both ways.
// The same points give the same bytes.
#pragma once

#include <string>
#include <vector>

namespace sextant::report {

struct ScatterPoint {
  double measured = 0;
  double predicted = 0;
  bool extrapolating = false;  // drawn hollow
};

struct Scatter {
  std::string title;
  std::string quantity;  // on both axes: "iteration_s"
  std::vector<ScatterPoint> points;
};

// Logarithmic axes when every value is positive. At least one point.
std::string to_svg(const Scatter& scatter);

}  // namespace sextant::report
