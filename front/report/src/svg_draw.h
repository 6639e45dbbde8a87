// The few shapes that our pictures are made of, as SVG text: the same values give the same bytes.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace sextant::report::svg {

struct Point {
  double x, y;
};

// Blue and, a little darker, vermilion of Okabe and Ito (2008): told apart by everybody, and white letters
// can be read on both.
inline constexpr const char* kBlue = "#0072B2";
inline constexpr const char* kVermilion = "#C25200";
inline constexpr const char* kGrey = "#8A8A8A";  // of what matters less

std::string px(double value);
std::string line(Point from, Point to, const std::string& style);
std::string polyline(std::span<const Point> points, const std::string& style);
std::string text_at(Point at, const std::string& text, const std::string& style);
// A rectangle; the hint is shown where the pointer rests on it.
std::string box(Point corner, Point size, const std::string& style, const std::string& hint);
std::string circle(Point centre, double radius, const std::string& style);

// Colour and dashes of line i of several. Lines differ in both, so that colour is never needed to tell them
// apart.
std::string line_style(std::size_t index);
std::string line_colour(std::size_t index);

struct Canvas {
  double width = 0;  // pixels
  double height = 0;
  // For who does not see it: what it is, and what is to be seen.
  std::string title = {};
  std::string description = {};
};

// The element that holds the rest, on white whatever the page is; close() ends it.
std::string open(const Canvas& canvas);
std::string close();

}  // namespace sextant::report::svg
