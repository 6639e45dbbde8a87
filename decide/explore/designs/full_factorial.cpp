// Every combination of levels: all effects and interactions, at the price of all runs.
#include <cmath>

#include "design_points.h"
#include "sextant/core/text.h"
#include "sextant/explore/design.h"
#include "space_axis.h"
#include "two_level.h"

namespace sextant::explore::design_full_factorial {
namespace {

constexpr double kMostRuns = 100000;

double size_of(const SearchSpace& space, double levels) {
  double size = 1;
  for (const SearchFactor& factor : space.factors()) {
    const double count = value_count(factor);
    const bool limited = levels > 0 && factor.kind != FactorKind::categorical;
    size *= limited ? std::min(levels, count) : std::isinf(count) ? kOfRange : count;
  }
  return size;
}

void check_size(const DesignRequest& request, double size) {
  const std::string hint = "take fewer levels (full-factorial:levels=2), or fractional, or d-optimal";
  if (size > kMostRuns) {
    throw InputError({}, "a full factorial has " + number_text(size) + " runs here", hint);
  }
  if (request.runs != 0 && size > static_cast<double>(request.runs)) {
    throw InputError({},
                     "a full factorial has " + number_text(size) + " runs here, more than the " +
                         std::to_string(request.runs) + " asked for",
                     hint);
  }
}

PlannedDesign make(const DesignRequest& request, const Parameters& parameters) {
  const auto levels = static_cast<double>(parameters.count("levels"));
  check_size(request, size_of(request.space, levels));
  std::vector<std::vector<double>> axes;
  bool two_level = true;
  for (const SearchFactor& factor : request.space.factors()) {
    axes.push_back(spread_points(factor, levels));
    two_level = two_level && axes.back().size() <= 2;
  }
  const std::size_t varying = varying_factors(request.space).size();
  if (two_level && varying <= kMostLetters) {
    return two_level_design(request, {.signs = yates_signs(varying), .basic = varying, .regular = true});
  }
  return design_of_points(request.space, product_of(axes));
}

}  // namespace

std::vector<DesignInfo> plugin() {
  return {{{.id = "full-factorial",
            .summary = "every combination of levels",
            .reference = "Box, Hunter and Hunter, Statistics for Experimenters, 2nd ed., ch. 5",
            .parameters = {count_parameter("levels", "of each factor that is a number, evenly spread; 0: all",
                                           {0, 0, 1000})}},
           {"factorial"},
           make}};
}

}  // namespace sextant::explore::design_full_factorial
