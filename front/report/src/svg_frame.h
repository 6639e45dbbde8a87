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
  double right = 24;  // beside it, that the title may use

  [[nodiscard]] Point at(double x_value, double y_value) const;
  // And the rectangle around it. Where labels of ticks would touch, only every second or third has one.
  [[nodiscard]] std::string grid() const;
  // A text that is longer than its place loses its middle.
  [[nodiscard]] std::string labels(const std::string& title, const std::string& x_label,
                                   const std::string& y_label) const;
};

// Pixels that the labels of a vertical axis take.
double labels_wide(const SvgAxis& y);

// At the left of a picture, with room for the labels of the vertical axis and its name.
Frame frame_at_left(SvgAxis x, SvgAxis y);

// A text that reads upwards, its middle here, no longer than that.
std::string upwards(Point middle, const std::string& text, double font_size, double longest);

}  // namespace sextant::report::svg
