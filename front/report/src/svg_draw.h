// The few shapes that our pictures are made of, as SVG text: the same values give the same bytes.
#pragma once

#include <string>

namespace sextant::report::svg {

struct Point {
  double x, y;
};

// Blue and vermilion of Okabe and Ito (2008): told apart by everybody.
inline constexpr const char* kBlue = "#0072B2";
inline constexpr const char* kVermilion = "#D55E00";

std::string px(double value);
std::string line(Point from, Point to, const std::string& style);
std::string text_at(Point at, const std::string& text, const std::string& style);
std::string circle(Point centre, double radius, const std::string& style);
// The element that holds the rest, on white; close() ends it.
std::string open(double width, double height);
std::string close();

}  // namespace sextant::report::svg
