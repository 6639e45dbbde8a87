// Residuals, shares of effects, scaling and convergence.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <set>

#include "sextant/core/error.h"
#include "sextant/report/analysis_plots.h"
#include "sextant/stats/distributions.h"
#include "svg_panels.h"
#include "svg_text.h"

namespace sextant::report {
namespace {

// Of many points those that would fall on one another are drawn once, which looks the same.
std::string dots(const svg::Frame& frame, const std::vector<double>& x, const std::vector<double>& y) {
  constexpr std::size_t kMany = 1000;
  const std::string style = "fill=\"" + std::string(svg::kBlue) + "\" fill-opacity=\"0.6\"";
  std::set<std::pair<long, long>> drawn;  // places, of two pixels each
  std::string out;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const svg::Point at = frame.at(x[i], y[i]);
    const bool fresh = drawn.emplace(std::lround(at.x / 2), std::lround(at.y / 2)).second;
    if (fresh || x.size() <= kMany) out += svg::circle(at, 3, style);
  }
  return out;
}

const char* const kReference = "stroke=\"#555555\" stroke-dasharray=\"5 4\"";

// Residuals in order against the quantiles that normal ones would have (Blom's positions), with the line
// through the quarters.
std::string quantile_panel(const svg::PanelGrid& panels, const analysis::Analysis& analysis) {
  std::vector<double> sorted = analysis.anova.residuals;
  std::ranges::sort(sorted);
  const auto n = static_cast<double>(sorted.size());
  std::vector<double> scores;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    scores.push_back(quantile(stats::Normal{}, (static_cast<double>(i) + 0.625) / (n + 0.25)));
  }
  const svg::Frame frame =
      panels.panel(1, svg::roomy_axis(scores), svg::roomy_axis(sorted, unit_of(analysis.table.response)));
  std::string out = frame.grid();
  const std::size_t quarter = sorted.size() / 4;
  const std::size_t rest = sorted.size() - 1 - quarter;
  if (scores[rest] > scores[quarter]) {
    const double slope = (sorted[rest] - sorted[quarter]) / (scores[rest] - scores[quarter]);
    const auto at = [&](double score) { return sorted[quarter] + slope * (score - scores[quarter]); };
    // Within the frame.
    double low = frame.x.low;
    double high = frame.x.high;
    if (slope > 0) {
      low = std::max(low, scores[quarter] + (frame.y.low - sorted[quarter]) / slope);
      high = std::min(high, scores[quarter] + (frame.y.high - sorted[quarter]) / slope);
    }
    out += svg::line(frame.at(low, at(low)), frame.at(high, at(high)), kReference);
  }
  return out + dots(frame, scores, sorted) + svg::frame_title(frame, "Normal quantiles", "residual") +
         svg::x_name(frame, "standard normal quantile");
}

// Where the best law has its largest throughput, if that is in the picture.
std::string best_count_mark(const svg::Frame& frame, const analysis::ScalingCurves& fits) {
  const std::optional<double> best = fits.curves.front().best_count;
  if (!best || *best > frame.x.high) return "";
  const svg::Point top = frame.at(*best, frame.y.high);
  std::array<char, 40> text{};
  std::snprintf(text.data(), text.size(), "best: %.3g", *best);
  // Beside the line, on the side that has room.
  const bool left = *best > (frame.x.low + frame.x.high) / 2;
  return svg::line(top, frame.at(*best, frame.y.low), kReference) +
         svg::text_at({top.x + (left ? -5 : 5), top.y + 14}, text.data(),
                      std::string("font-size=\"11\"") + (left ? " text-anchor=\"end\"" : ""));
}

// One digit where whole percents would look alike.
std::string axis_percent(double share) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), share < 0.1 ? "%.1f %%" : "%.0f %%", 100 * share);
  return text.data();
}

}  // namespace

std::string residuals_svg(const analysis::Analysis& analysis) {
  const AxisUnit unit = unit_of(analysis.table.response);
  const SvgAxis residuals = svg::roomy_axis(analysis.anova.residuals, unit);
  const svg::PanelGrid panels(2, 2, svg::labels_wide(residuals));
  std::string out = panels.open("Residuals of " + analysis.table.response,
                                "What the model leaves of each run, over its fitted value and over the "
                                "quantiles of a normal distribution");
  const svg::Frame frame = panels.panel(0, svg::roomy_axis(analysis.anova.fitted, unit), residuals);
  out += frame.grid() + svg::line(frame.at(frame.x.low, 0), frame.at(frame.x.high, 0), kReference);
  out += dots(frame, analysis.anova.fitted, analysis.anova.residuals);
  out += svg::frame_title(frame, "Against fitted values", "residual") + svg::x_name(frame, "fitted");
  return out + quantile_panel(panels, analysis) + svg::close();
}

std::string effects_pareto_svg(const analysis::Analysis& analysis) {
  constexpr std::size_t kMost = 20;
  constexpr double kBar = 22;  // pixels
  std::vector<const analysis::AnovaRow*> rows;
  for (const analysis::AnovaRow& row : analysis.anova.rows) rows.push_back(&row);
  std::ranges::stable_sort(rows, std::greater<>{},
                           [](const analysis::AnovaRow* row) { return row->eta_squared; });
  rows.resize(std::min(rows.size(), kMost));
  const double largest = std::max(rows.front()->eta_squared, 1e-9);
  const double high = kBar * static_cast<double>(rows.size());
  svg::Frame frame{linear_axis(0, largest * 1.15), {.ticks = {}}, 220, 44, 460, high};
  frame.right = 80;
  const std::string title = "Shares of the variation of " + analysis.table.response;
  std::string out =
      svg::open({.width = frame.left + frame.wide + frame.right,
                 .height = frame.top + high + 64,
                 .title = title,
                 .description =
                     "A bar for the share that each factor or interaction explains, the largest first"}) +
      frame.grid();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const double y = frame.top + kBar * static_cast<double>(i);
    const bool evidence = rows[i]->p && *rows[i]->p < 1 - analysis.level;
    const double width = frame.wide * frame.x.position(rows[i]->eta_squared);
    out += "<rect x=\"" + svg::px(frame.left) + "\" y=\"" + svg::px(y + 3) + "\" width=\"" + svg::px(width) +
           "\" height=\"" + svg::px(kBar - 6) + "\" fill=\"" + (evidence ? svg::kBlue : svg::kGrey) +
           "\"/>\n";
    out += svg::text_at({frame.left - 8, y + 15}, svg::shortened_to(rows[i]->term, 11, frame.left - 16),
                        "text-anchor=\"end\" font-size=\"11\"");
    out += svg::text_at({frame.left + width + 6, y + 15}, axis_percent(rows[i]->eta_squared),
                        "font-size=\"11\"");
  }
  return out + frame.labels(title, "eta squared; blue: evidence, grey: no evidence", "") + svg::close();
}

std::string scaling_svg(const analysis::Analysis& analysis, std::size_t workload) {
  const analysis::ScalingCurves& fits = analysis.scaling.at(workload).fits;
  constexpr int kSteps = 120;
  const double rate = fits.curves.front().rate;
  const double last = 1.25 * fits.largest_count;
  std::vector<double> counts;
  std::vector<double> measured;
  for (const analysis::CountPoint& point : fits.points) {
    counts.push_back(point.count);
    measured.push_back(point.throughput / rate);
  }
  const double highest = 1.25 * *std::ranges::max_element(measured);
  svg::Frame frame = svg::frame_at_left(linear_axis(0, last), linear_axis(0, highest));
  std::vector<std::string> laws;
  for (const analysis::ScalingCurve& curve : fits.curves) {
    laws.push_back(curve.law + (laws.empty() ? " (best by AICc)" : ""));
  }
  const svg::NameList list(laws, 12);
  const double names = frame.left + frame.wide + 16;
  frame.right = 16 + 42 + list.wide() + 8;
  const analysis::WorkloadScaling& scaling = analysis.scaling[workload];
  const std::string title = "Diminishing returns" + (scaling.workload.empty() ? "" : ": " + scaling.workload);
  std::string out =
      svg::open({.width = frame.left + frame.wide + frame.right,
                 .height = frame.top + frame.high + 64,
                 .title = title,
                 .description = "Throughput over " + scaling.count +
                                ": a dot for each that was measured, and a line for each law"}) +
      frame.grid() + dots(frame, counts, measured);
  for (std::size_t c = 0; c < fits.curves.size(); ++c) {
    std::vector<svg::Point> line;
    for (int i = 0; i <= kSteps; ++i) {
      const double n = 1 + (last - 1) * i / kSteps;
      const double value = fits.curves[c].throughput(n) / rate;
      if (value <= highest) line.push_back(frame.at(n, value));
    }
    out += svg::polyline(line, svg::line_style(c));
  }
  out += list.drawn({names + 42, frame.top + 10}, [&](std::size_t c, double y) {
    return svg::line({names, y - 4}, {names + 34, y - 4}, svg::line_style(c));
  });
  return out + best_count_mark(frame, fits) +
         frame.labels(title, scaling.count, "throughput over that of one") + svg::close();
}

std::vector<NamedPicture> analysis_pictures(const analysis::Analysis& analysis) {
  std::vector<NamedPicture> out;
  out.push_back({"main-effects", main_effects_svg(analysis)});
  if (!analysis.interactions.empty()) out.push_back({"interactions", interactions_svg(analysis)});
  if (analysis.anova.residual_ss > 0) out.push_back({"residuals", residuals_svg(analysis)});
  out.push_back({"pareto", effects_pareto_svg(analysis)});
  for (std::size_t i = 0; i < analysis.scaling.size(); ++i) {
    const std::string suffix = analysis.scaling.size() == 1 ? "" : "-" + std::to_string(i + 1);
    out.push_back({"scaling" + suffix, scaling_svg(analysis, i)});
  }
  return out;
}

std::string to_svg(const ConvergencePlot& plot) {
  LinePlot lines{.title = plot.title,
                 .x_label = "trial",
                 .y_label = plot.metric,
                 .y_unit = unit_of(plot.metric),
                 .series = {}};
  std::vector<double> values;
  for (const ConvergenceSeries& from : plot.series) {
    LineSeries series{.name = from.name};
    for (std::size_t i = 0; i < from.best.size(); ++i) {
      if (!std::isfinite(from.best[i])) continue;
      const auto trial = static_cast<double>(i + 1);
      if (!series.y.empty()) {  // a step: the old value up to this trial
        series.x.push_back(trial);
        series.y.push_back(series.y.back());
      }
      series.x.push_back(trial);
      series.y.push_back(from.best[i]);
      values.push_back(from.best[i]);
    }
    if (!series.x.empty()) lines.series.push_back(std::move(series));
  }
  if (values.empty()) throw InputError("there is nothing to draw: no search has found a value");
  LineSeries single{.name = "single trials"};
  LineSeries failed{.name = "trials without a value"};
  for (std::size_t i = 0; i < plot.trials.size(); ++i) {
    LineSeries& kind = std::isfinite(plot.trials[i]) ? single : failed;
    kind.x.push_back(static_cast<double>(i + 1));
    if (std::isfinite(plot.trials[i])) kind.y.push_back(plot.trials[i]);
  }
  values.insert(values.end(), single.y.begin(), single.y.end());
  const SvgAxis axis = svg::roomy_axis(values);
  lines.y_low = axis.low;
  lines.y_high = axis.high;
  failed.y.assign(failed.x.size(), axis.low);  // they stand on the axis
  if (!single.x.empty()) lines.points.push_back(std::move(single));
  if (!lines.points.empty() && !failed.x.empty()) lines.points.push_back(std::move(failed));
  return to_svg(lines);
}

}  // namespace sextant::report
