// Main effects and interactions as small plots with a common scale.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>
#include <numeric>

#include "sextant/report/analysis_plots.h"
#include "svg_panels.h"
#include "svg_text.h"

namespace sextant::report {
namespace {

constexpr std::size_t kColumns = 3;
constexpr std::size_t kMostPanels = 30;
constexpr double kUnbounded = std::numeric_limits<double>::infinity();

void add_finite(std::vector<double>& values, double value) {
  if (std::isfinite(value)) values.push_back(value);
}

// Places of the factors, in their order; of many those with the largest effects.
std::vector<std::size_t> shown_effects(const analysis::Analysis& analysis) {
  std::vector<std::size_t> shown(analysis.effects.size());
  std::iota(shown.begin(), shown.end(), std::size_t{0});
  if (shown.size() <= kMostPanels) return shown;
  std::ranges::stable_sort(shown, std::greater<>{}, [&](std::size_t f) { return analysis.effects[f].range; });
  shown.resize(kMostPanels);
  std::ranges::sort(shown);
  return shown;
}

// All means, so that effects of factors compare by eye, and their intervals as far as those do not dwarf
// them.
std::vector<double> shown_values(const analysis::Analysis& analysis, const std::vector<std::size_t>& shown) {
  std::vector<double> values;
  std::vector<double> ends;
  for (const std::size_t f : shown) {
    for (const analysis::LevelMean& level : analysis.effects[f].levels) {
      if (!level.estimable) continue;
      values.push_back(level.adjusted);
      add_finite(ends, level.interval.low);
      add_finite(ends, level.interval.high);
    }
  }
  if (values.empty()) values.push_back(analysis.anova.fitted.front());
  const auto [low, high] = std::ranges::minmax(values);
  const double room = high > low ? high - low : kUnbounded;
  for (const double end : ends) values.push_back(std::clamp(end, low - room, high + room));
  return values;
}

// Of many levels the means alone, which would drown in their intervals.
std::string level_panel(const svg::Frame& frame, const analysis::MainEffect& effect, bool ordered) {
  constexpr std::size_t kMany = 100;
  const bool many = effect.levels.size() > kMany;
  std::string out;
  std::vector<svg::Point> line;
  for (std::size_t i = 0; i < effect.levels.size(); ++i) {
    const analysis::LevelMean& level = effect.levels[i];
    if (!level.estimable) continue;
    const auto x = static_cast<double>(i);
    if (!many && std::isfinite(level.interval.low) && std::isfinite(level.interval.high)) {
      const double low = std::max(level.interval.low, frame.y.low);
      const double high = std::min(level.interval.high, frame.y.high);
      out += svg::line(frame.at(x, low), frame.at(x, high),
                       "stroke=\"" + std::string(svg::kBlue) + "\" stroke-width=\"1.4\"");
    }
    line.push_back(frame.at(x, level.adjusted));
    out += svg::circle(line.back(), many ? 1.6 : 3.6, "fill=\"" + std::string(svg::kBlue) + "\"");
  }
  if (ordered) out += svg::polyline(line, "fill=\"none\" stroke=\"" + std::string(svg::kBlue) + "\"");
  return out;
}

// A covariate: the line through the means of all, over its range.
std::string covariate_panel(const svg::Frame& frame, const analysis::MainEffect& effect, double centre,
                            double mean_x) {
  const auto value = [&](double x) { return centre + effect.slope * (x - mean_x); };
  return svg::line(frame.at(frame.x.low, value(frame.x.low)), frame.at(frame.x.high, value(frame.x.high)),
                   "stroke=\"" + std::string(svg::kBlue) + "\" stroke-width=\"1.8\"");
}

std::string percent_text(double share) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.4g %%", 100 * share);
  return text.data();
}

double mean_of(const std::vector<double>& values) {
  double total = 0;
  for (const double value : values) total += value;
  return total / static_cast<double>(values.size());
}

std::string interaction_panel(const svg::Frame& frame, const analysis::InteractionMeans& means) {
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
std::string line_names(const svg::Frame& frame, const analysis::InteractionMeans& means) {
  constexpr std::size_t kMost = 14;
  std::string out = svg::text_at({frame.left, frame.top + 4}, svg::shortened_to(means.second, 12, frame.wide),
                                 "font-size=\"12\"");
  for (std::size_t j = 0; j < std::min(means.second_levels.size(), kMost); ++j) {
    const double y = frame.top + 24 + 17 * static_cast<double>(j);
    out += svg::line({frame.left, y - 4}, {frame.left + 34, y - 4}, svg::line_style(j));
    out += svg::text_at({frame.left + 42, y}, svg::shortened_to(means.second_levels[j], 11, frame.wide),
                        "font-size=\"11\"");
  }
  if (means.second_levels.size() > kMost) {
    const double y = frame.top + 24 + 17 * static_cast<double>(kMost);
    out += svg::text_at({frame.left, y},
                        "and " + std::to_string(means.second_levels.size() - kMost) + " more", "");
  }
  return out;
}

}  // namespace

std::string main_effects_svg(const analysis::Analysis& analysis) {
  const std::vector<std::size_t> shown = shown_effects(analysis);
  std::vector<double> values = shown_values(analysis, shown);
  const double centre = mean_of(analysis.table.y);
  for (const std::size_t f : shown) {
    if (!analysis.effects[f].covariate) continue;
    const auto [low, high] = std::ranges::minmax(analysis.table.factors[f].number);
    const double mean_x = mean_of(analysis.table.factors[f].number);
    values.push_back(centre + analysis.effects[f].slope * (low - mean_x));
    values.push_back(centre + analysis.effects[f].slope * (high - mean_x));
  }
  const SvgAxis y = svg::roomy_axis(values, unit_of(analysis.table.response));
  std::string title = "Main effects on " + analysis.table.response;
  const auto has_levels = [&](std::size_t f) { return !analysis.effects[f].covariate; };
  if (std::ranges::any_of(shown, has_levels))
    title += ", with " + percent_text(analysis.level) + " intervals";
  if (shown.size() < analysis.effects.size()) {
    title +=
        ": the " + std::to_string(shown.size()) + " largest of " + std::to_string(analysis.effects.size());
  }
  const svg::PanelGrid panels(shown.size(), kColumns, svg::labels_wide(y));
  std::string out = panels.open(
      title, "Adjusted means of " + analysis.table.response + " at the levels of each factor, on one scale");
  for (std::size_t place = 0; place < shown.size(); ++place) {
    const analysis::MainEffect& effect = analysis.effects[shown[place]];
    const analysis::AnalysisFactor& factor = analysis.table.factors[shown[place]];
    const std::string label = place % kColumns == 0 ? "adjusted mean of " + analysis.table.response : "";
    if (effect.covariate) {
      const auto [low, high] = std::ranges::minmax(factor.number);
      const svg::Frame frame = panels.panel(place, linear_axis(low, high), y);
      out += frame.grid() + covariate_panel(frame, effect, centre, mean_of(factor.number));
      out += svg::frame_title(frame, effect.factor, label);
      continue;
    }
    const svg::Frame frame = panels.panel(place, svg::level_axis(effect.levels.size()), y);
    out += frame.grid() + level_panel(frame, effect, factor.numeric) + svg::level_names(frame, factor.levels);
    out += svg::frame_title(frame, effect.factor, label);
  }
  return out + svg::close();
}

std::string interactions_svg(const analysis::Analysis& analysis) {
  std::vector<double> values;
  for (const analysis::InteractionMeans& means : analysis.interactions) {
    for (std::size_t i = 0; i < means.first_levels.size(); ++i) {
      for (std::size_t j = 0; j < means.second_levels.size(); ++j) add_finite(values, means.means(i, j));
    }
  }
  const SvgAxis y = svg::roomy_axis(values, unit_of(analysis.table.response));
  constexpr std::size_t kAcross = 2;  // a panel and its names
  const svg::PanelGrid panels(2 * analysis.interactions.size(), kAcross, svg::labels_wide(y));
  std::string out = panels.open("Interactions on " + analysis.table.response,
                                "Means of " + analysis.table.response +
                                    " at each pair of levels of two factors; lines that are not parallel "
                                    "are an interaction");
  for (std::size_t i = 0; i < analysis.interactions.size(); ++i) {
    const analysis::InteractionMeans& means = analysis.interactions[i];
    const svg::Frame frame = panels.panel(2 * i, svg::level_axis(means.first_levels.size()), y);
    out += frame.grid() + interaction_panel(frame, means) + svg::level_names(frame, means.first_levels);
    out += svg::frame_title(frame, means.first + " (across) x " + means.second,
                            "mean of " + analysis.table.response);
    svg::Frame names = panels.panel(2 * i + 1, {}, {});
    names.left -= 70;
    out += line_names(names, means);
  }
  return out + svg::close();
}

}  // namespace sextant::report
