#include "svg_panels.h"

#include <algorithm>
#include <cmath>

#include "svg_text.h"

namespace sextant::report::svg {
namespace {

// Pixels around a panel.
constexpr double kPanelName = 34;    // the name of the vertical axis, and what is left of it
constexpr double kPanelTickGap = 8;  // between labels of ticks and the frame
constexpr double kLeastLeft = 86;    // of both and the labels
constexpr double kPanelTop = 40;
constexpr double kBetweenPanels = 20;
constexpr double kBelowPanel = 92;
constexpr double kHeadHigh = 34;  // of the whole picture
constexpr double kHeadFont = 15;
constexpr double kPanelTitleFont = 13;
constexpr double kPanelNameFont = 11;
constexpr std::size_t kLongestLevel = 17;  // of a level's name, in characters
constexpr std::size_t kMostNames = 16;     // with less room between them, turned names would touch

// Of many levels every so-manieth has a name.
std::size_t named_levels(std::size_t levels) {
  return (levels + kMostNames - 1) / kMostNames;
}

}  // namespace

PanelGrid::PanelGrid(std::size_t panels, std::size_t columns, double labels_wide)
    : panels_(panels),
      columns_(columns),
      left_(std::max(kLeastLeft, kPanelName + labels_wide + kPanelTickGap)) {}

Frame PanelGrid::panel(std::size_t index, SvgAxis x, SvgAxis y) const {
  const double column = static_cast<double>(index % columns_);
  const std::size_t above = index / columns_;
  const auto row = static_cast<double>(above);
  return {.x = std::move(x),
          .y = std::move(y),
          .left = left_ + column * (left_ + kPanelWide + kBetweenPanels),
          .top = kHeadHigh + kPanelTop + row * (kPanelTop + kPanelHigh + kBelowPanel),
          .wide = kPanelWide,
          .high = kPanelHigh};
}

std::string PanelGrid::open(const std::string& title, const std::string& description) const {
  const auto across = static_cast<double>(std::min(panels_, columns_));
  const std::size_t rows = (panels_ + columns_ - 1) / columns_;
  const auto down = static_cast<double>(rows);
  const double width = std::max(across * (left_ + kPanelWide + kBetweenPanels),
                                text_width(title, kHeadFont) + 2 * kBetweenPanels);
  return svg::open({.width = width,
                    .height = kHeadHigh + down * (kPanelTop + kPanelHigh + kBelowPanel),
                    .title = title,
                    .description = description}) +
         text_at({width / 2, 24}, title, "text-anchor=\"middle\" font-size=\"" + px(kHeadFont) + "\"");
}

SvgAxis level_axis(std::size_t levels) {
  SvgAxis axis{.low = -0.5, .high = static_cast<double>(levels) - 0.5, .ticks = {}};
  for (std::size_t i = 0; i < levels; i += named_levels(levels)) {
    axis.ticks.push_back({static_cast<double>(i), ""});
  }
  return axis;
}

std::string level_names(const Frame& frame, std::span<const std::string> names) {
  double longest = 0;
  for (const std::string& name : names) {
    longest = std::max(longest, text_width(shortened(name, kLongestLevel), kPanelNameFont));
  }
  const std::size_t every = named_levels(names.size());
  const double each = frame.wide * static_cast<double>(every) / static_cast<double>(names.size());
  const bool turned = longest > each - 6;
  std::string out;
  for (std::size_t i = 0; i < names.size(); i += every) {
    const double x = frame.left + frame.wide * frame.x.position(static_cast<double>(i));
    const double y = frame.top + frame.high + (turned ? 14 : 18);
    const std::string style =
        turned ? "text-anchor=\"end\" font-size=\"11\" transform=\"rotate(-40 " + px(x) + " " + px(y) + ")\""
               : std::string("text-anchor=\"middle\" font-size=\"11\"");
    out += text_at({x, y}, shortened(names[i], kLongestLevel), style);
  }
  return out;
}

SvgAxis roomy_axis(std::span<const double> values, AxisUnit unit) {
  const auto [least, most] = std::ranges::minmax(values);
  const double range = most > least ? most - least : std::max(std::abs(most), 1e-12);
  return linear_axis(least - 0.06 * range, most + 0.06 * range, unit);
}

std::string frame_title(const Frame& frame, const std::string& title, const std::string& y_label) {
  const double middle = frame.left + frame.wide / 2;
  const double name = frame.left - kPanelTickGap - labels_wide(frame.y) - kPanelTickGap;
  return text_at({middle, frame.top - 10}, shortened_to(title, kPanelTitleFont, frame.wide + kBetweenPanels),
                 "text-anchor=\"middle\" font-size=\"" + px(kPanelTitleFont) + "\"") +
         upwards({name, frame.top + frame.high / 2}, y_label, kPanelNameFont, frame.high + kPanelTop);
}

std::string x_name(const Frame& frame, const std::string& name) {
  return text_at({frame.left + frame.wide / 2, frame.top + frame.high + 40},
                 shortened_to(name, kPanelNameFont, frame.wide), "text-anchor=\"middle\" font-size=\"11\"");
}

}  // namespace sextant::report::svg
