#include "svg_draw.h"

#include <array>
#include <cstdio>

#include "sextant/core/visible_text.h"

namespace sextant::report::svg {
namespace {

// Each is at least three times as dark as white, as the accessibility guidelines (WCAG 2.1) ask for lines:
// Okabe and Ito (2008) with a darker orange, and indigo for their sky blue.
constexpr std::array<const char*, 7> kColours = {"#0072B2", "#D55E00", "#009E73", "#CC79A7",
                                                 "#9A6B00", "#332288", "#000000"};
constexpr std::array<const char*, 4> kDashes = {"none", "8 3", "2 3", "9 3 2 3"};

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : visible(text)) {
    if (c == '&') {
      out += "&amp;";
    } else if (c == '<') {
      out += "&lt;";
    } else if (c == '>') {
      out += "&gt;";
    } else {
      out += c;
    }
  }
  return out;
}

}  // namespace

std::string px(double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.2f", value);
  return text.data();
}

std::string line(Point from, Point to, const std::string& style) {
  return "<line x1=\"" + px(from.x) + "\" y1=\"" + px(from.y) + "\" x2=\"" + px(to.x) + "\" y2=\"" +
         px(to.y) + "\" " + style + "/>\n";
}

std::string text_at(Point at, const std::string& text, const std::string& style) {
  return "<text x=\"" + px(at.x) + "\" y=\"" + px(at.y) + "\" " + style + ">" + escaped(text) + "</text>\n";
}

std::string box(Point corner, Point size, const std::string& style, const std::string& hint) {
  return "<rect x=\"" + px(corner.x) + "\" y=\"" + px(corner.y) + "\" width=\"" + px(size.x) +
         "\" height=\"" + px(size.y) + "\" " + style + "><title>" + escaped(hint) + "</title></rect>\n";
}

std::string circle(Point centre, double radius, const std::string& style) {
  return "<circle cx=\"" + px(centre.x) + "\" cy=\"" + px(centre.y) + "\" r=\"" + px(radius) + "\" " + style +
         "/>\n";
}

std::string polyline(std::span<const Point> points, const std::string& style) {
  std::string list;
  for (const Point& point : points) list += px(point.x) + "," + px(point.y) + " ";
  return "<polyline points=\"" + list + "\" " + style + "/>\n";
}

std::string line_colour(std::size_t index) {
  return kColours[index % kColours.size()];
}

std::string line_style(std::size_t index) {
  // Seven and four have no common divisor: 28 different lines.
  return "fill=\"none\" stroke=\"" + line_colour(index) + "\" stroke-width=\"1.6\" stroke-dasharray=\"" +
         kDashes[index % kDashes.size()] + "\"";
}

std::string open(const Canvas& canvas) {
  const std::string width = px(canvas.width);
  const std::string height = px(canvas.height);
  return "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" width=\"" + width + "\" height=\"" + height +
         "\" viewBox=\"0 0 " + width + " " + height +
         "\" font-family=\"sans-serif\" font-size=\"12\" fill=\"#222222\">\n<title>" + escaped(canvas.title) +
         "</title>\n<desc>" + escaped(canvas.description) +
         "</desc>\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n";
}

std::string close() {
  return "</svg>\n";
}

}  // namespace sextant::report::svg
