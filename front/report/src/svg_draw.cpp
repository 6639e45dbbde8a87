#include "svg_draw.h"

#include <array>
#include <cstdio>

namespace sextant::report::svg {
namespace {

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '&') {
      out += "&amp;";
    } else if (c == '<') {
      out += "&lt;";
    } else if (c == '>') {
      out += "&gt;";
    } else {
      out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
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

std::string circle(Point centre, double radius, const std::string& style) {
  return "<circle cx=\"" + px(centre.x) + "\" cy=\"" + px(centre.y) + "\" r=\"" + px(radius) + "\" " + style +
         "/>\n";
}

std::string open(double width, double height) {
  return "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + px(width) + "\" height=\"" + px(height) +
         "\" viewBox=\"0 0 " + px(width) + " " + px(height) +
         "\" font-family=\"sans-serif\" font-size=\"12\" fill=\"#222222\">\n" +
         "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n";
}

std::string close() {
  return "</svg>\n";
}

}  // namespace sextant::report::svg
