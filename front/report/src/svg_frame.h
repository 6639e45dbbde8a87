// A plot's frame: two axes over a rectangle, with grid, ticks and labels. What is drawn inside is the
// caller's.
#pragma once

#include <string>

#include "sextant/report/svg_axis.h"
#include "svg_draw.h"

namespace sextant::report::svg {

struct Frame {
  SvgAxis x;
  SvgAxis y;
  double left = 80;  // pixels, as the rest
  double top = 44;
  double wide = 560;
  double high = 400;

  [[nodiscard]] Point at(double x_value, double y_value) const;
  [[nodiscard]] std::string grid() const;  // and the rectangle around it
  [[nodiscard]] std::string labels(const std::string& title, const std::string& x_label,
                                   const std::string& y_label) const;
};

}  // namespace sextant::report::svg
