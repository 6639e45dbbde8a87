#include "svg_frame.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "svg_text.h"

namespace sextant::report::svg {
namespace {

// Pixels.
constexpr double kTickFont = 12;
constexpr double kFrameTitleFont = 15;
constexpr double kTickGap = 8;        // between a label and the frame
constexpr double kBetweenLabels = 8;  // at least
constexpr double kNameFromEdge = 20;  // of the vertical axis, to its baseline
constexpr double kNameRoom = 12;      // between that and the labels of ticks

std::string stroke_of(const AxisTick& tick) {
  return tick.label.empty() ? "stroke=\"#f2f2f2\"" : "stroke=\"#d9d9d9\"";
}

struct PlacedLabel {
  double at = 0;  // pixels along the axis
  double width = 0;
};

bool apart(const std::vector<PlacedLabel>& labels, std::size_t every) {
  for (std::size_t i = every; i < labels.size(); i += every) {
    const PlacedLabel& before = labels[i - every];
    const double room = std::abs(labels[i].at - before.at);
    if (room < (labels[i].width + before.width) / 2 + kBetweenLabels) return false;
  }
  return true;
}

// Every so-manieth label of the axis has room.
template <class Length>
std::size_t labels_apart(const SvgAxis& axis, double pixels, const Length& length) {
  std::vector<PlacedLabel> labels;
  for (const AxisTick& tick : axis.ticks) {
    if (!tick.label.empty()) labels.push_back({pixels * axis.position(tick.value), length(tick.label)});
  }
  std::size_t every = 1;
  while (every < labels.size() && !apart(labels, every)) ++every;
  return every;
}

double tick_label_wide(const std::string& label) {
  return text_width(label, kTickFont);
}

double tick_label_high(const std::string&) {
  return 0.5 * kTickFont;  // with kBetweenLabels a line and a little
}

std::string x_grid(const Frame& f) {
  const std::size_t every = labels_apart(f.x, f.wide, tick_label_wide);
  const double bottom = f.top + f.high;
  std::size_t label = 0;
  std::string out;
  for (const AxisTick& tick : f.x.ticks) {
    const double x = f.left + f.wide * f.x.position(tick.value);
    out += line({x, f.top}, {x, bottom}, stroke_of(tick));
    if (tick.label.empty() || label++ % every != 0) continue;
    out += text_at({x, bottom + 18}, tick.label, "text-anchor=\"middle\"");
  }
  if (f.x.from.empty()) return out;
  return out + text_at({f.left + f.wide, bottom + 34}, "from " + f.x.from, "text-anchor=\"end\"");
}

std::string y_grid(const Frame& f) {
  const std::size_t every = labels_apart(f.y, f.high, tick_label_high);
  std::size_t label = 0;
  std::string out;
  for (const AxisTick& tick : f.y.ticks) {
    const double y = f.top + f.high * (1 - f.y.position(tick.value));
    out += line({f.left, y}, {f.left + f.wide, y}, stroke_of(tick));
    if (tick.label.empty() || label++ % every != 0) continue;
    out += text_at({f.left - kTickGap, y + 4}, tick.label, "text-anchor=\"end\"");
  }
  if (f.y.from.empty()) return out;
  return out + text_at({f.left + 4, f.top + 14}, "from " + f.y.from, "");
}

}  // namespace

Point Frame::at(double x_value, double y_value) const {
  return {left + wide * x.position(x_value), top + high * (1 - y.position(y_value))};
}

std::string Frame::grid() const {
  return x_grid(*this) + y_grid(*this) + "<rect x=\"" + px(left) + "\" y=\"" + px(top) + "\" width=\"" +
         px(wide) + "\" height=\"" + px(high) + "\" fill=\"none\" stroke=\"#555555\"/>\n";
}

std::string Frame::labels(const std::string& title, const std::string& x_label,
                          const std::string& y_label) const {
  const double middle = left + wide / 2;
  const double room = wide + 2 * std::min(left, right) - kBetweenLabels;
  return text_at({middle, 26}, shortened_to(title, kFrameTitleFont, room),
                 "text-anchor=\"middle\" font-size=\"" + px(kFrameTitleFont) + "\"") +
         text_at({middle, top + high + 46}, shortened_to(x_label, kTickFont, room),
                 "text-anchor=\"middle\"") +
         upwards({kNameFromEdge, top + high / 2}, y_label, kTickFont, high);
}

double labels_wide(const SvgAxis& y) {
  double widest = 0;
  for (const AxisTick& tick : y.ticks) widest = std::max(widest, tick_label_wide(tick.label));
  return widest;
}

Frame frame_at_left(SvgAxis x, SvgAxis y) {
  Frame frame{std::move(x), std::move(y)};
  frame.left = std::max(frame.left, kNameFromEdge + kNameRoom + labels_wide(frame.y) + kTickGap);
  return frame;
}

std::string upwards(Point middle, const std::string& text, double font_size, double longest) {
  if (text.empty()) return "";
  return text_at(middle, shortened_to(text, font_size, longest),
                 "text-anchor=\"middle\" font-size=\"" + px(font_size) + "\" transform=\"rotate(-90 " +
                     px(middle.x) + " " + px(middle.y) + ")\"");
}

}  // namespace sextant::report::svg
