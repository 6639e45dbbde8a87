#include "svg_layout.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <regex>
#include <set>
#include <stdexcept>

#include "sextant/report/text_wrap.h"

namespace sextant::report::test {
namespace {

constexpr double kLetter = 0.55;  // of the font's size, the mean of common sans-serif fonts
constexpr double kHigh = 0.72;    // from the baseline to the top of capitals
constexpr double kDegree = 3.14159265358979323846 / 180;

struct Corner {
  double x = 0;
  double y = 0;
};

struct PlacedText {
  std::string text;
  std::array<Corner, 4> corners;
};

std::string attribute(const std::string& element, const std::string& name) {
  const std::size_t at = element.find(" " + name + "=\"");
  if (at == std::string::npos) return "";
  const std::size_t begin = at + name.size() + 3;
  return element.substr(begin, element.find('"', begin) - begin);
}

std::string unescaped(std::string text) {
  for (const auto& [from, to] : {std::pair{"&lt;", "<"}, {"&gt;", ">"}, {"&amp;", "&"}}) {
    text = std::regex_replace(text, std::regex(from), to);
  }
  return text;
}

PlacedText placed(const std::string& element, const std::string& text) {
  const Corner at{std::stod(attribute(element, "x")), std::stod(attribute(element, "y"))};
  const std::string size = attribute(element, "font-size");
  const double font = size.empty() ? 12 : std::stod(size);
  const double wide = kLetter * font * static_cast<double>(display_width(text));
  const std::string anchor = attribute(element, "text-anchor");
  const double left = anchor == "end" ? at.x - wide : (anchor == "middle" ? at.x - wide / 2 : at.x);
  PlacedText out{.text = text,
                 .corners = {{{left, at.y},
                              {left + wide, at.y},
                              {left + wide, at.y - kHigh * font},
                              {left, at.y - kHigh * font}}}};
  std::smatch turn;
  const std::string transform = attribute(element, "transform");
  if (!std::regex_match(transform, turn, std::regex("rotate\\((\\S+) (\\S+) (\\S+)\\)"))) return out;
  const double angle = std::stod(turn[1]) * kDegree;
  const Corner about{std::stod(turn[2]), std::stod(turn[3])};
  for (Corner& c : out.corners) {
    const double x = c.x - about.x;
    const double y = c.y - about.y;
    c = {about.x + x * std::cos(angle) - y * std::sin(angle),
         about.y + x * std::sin(angle) + y * std::cos(angle)};
  }
  return out;
}

std::vector<PlacedText> texts_of(const std::string& svg) {
  static const std::regex kText("<text([^>]*)>([^<]*)</text>");
  std::vector<PlacedText> all;
  for (std::sregex_iterator i(svg.begin(), svg.end(), kText); i != std::sregex_iterator(); ++i) {
    const std::string element = (*i)[1];
    if (attribute(element, "fill") != "#ffffff") all.push_back(placed(element, unescaped((*i)[2])));
  }
  return all;
}

// Two rectangles are apart where a side of one of them separates them.
bool side_separates(const PlacedText& a, const PlacedText& b) {
  for (std::size_t i = 0; i < 2; ++i) {
    const Corner side{a.corners[i + 1].x - a.corners[i].x, a.corners[i + 1].y - a.corners[i].y};
    const auto along = [&](const PlacedText& text) {
      std::array<double, 4> places{};
      std::ranges::transform(text.corners, places.begin(),
                             [&](const Corner& c) { return c.x * side.x + c.y * side.y; });
      return std::ranges::minmax(places);
    };
    const auto [a_low, a_high] = along(a);
    const auto [b_low, b_high] = along(b);
    if (a_high <= b_low || b_high <= a_low) return true;
  }
  return false;
}

double luminance(const std::string& colour) {
  const auto part = [&](std::size_t at) {
    const double value = std::stoi(colour.substr(at, 2), nullptr, 16) / 255.0;
    return value <= 0.03928 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
  };
  return 0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5);
}

}  // namespace

std::vector<std::string> layout_faults(const std::string& svg) {
  std::smatch box;
  if (!std::regex_search(svg, box, std::regex("viewBox=\"0 0 (\\S+) (\\S+)\""))) {
    throw std::runtime_error("no view box");
  }
  const double width = std::stod(box[1]);
  const double height = std::stod(box[2]);
  const std::vector<PlacedText> all = texts_of(svg);
  std::vector<std::string> faults;
  for (const PlacedText& text : all) {
    const auto outside = [&](const Corner& c) { return c.x < 0 || c.y < 0 || c.x > width || c.y > height; };
    if (std::ranges::any_of(text.corners, outside))
      faults.push_back("'" + text.text + "' leaves the picture");
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (std::size_t j = i + 1; j < all.size(); ++j) {
      if (side_separates(all[i], all[j]) || side_separates(all[j], all[i])) continue;
      faults.push_back("'" + all[i].text + "' touches '" + all[j].text + "'");
    }
  }
  return faults;
}

double contrast(const std::string& first, const std::string& second) {
  const double a = luminance(first);
  const double b = luminance(second);
  return (std::max(a, b) + 0.05) / (std::min(a, b) + 0.05);
}

std::vector<std::string> colours(const std::string& svg) {
  static const std::regex kColour("(?:stroke|fill)=\"(#[0-9A-Fa-f]{6})\"");
  std::set<std::string> found;
  for (std::sregex_iterator i(svg.begin(), svg.end(), kColour); i != std::sregex_iterator(); ++i) {
    found.insert((*i)[1]);
  }
  for (const char* faint : {"#ffffff", "#d9d9d9", "#f2f2f2"}) found.erase(faint);
  return {found.begin(), found.end()};
}

}  // namespace sextant::report::test
