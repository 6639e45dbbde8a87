// Several small plots in one picture, side by side in rows: frames with room for names of levels, and lines.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "svg_frame.h"

namespace sextant::report::svg {

inline constexpr double kPanelWide = 300;  // pixels
inline constexpr double kPanelHigh = 230;

class PanelGrid {
 public:
  // `labels_wide`: pixels that the widest labels of a vertical axis take.
  PanelGrid(std::size_t panels, std::size_t columns, double labels_wide);

  [[nodiscard]] Frame panel(std::size_t index, SvgAxis x, SvgAxis y) const;
  // The picture that holds them, with its title.
  [[nodiscard]] std::string open(const std::string& title, const std::string& description) const;

 private:
  std::size_t panels_;
  std::size_t columns_;
  double left_;  // of each panel: room for its vertical axis
};

// Levels at 0, 1, ...; their names are drawn by level_names().
SvgAxis level_axis(std::size_t levels);
// Under the frame, turned where they are long or many.
std::string level_names(const Frame& frame, std::span<const std::string> names);
// Linear, with a little room.
SvgAxis roomy_axis(std::span<const double> values, AxisUnit unit = AxisUnit::number);
std::string frame_title(const Frame& frame, const std::string& title, const std::string& y_label);
std::string x_name(const Frame& frame, const std::string& name);

}  // namespace sextant::report::svg
