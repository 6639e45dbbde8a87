// From points of the unit cube to runs: those that a space allows, each once, with notes on what was left
// out.
#pragma once

#include "sextant/explore/design.h"

namespace sextant::explore {

// Runs in the order of the points. Points that break constraints, or that give a configuration which is there
// already (a factor that does not exist has no levels to differ in), are left out and named in notes.
// InputError where none is left.
PlannedDesign design_of_points(const SearchSpace& space, const std::vector<std::vector<double>>& points);

// Like design_of_points(), and then valid configurations, each as far as possible from all others, until
// there are as many runs as points.
PlannedDesign filled_design(const DesignRequest& request, const std::vector<std::vector<double>>& points);

// The number of runs asked for, at most as many as there are valid configurations (a note says so).
std::size_t wanted_runs(const DesignRequest& request, std::size_t usual, std::vector<std::string>& notes);
// Ten runs per factor, as is usual for models of computer experiments (Loeppky, Sacks, Welch 2009).
std::size_t usual_runs(const SearchSpace& space);

// Places on the axis of a factor, evenly from its lowest value to its highest: at most `levels` of a factor
// that is a number (0: all, or three of a real range), all of a categorical one.
inline constexpr double kOfRange = 3;
std::vector<double> spread_points(const SearchFactor& factor, double levels);
// All combinations, first axis fastest, as in the standard order of two-level designs.
std::vector<std::vector<double>> product_of(const std::vector<std::vector<double>>& axes);

// Squared distance in the unit cube; two levels of a categorical factor are 1 apart, as are absence and
// presence.
double squared_distance(const SearchSpace& space, const Configuration& a, const Configuration& b);

}  // namespace sextant::explore
