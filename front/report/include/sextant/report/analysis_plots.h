// Pictures of an analysis of runs: main effects, interactions, residuals, shares of effects (Pareto), and the
// course of searches (convergence). The same values give the same bytes.
#pragma once

#include <string>
#include <vector>

#include "sextant/analysis/analysis.h"
#include "sextant/report/svg_lines.h"

namespace sextant::report {

struct NamedPicture {
  std::string name;  // "main-effects"
  std::string svg;
};

// Those that this analysis has something for: main-effects, interactions, residuals, pareto, scaling.
std::vector<NamedPicture> analysis_pictures(const analysis::Analysis& analysis);

std::string main_effects_svg(const analysis::Analysis& analysis);
std::string interactions_svg(const analysis::Analysis& analysis);  // at least one interaction
std::string residuals_svg(
    const analysis::Analysis& analysis);  // against fitted values, and against normal quantiles
std::string effects_pareto_svg(const analysis::Analysis& analysis);
std::string scaling_svg(const analysis::Analysis& analysis, std::size_t workload);

// Best so far after each trial, a line per search, drawn as steps; values that are not finite (nothing found
// yet) are left out. InputError where no series has a point.
struct ConvergenceSeries {
  std::string name;
  std::vector<double> best;  // after trial 1, 2, ...
};
struct ConvergencePlot {
  std::string title;
  std::string metric;  // on the y axis
  std::vector<ConvergenceSeries> series;
  std::vector<double> trials = {};  // the value of each trial; not a number: it has none
};
std::string to_svg(const ConvergencePlot& plot);

}  // namespace sextant::report
