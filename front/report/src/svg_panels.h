// Several small plots in one picture, side by side in rows: frames with room for names of levels, and lines.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "svg_frame.h"

namespace sextant::report::svg {

inline constexpr double kPanelWide = 300;  // pixels
inline constexpr double kPanelHigh = 230;

// Place of panel i of a grid with so many columns.
Frame panel(std::size_t index, std::size_t columns, SvgAxis x, SvgAxis y);
// The picture that holds `panels` of them.
std::string open_panels(std::size_t panels, std::size_t columns, const std::string& title);

// At most so many characters, the middle left out: names that begin alike often differ at their end.
std::string shortened(const std::string& name, std::size_t most);

// Levels at 0, 1, ...; their names are drawn by level_names().
SvgAxis level_axis(std::size_t levels);
// Under the frame, turned where they are long or many.
std::string level_names(const Frame& frame, std::span<const std::string> names);
// Linear, with a little room.
SvgAxis roomy_axis(std::span<const double> values);
// The name of the y axis is left out where its ticks need the room.
std::string frame_title(const Frame& frame, const std::string& title, const std::string& y_label);
std::string x_name(const Frame& frame, const std::string& name);

// Colour and dashes of line i, as in svg_lines.
std::string line_style(std::size_t index);
std::string line_colour(std::size_t index);
std::string polyline(std::span<const Point> points, const std::string& style);

}  // namespace sextant::report::svg
