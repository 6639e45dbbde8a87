#include "design_points.h"

#include <algorithm>
#include <cmath>

#include "sextant/core/text.h"
#include "sextant/explore/configuration_set.h"
#include "space_axis.h"

namespace sextant::explore {
namespace {

constexpr std::size_t kNamed = 10;  // of runs left out, so that a note stays a line

std::string named_runs(const SearchSpace& space, const std::vector<Configuration>& runs) {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < std::min(runs.size(), kNamed); ++i) texts.push_back(space.text(runs[i]));
  if (runs.size() > kNamed) texts.emplace_back("…");
  return join(texts, "; ");
}

double nearest(const SearchSpace& space, const Configuration& to, const std::vector<PlannedRun>& runs) {
  double least = std::numeric_limits<double>::infinity();
  for (const PlannedRun& run : runs) {
    least = std::min(least, squared_distance(space, to, run.configuration));
  }
  return least;
}

// The candidate whose nearest run is furthest, again and again.
void fill(const DesignRequest& request, std::size_t wanted, PlannedDesign& design) {
  const SearchSpace& space = request.space;
  Rng rng = Rng(request.seed).stream("design-fill");
  ConfigurationSet seen;
  for (const PlannedRun& run : design.runs) seen.insert(run.configuration);
  std::vector<Configuration> pool = candidates(space, std::max<std::size_t>(2000, 4 * wanted), rng);
  std::erase_if(pool, [&](const Configuration& each) { return seen.contains(each); });
  std::vector<double> distances;
  for (const Configuration& each : pool) distances.push_back(nearest(space, each, design.runs));
  while (design.runs.size() < wanted) {
    const auto furthest = std::ranges::max_element(distances);
    if (furthest == distances.end() || *furthest < 0) return;
    const Configuration chosen = pool[static_cast<std::size_t>(furthest - distances.begin())];
    design.runs.push_back({.configuration = chosen});
    for (std::size_t i = 0; i < pool.size(); ++i) {
      distances[i] =
          pool[i] == chosen ? -1 : std::min(distances[i], squared_distance(space, pool[i], chosen));
    }
  }
}

struct Sorted {
  PlannedDesign design;
  std::vector<Configuration> invalid;
  std::vector<Configuration> repeated;
};

Sorted sorted_out(const SearchSpace& space, const std::vector<std::vector<double>>& points) {
  Sorted result;
  ConfigurationSet seen;
  for (const std::vector<double>& point : points) {
    Configuration here = space.at(point);
    if (!space.valid(here)) {
      result.invalid.push_back(std::move(here));
    } else if (!seen.insert(here)) {
      result.repeated.push_back(std::move(here));
    } else {
      result.design.runs.push_back({.configuration = std::move(here)});
    }
  }
  return result;
}

std::string of_all(std::size_t some, std::size_t all) {
  return std::to_string(some) + " of " + std::to_string(all) + " runs ";
}

}  // namespace

double squared_distance(const SearchSpace& space, const Configuration& a, const Configuration& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.values.size(); ++i) {
    const double x = a.values[i];
    const double y = b.values[i];
    const SearchFactor& factor = space.factors()[i];
    if (std::isnan(x) || std::isnan(y)) {
      sum += std::isnan(x) == std::isnan(y) ? 0 : 1;
    } else if (factor.kind == FactorKind::categorical) {
      sum += x == y ? 0 : 1;
    } else {
      const double difference = to_unit(factor, x) - to_unit(factor, y);
      sum += difference * difference;
    }
  }
  return sum;
}

PlannedDesign design_of_points(const SearchSpace& space, const std::vector<std::vector<double>>& points) {
  Sorted sorted = sorted_out(space, points);
  PlannedDesign& design = sorted.design;
  if (design.runs.empty()) {
    throw InputError(
        {}, "no run of the design meets the constraints of the space",
        "take a design that chooses among valid configurations: d-optimal, latin-hypercube, sobol");
  }
  if (!sorted.invalid.empty()) {
    design.notes.push_back(of_all(sorted.invalid.size(), points.size()) +
                           "break constraints and are left out: " + named_runs(space, sorted.invalid));
  }
  if (!sorted.repeated.empty()) {
    design.notes.push_back(of_all(sorted.repeated.size(), points.size()) +
                           "differ only in factors that do not exist there and are made once: " +
                           named_runs(space, sorted.repeated));
  }
  return std::move(design);
}

PlannedDesign filled_design(const DesignRequest& request, const std::vector<std::vector<double>>& points) {
  Sorted sorted = sorted_out(request.space, points);
  PlannedDesign& design = sorted.design;
  const std::size_t missing = points.size() - design.runs.size();
  if (missing == 0) return std::move(design);
  fill(request, points.size(), design);
  const auto note = [&](const std::vector<Configuration>& runs, const std::string& why) {
    if (runs.empty()) return;
    design.notes.push_back(of_all(runs.size(), points.size()) + why + named_runs(request.space, runs));
  };
  const std::string instead = " and are replaced by the valid configurations furthest from the others: ";
  note(sorted.invalid, "break constraints" + instead);
  note(sorted.repeated, "repeat a configuration" + instead);
  return std::move(design);
}

std::size_t wanted_runs(const DesignRequest& request, std::size_t usual, std::vector<std::string>& notes) {
  const std::size_t wanted = request.runs == 0 ? usual : request.runs;
  const auto all = request.space.all(wanted);
  if (!all || all->size() == wanted) return wanted;
  if (request.runs != 0) {
    notes.push_back("there are only " + std::to_string(all->size()) + " valid configurations, not " +
                    std::to_string(wanted));
  }
  return all->size();
}

std::vector<double> spread_points(const SearchFactor& factor, double levels) {
  const double all = value_count(factor);
  const bool listed = !std::isinf(all);
  double count = listed ? all : kOfRange;
  if (levels > 0 && factor.kind != FactorKind::categorical) count = std::min(levels, all);
  std::vector<double> points;
  for (double i = 0; i < count; ++i) {
    const double part = count > 1 ? i / (count - 1) : 0;
    points.push_back(listed ? to_unit(factor, value_at(factor, std::round(part * (all - 1)))) : part);
  }
  return points;
}

std::vector<std::vector<double>> product_of(const std::vector<std::vector<double>>& axes) {
  std::vector<std::vector<double>> points = {std::vector<double>(axes.size(), 0)};
  for (std::size_t axis = 0; axis < axes.size(); ++axis) {
    std::vector<std::vector<double>> longer;
    for (const double value : axes[axis]) {
      for (std::vector<double> point : points) {
        point[axis] = value;
        longer.push_back(std::move(point));
      }
    }
    points = std::move(longer);
  }
  return points;
}

std::size_t usual_runs(const SearchSpace& space) {
  return 10 * space.factors().size();
}

}  // namespace sextant::explore
