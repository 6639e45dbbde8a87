// A Latin hypercube whose points are far apart: every factor is tried evenly over its whole range.
#include "latin_hypercube.h"

#include <algorithm>
#include <cmath>

#include "design_points.h"
#include "sextant/explore/design.h"

namespace sextant::explore::design_latin_hypercube {
namespace {

// Pairs times axes that may be looked at: about a second.
constexpr double kWork = 3e8;
constexpr std::size_t kMostRuns = 5000;  // distances of all pairs are looked at

PlannedDesign make(const DesignRequest& request, const Parameters& parameters) {
  std::vector<std::string> notes;
  LatinHypercubeOptions options;
  options.points = wanted_runs(request, usual_runs(request.space), notes);
  for (const SearchFactor& factor : request.space.factors()) {
    options.levels.push_back(factor.kind == FactorKind::categorical ? factor.levels.size() : 0);
  }
  if (options.points > kMostRuns) {
    throw InputError({}, "a Latin hypercube has at most " + std::to_string(kMostRuns) + " runs here",
                     "take the design sobol");
  }
  const auto n = static_cast<double>(options.points);
  const auto axes = static_cast<double>(options.levels.size());
  const double pairs = n * n / 2 * axes;
  const auto tries = static_cast<double>(parameters.count("tries"));
  options.tries = static_cast<std::size_t>(std::clamp(kWork / 2 / pairs, 1.0, tries));
  const auto exchanges = static_cast<double>(parameters.count("exchanges"));
  const double wished = std::min(exchanges * n * axes, kWork / 2 / (4 * n * axes));
  options.exchanges = static_cast<std::size_t>(wished);
  Rng rng = Rng(request.seed).stream("latin-hypercube");
  PlannedDesign design = filled_design(request, latin_hypercube(options, rng));
  design.notes.insert(design.notes.begin(), notes.begin(), notes.end());
  return design;
}

}  // namespace

std::vector<DesignInfo> plugin() {
  return {
      {{.id = "latin-hypercube",
        .summary = "every part of the range of every factor has one run, and runs are far apart (maximin)",
        .reference = "McKay, Beckman and Conover, Technometrics 21, 1979; Morris and Mitchell, Exploratory "
                     "designs for computational experiments, J. Stat. Plan. Inference 43, 1995",
        .parameters =
            {count_parameter("tries", "hypercubes drawn, of which the best is kept", {200, 1, 100000}),
             count_parameter("exchanges", "tried to improve it, per run and factor", {50, 0, 10000})}},
       {"lhs"},
       make}};
}

}  // namespace sextant::explore::design_latin_hypercube
