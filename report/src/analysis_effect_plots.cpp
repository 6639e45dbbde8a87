// Main effects and interactions as small plots with a common scale.
#include <algorithm>
#include <cmath>

#include "sextant/report/analysis_plots.h"
#include "svg_panels.h"

namespace sextant {
namespace {

constexpr std::size_t kColumns = 3;

void add_finite(std::vector<double>& values, double value) {
  if (std::isfinite(value)) values.push_back(value);
}

// All means and their intervals, so that effects of factors compare by eye; an interval that dwarfs the means
// is cut.
std::vector<double> shown_values(const Analysis& analysis) {
  std::vector<double> values;
  for (const MainEffect& effect : analysis.effects) {
    for (const LevelMean& level : effect.levels) {
      if (!level.estimable) continue;
      values.push_back(level.adjusted);
      add_finite(values, level.interval.low);
      add_finite(values, level.interval.high);
    }
  }
  for (const double y : analysis.anova.fitted) {
    if (values.empty()) values.push_back(y);
  }
  return values;
}

std::string level_panel(const svg::Frame& frame, const MainEffect& effect, bool ordered) {
  std::string out;
  std::vector<svg::Point> line;
  for (std::size_t i = 0; i < effect.levels.size(); ++i) {
    const LevelMean& level = effect.levels[i];
    if (!level.estimable) continue;
    const auto x = static_cast<double>(i);
    if (std::isfinite(level.interval.low) && std::isfinite(level.interval.high)) {
      out += svg::line(frame.at(x, level.interval.low), frame.at(x, level.interval.high),
                       "stroke=\"" + std::string(svg::kBlue) + "\" stroke-width=\"1.4\"");
    }
    line.push_back(frame.at(x, level.adjusted));
    out += svg::circle(line.back(), 3.6, "fill=\"" + std::string(svg::kBlue) + "\"");
  }
  if (ordered) out += svg::polyline(line, "fill=\"none\" stroke=\"" + std::string(svg::kBlue) + "\"");
  return out;
}

// A covariate: the line through the means of all, over its range.
std::string covariate_panel(const svg::Frame& frame, const MainEffect& effect, double centre, double mean_x) {
  const auto value = [&](double x) { return centre + effect.slope * (x - mean_x); };
  return svg::line(frame.at(frame.x.low, value(frame.x.low)), frame.at(frame.x.high, value(frame.x.high)),
                   "stroke=\"" + std::string(svg::kBlue) + "\" stroke-width=\"1.8\"");
}

double mean_of(const std::vector<double>& values) {
  double total = 0;
  for (const double value : values) total += value;
  return total / static_cast<double>(values.size());
}

std::string interaction_panel(const svg::Frame& frame, const InteractionMeans& means) {
  std::string out;
  for (std::size_t j = 0; j < means.second_levels.size(); ++j) {
    std::vector<svg::Point> line;
    for (std::size_t i = 0; i < means.first_levels.size(); ++i) {
      if (!(means.counts(i, j) > 0)) continue;
      line.push_back(frame.at(static_cast<double>(i), means.means(i, j)));
      out += svg::circle(line.back(), 2.6, "fill=\"" + svg::line_colour(j) + "\"");
    }
    out += svg::polyline(line, svg::line_style(j));
  }
  return out;
}

// Names of the lines beside the last panel of a row would be far from it: they stand in the next place of the
// grid.
std::string line_names(const svg::Frame& frame, const InteractionMeans& means) {
  constexpr std::size_t kMost = 14;
  std::string out = svg::text_at({frame.left, frame.top + 4}, means.second, "font-size=\"12\"");
  for (std::size_t j = 0; j < std::min(means.second_levels.size(), kMost); ++j) {
    const double y = frame.top + 24 + 17 * static_cast<double>(j);
    out += svg::line({frame.left, y - 4}, {frame.left + 34, y - 4}, svg::line_style(j));
    out += svg::text_at({frame.left + 42, y}, means.second_levels[j], "font-size=\"11\"");
  }
  if (means.second_levels.size() > kMost) {
    const double y = frame.top + 24 + 17 * static_cast<double>(kMost);
    out += svg::text_at({frame.left, y},
                        "and " + std::to_string(means.second_levels.size() - kMost) + " more", "");
  }
  return out;
}

}  // namespace

std::string main_effects_svg(const Analysis& analysis) {
  std::vector<double> values = shown_values(analysis);
  const double centre = mean_of(analysis.table.y);
  for (std::size_t f = 0; f < analysis.effects.size(); ++f) {
    if (!analysis.effects[f].covariate) continue;
    const auto [low, high] = std::ranges::minmax(analysis.table.factors[f].number);
    const double mean_x = mean_of(analysis.table.factors[f].number);
    values.push_back(centre + analysis.effects[f].slope * (low - mean_x));
    values.push_back(centre + analysis.effects[f].slope * (high - mean_x));
  }
  const SvgAxis y = svg::roomy_axis(values);
  std::string out =
      svg::open_panels(analysis.effects.size(), kColumns, "Main effects on " + analysis.table.response);
  for (std::size_t f = 0; f < analysis.effects.size(); ++f) {
    const MainEffect& effect = analysis.effects[f];
    const AnalysisFactor& factor = analysis.table.factors[f];
    const std::string label = f % kColumns == 0 ? "adjusted mean" : "";
    if (effect.covariate) {
      const auto [low, high] = std::ranges::minmax(factor.number);
      const svg::Frame frame = svg::panel(f, kColumns, linear_axis(low, high), y);
      out += frame.grid() + covariate_panel(frame, effect, centre, mean_of(factor.number));
      out += svg::frame_title(frame, effect.factor, label);
      continue;
    }
    const svg::Frame frame = svg::panel(f, kColumns, svg::level_axis(effect.levels.size()), y);
    out += frame.grid() + level_panel(frame, effect, factor.numeric) + svg::level_names(frame, factor.levels);
    out += svg::frame_title(frame, effect.factor, label);
  }
  return out + svg::close();
}

std::string interactions_svg(const Analysis& analysis) {
  std::vector<double> values;
  for (const InteractionMeans& means : analysis.interactions) {
    for (std::size_t i = 0; i < means.first_levels.size(); ++i) {
      for (std::size_t j = 0; j < means.second_levels.size(); ++j) add_finite(values, means.means(i, j));
    }
  }
  const SvgAxis y = svg::roomy_axis(values);
  constexpr std::size_t kAcross = 2;  // a panel and its names
  std::string out = svg::open_panels(2 * analysis.interactions.size(), kAcross,
                                     "Interactions on " + analysis.table.response);
  for (std::size_t i = 0; i < analysis.interactions.size(); ++i) {
    const InteractionMeans& means = analysis.interactions[i];
    const svg::Frame frame = svg::panel(2 * i, kAcross, svg::level_axis(means.first_levels.size()), y);
    out += frame.grid() + interaction_panel(frame, means) + svg::level_names(frame, means.first_levels);
    out += svg::frame_title(frame, means.first + " x " + means.second, "mean");
    svg::Frame names = svg::panel(2 * i + 1, kAcross, {}, {});
    names.left -= 70;
    out += line_names(names, means);
  }
  return out + svg::close();
}

}  // namespace sextant
