// Runs that fix the coefficients of a model best: for constrained spaces, mixed levels and any number of
// runs.
#include <algorithm>
#include <cmath>

#include "design_points.h"
#include "model_terms.h"
#include "optimal_design.h"
#include "sextant/explore/configuration_set.h"
#include "sextant/explore/design.h"

namespace sextant::explore::design_d_optimal {
namespace {

constexpr std::size_t kMostCandidates = 3000;

// The best runs lie at the ends of ranges, and in the middle for a curved model: combinations of those, all
// or drawn. Where constraints cut off corners, valid configurations from inside as well.
std::vector<Configuration> choices(const DesignRequest& request, ResponseModel model, Rng& rng) {
  const SearchSpace& space = request.space;
  std::vector<std::vector<double>> axes;
  double size = 1;
  for (const SearchFactor& factor : space.factors()) {
    axes.push_back(spread_points(factor, model == ResponseModel::quadratic ? 3 : 2));
    size *= static_cast<double>(axes.back().size());
  }
  std::vector<std::vector<double>> points;
  if (size <= static_cast<double>(kMostCandidates)) {
    points = product_of(axes);
  } else {
    for (std::size_t i = 0; i < kMostCandidates; ++i) {
      std::vector<double> point;
      for (const std::vector<double>& axis : axes) point.push_back(axis[rng.below(axis.size())]);
      points.push_back(std::move(point));
    }
  }
  ConfigurationSet seen;
  std::vector<Configuration> found;
  for (const std::vector<double>& point : points) {
    Configuration here = space.at(point);
    if (space.valid(here) && seen.insert(here)) found.push_back(std::move(here));
  }
  if (found.size() == points.size() && found.size() >= request.runs) return found;
  for (Configuration& other : candidates(space, kMostCandidates / 2, rng)) {
    if (seen.insert(other)) found.push_back(std::move(other));
  }
  return found;
}

std::string percent_text(double fraction) {
  const auto tenths = static_cast<std::int64_t>(std::round(1000 * fraction));
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " %";
}

PlannedDesign make(const DesignRequest& request, const Parameters& parameters) {
  Rng rng = Rng(request.seed).stream("d-optimal");
  const auto model = static_cast<ResponseModel>(parameters.count("model"));
  const std::vector<Configuration> from = choices(request, model, rng);
  const stats::Matrix terms = model_terms(request.space, from, model);
  const std::size_t usual =
      std::min(from.size(), terms.columns() + std::max<std::size_t>(2, terms.columns() / 4));
  const ExchangeOptions options{.runs = request.runs == 0 ? usual : request.runs,
                                .starts = static_cast<std::size_t>(parameters.count("starts"))};
  const std::vector<std::size_t> rows = d_optimal_rows(terms, options, rng);
  PlannedDesign design;
  for (const std::size_t row : rows) design.runs.push_back({.configuration = from[row]});
  const double efficiency = d_efficiency(terms, rows, d_optimal_weights(terms));
  design.notes.push_back("D-efficiency " + percent_text(efficiency) + " for " +
                         std::to_string(terms.columns()) + " terms, against the best weights over " +
                         std::to_string(from.size()) + " candidates");
  return design;
}

}  // namespace

std::vector<DesignInfo> plugin() {
  return {
      {{.id = "d-optimal",
        .summary = "the runs that tell the coefficients of a model most precisely, under any constraints",
        .reference = "Fedorov, Theory of Optimal Experiments, 1972; Cook and Nachtsheim, A comparison of "
                     "algorithms for constructing exact D-optimal designs, Technometrics 22, 1980",
        .parameters = {count_parameter("model",
                                       "1: main effects, 2: and interactions of two factors, 3: and squares",
                                       {1, 1, 3}),
                       count_parameter("starts", "of the search, of which the best is kept", {10, 1, 1000})}},
       {},
       make}};
}

}  // namespace sextant::explore::design_d_optimal
