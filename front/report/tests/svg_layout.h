// What a picture's texts do to each other: read from the SVG, with widths estimated from the number of
// letters alone, so that nothing is taken from the code that placed them.
#pragma once

#include <string>
#include <vector>

namespace sextant::report::test {

// A line for each text that leaves the picture or touches another; white ones, which stand on a dot that may
// hide its neighbour, are not looked at. Empty where all is well.
std::vector<std::string> layout_faults(const std::string& svg);

// Contrast of two colours such as "#0072B2", as WCAG 2.1 defines it: 1 to 21.
double contrast(const std::string& first, const std::string& second);
// Colours of strokes and fills of the picture, but for the background and the grid.
std::vector<std::string> colours(const std::string& svg);

}  // namespace sextant::report::test
