#include "svg_panels.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "sextant/report/render.h"

namespace sextant::report::svg {
namespace {

// Pixels around a panel.
constexpr double kLeft = 86;
constexpr double kTop = 40;
constexpr double kBetween = 20;
constexpr double kBelow = 92;
constexpr double kHead = 34;          // of the whole picture
constexpr double kLetter = 6.4;       // width of one, on average
constexpr double kTitleLetter = 8.2;  // of a title
constexpr std::size_t kWideTick = 9;  // letters of a tick that reach into the axis' name
constexpr std::size_t kLongest = 17;  // of a name
constexpr std::size_t kMostNames = 24;

// Okabe and Ito (2008), without yellow, which is faint on white.
constexpr std::array<const char*, 7> kColours = {"#0072B2", "#D55E00", "#009E73", "#CC79A7",
                                                 "#E69F00", "#56B4E9", "#000000"};
constexpr std::array<const char*, 4> kDashes = {"none", "8 3", "2 3", "9 3 2 3"};

// Of many levels every so-manieth has a name.
std::size_t named_levels(std::size_t levels) {
  return (levels + kMostNames - 1) / kMostNames;
}

}  // namespace

std::string shortened(const std::string& name, std::size_t most) {
  std::vector<std::size_t> begins;  // of characters
  for (std::size_t i = 0; i < name.size(); ++i) {
    if ((static_cast<unsigned char>(name[i]) & 0xC0U) != 0x80U) begins.push_back(i);
  }
  if (begins.size() <= most || most < 3) return name;
  const std::size_t tail = (most - 1) / 2;
  const std::size_t head = most - 1 - tail;
  return name.substr(0, begins[head]) + "\u2026" + name.substr(begins[begins.size() - tail]);
}

Frame panel(std::size_t index, std::size_t columns, SvgAxis x, SvgAxis y) {
  const double column = static_cast<double>(index % columns);
  const std::size_t above = index / columns;
  const auto row = static_cast<double>(above);
  return {.x = std::move(x),
          .y = std::move(y),
          .left = kLeft + column * (kLeft + kPanelWide + kBetween),
          .top = kHead + kTop + row * (kTop + kPanelHigh + kBelow),
          .wide = kPanelWide,
          .high = kPanelHigh};
}

std::string open_panels(std::size_t panels, std::size_t columns, const std::string& title) {
  const auto across = static_cast<double>(std::min(panels, columns));
  const std::size_t rows = (panels + columns - 1) / columns;
  const auto down = static_cast<double>(rows);
  const double width = std::max(across * (kLeft + kPanelWide + kBetween),
                                kTitleLetter * static_cast<double>(display_width(title)) + 2 * kBetween);
  return open(width, kHead + down * (kTop + kPanelHigh + kBelow)) +
         text_at({width / 2, 24}, title, "text-anchor=\"middle\" font-size=\"15\"");
}

SvgAxis level_axis(std::size_t levels) {
  SvgAxis axis{.low = -0.5, .high = static_cast<double>(levels) - 0.5, .ticks = {}};
  for (std::size_t i = 0; i < levels; i += named_levels(levels)) {
    axis.ticks.push_back({static_cast<double>(i), ""});
  }
  return axis;
}

std::string level_names(const Frame& frame, std::span<const std::string> names) {
  std::size_t longest = 0;
  for (const std::string& name : names) longest = std::max(longest, display_width(shortened(name, kLongest)));
  const double each = frame.wide / static_cast<double>(names.size());
  const bool turned = static_cast<double>(longest) * kLetter > each - 6;
  const std::size_t every = named_levels(names.size());
  std::string out;
  for (std::size_t i = 0; i < names.size(); i += every) {
    const double x = frame.left + frame.wide * frame.x.position(static_cast<double>(i));
    const double y = frame.top + frame.high + (turned ? 14 : 18);
    const std::string style =
        turned ? "text-anchor=\"end\" font-size=\"11\" transform=\"rotate(-40 " + px(x) + " " + px(y) + ")\""
               : std::string("text-anchor=\"middle\" font-size=\"11\"");
    out += text_at({x, y}, shortened(names[i], kLongest), style);
  }
  return out;
}

SvgAxis roomy_axis(std::span<const double> values) {
  const auto [least, most] = std::ranges::minmax(values);
  const double range = most > least ? most - least : std::max(std::abs(most), 1e-12);
  return linear_axis(least - 0.06 * range, most + 0.06 * range);
}

std::string frame_title(const Frame& frame, const std::string& title, const std::string& y_label) {
  const double middle = frame.left + frame.wide / 2;
  const double x = frame.left - 66;
  const double centre = frame.top + frame.high / 2;
  std::string out = text_at({middle, frame.top - 10}, title, "text-anchor=\"middle\" font-size=\"13\"");
  const auto narrow = [](const AxisTick& tick) { return tick.label.size() <= kWideTick; };
  if (!y_label.empty() && std::ranges::all_of(frame.y.ticks, narrow)) {
    out += text_at(
        {x, centre}, y_label,
        "text-anchor=\"middle\" font-size=\"11\" transform=\"rotate(-90 " + px(x) + " " + px(centre) + ")\"");
  }
  return out;
}

std::string x_name(const Frame& frame, const std::string& name) {
  return text_at({frame.left + frame.wide / 2, frame.top + frame.high + 40}, name,
                 "text-anchor=\"middle\" font-size=\"11\"");
}

std::string line_colour(std::size_t index) {
  return kColours[index % kColours.size()];
}

std::string line_style(std::size_t index) {
  return "fill=\"none\" stroke=\"" + line_colour(index) + "\" stroke-width=\"1.6\" stroke-dasharray=\"" +
         kDashes[index % kDashes.size()] + "\"";
}

std::string polyline(std::span<const Point> points, const std::string& style) {
  std::string list;
  for (const Point& point : points) list += px(point.x) + "," + px(point.y) + " ";
  return "<polyline points=\"" + list + "\" " + style + "/>\n";
}

}  // namespace sextant::report::svg
