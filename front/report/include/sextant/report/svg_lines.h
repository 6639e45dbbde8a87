// Lines over a common axis as an SVG picture, with their names beside the plot: distributions, courses over
// time.
#pragma once

#include <string>
#include <vector>

#include "sextant/report/svg_axis.h"

namespace sextant::report {

struct LineSeries {
  std::string name;
  std::vector<double> x = {};
  std::vector<double> y = {};
};

struct LinePlot {
  std::string title;
  std::string x_label;
  std::string y_label;
  AxisScale x_scale = AxisScale::linear;  // logarithmic where every x is positive
  AxisUnit x_unit = AxisUnit::number;
  AxisUnit y_unit = AxisUnit::number;
  double y_low = 0;  // the y axis is linear
  double y_high = 1;
  std::vector<LineSeries> series = {};  // at least one with a point
  std::vector<LineSeries> points = {};  // drawn without a line: the first filled, the second hollow
};

std::string to_svg(const LinePlot& plot);

}  // namespace sextant::report
