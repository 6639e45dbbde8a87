// Ernest's experiment design: cheap runs on little data and few machines that fix its law of run time,
// 1, scale/machines, machines, log machines, best for what they cost.
#include <algorithm>
#include <array>
#include <cmath>

#include "design_points.h"
#include "optimal_design.h"
#include "sextant/core/text.h"
#include "sextant/explore/design.h"
#include "space_axis.h"

namespace sextant::explore::design_ernest {
namespace {

const std::vector<std::string> kMachineNames = {"machines", "workers", "nodes",
                                                "vm_count", "count",   "servers"};
const std::vector<std::string> kScaleNames = {"scale", "fraction", "data_scale", "data", "samples"};

// By the name given, else by a usual name.
std::size_t find_factor(const SearchSpace& space, const Parameters& parameters, const std::string& role,
                        const std::vector<std::string>& usual) {
  const std::string& given = parameters.text(role);
  std::vector<std::string> names;
  for (const SearchFactor& factor : space.factors()) names.push_back(factor.name);
  const std::vector<std::string> wanted = given.empty() ? usual : std::vector{given};
  for (const std::string& name : wanted) {
    const auto found = std::ranges::find(names, name);
    if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  }
  if (!given.empty()) {
    throw InputError({}, "there is no factor '" + given + "'", name_hint(given, names));
  }
  throw InputError({}, "no factor is called " + join(usual, ", "),
                   "say which it is: ernest:" + role + "=NAME, one of " + join(names, ", "));
}

struct Point {
  Configuration configuration;
  double machines = 0;
  double scale = 0;
};

double positive_number(const SearchSpace& space, const Configuration& configuration, std::size_t factor) {
  const std::string& name = space.factors()[factor].name;
  const std::optional<ExpressionValue> value = space.named_value(configuration, name);
  const double* number = value ? std::get_if<double>(&*value) : nullptr;
  if (number != nullptr && *number > 0) return *number;
  throw InputError(space.factors()[factor].at,
                   "factor '" + name + "' must be a number above 0 in Ernest's design");
}

// Combinations of scale and machines; other factors stay in their middle.
std::vector<Point> points_of(const DesignRequest& request, const Parameters& parameters) {
  const SearchSpace& space = request.space;
  const std::size_t machines = find_factor(space, parameters, "machines", kMachineNames);
  const std::size_t scale = find_factor(space, parameters, "scale", kScaleNames);
  if (machines == scale) throw InputError("scale and machines are one factor");
  std::vector<std::vector<double>> axes(space.factors().size(), {0.5});
  for (const std::size_t axis : {machines, scale})
    axes[axis] = spread_points(space.factors()[axis], static_cast<double>(parameters.count("levels")));
  const double partitions = parameters.number("partitions");
  const double cores = parameters.number("cores");
  std::vector<Point> points;
  for (const std::vector<double>& unit : product_of(axes)) {
    Point point{.configuration = space.at(unit)};
    if (!space.valid(point.configuration)) continue;
    point.machines = positive_number(space, point.configuration, machines);
    point.scale = positive_number(space, point.configuration, scale);
    if (partitions > 0 && partitions * point.scale < cores * point.machines) continue;
    points.push_back(std::move(point));
  }
  return points;
}

// Each term divided by its mean, so that none outweighs the others by its unit.
BoundedDesign problem_of(const std::vector<Point>& points, double budget) {
  constexpr std::size_t kTerms = 4;
  BoundedDesign design{.terms = stats::Matrix(points.size(), kTerms), .costs = {}, .budget = budget};
  std::array<double, kTerms> means{};
  double least = std::numeric_limits<double>::infinity();
  for (const Point& point : points) least = std::min(least, point.scale);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const std::array<double, kTerms> terms = {1, points[i].scale / points[i].machines, points[i].machines,
                                              std::log(points[i].machines)};
    for (std::size_t k = 0; k < kTerms; ++k) {
      design.terms(i, k) = terms[k];
      means[k] += terms[k] / static_cast<double>(points.size());
    }
    design.costs.push_back(points[i].scale / least / points[i].machines);
  }
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (std::size_t k = 0; k < kTerms; ++k) design.terms(i, k) /= means[k] > 0 ? means[k] : 1;
  }
  return design;
}

std::string rounded_text(double value) {
  return number_text(std::round(100 * value) / 100);
}

PlannedDesign make(const DesignRequest& request, const Parameters& parameters) {
  const std::vector<Point> points = points_of(request, parameters);
  if (points.empty()) throw InputError("no combination of scale and machines meets the constraints");
  const BoundedDesign problem = problem_of(points, parameters.number("budget"));
  const std::vector<double> weights = a_optimal_weights(problem);
  double threshold = parameters.number("threshold");
  if (request.runs != 0 && request.runs < points.size()) {
    std::vector<double> sorted = weights;
    std::ranges::sort(sorted, std::greater<>{});
    threshold = (sorted[request.runs - 1] + sorted[request.runs]) / 2;
  }
  PlannedDesign design;
  double cost = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (weights[i] <= threshold) continue;
    design.runs.push_back({.configuration = points[i].configuration});
    cost += problem.costs[i];
  }
  if (design.runs.empty()) {
    throw InputError({}, "no run has a weight above " + number_text(threshold),
                     "raise 'budget' or lower 'threshold'");
  }
  design.notes.push_back(std::to_string(design.runs.size()) + " of " + std::to_string(points.size()) +
                         " combinations of scale and machines; they cost " + rounded_text(cost) +
                         " times the smallest data on one machine, with a budget of " +
                         rounded_text(parameters.number("budget")));
  return design;
}

}  // namespace

std::vector<DesignInfo> plugin() {
  return {
      {{.id = "ernest",
        .summary =
            "cheap runs that tell Ernest's law of run time over data and machines precisely (A-optimal)",
        .reference = "Venkataraman et al., Ernest: Efficient performance prediction for large-scale advanced "
                     "analytics, NSDI 2016",
        .parameters =
            {number_parameter("budget", "in runs of the smallest data on one machine", {10, 1e-3, 1e9}),
             number_parameter("threshold", "runs with a larger weight are made", {0.3, 0, 1}),
             count_parameter("levels", "of each of the two factors that are tried", {20, 2, 1000}),
             number_parameter("partitions", "of all data: each core needs one; 0: any number", {0, 0, 1e12}),
             number_parameter("cores", "of a machine", {1, 1, 1e6}),
             text_parameter("machines", "factor that counts machines"),
             text_parameter("scale", "factor that says how much of the data")}},
       {},
       make}};
}

}  // namespace sextant::explore::design_ernest
