// Latin hypercubes: each axis is cut into as many strata as there are points, and each stratum holds one
// (McKay, Beckman, Conover 1979). Of many, the one whose points are furthest apart (maximin; Johnson, Moore,
// Ylvisaker 1990), then improved by exchanges under the criterion of Morris and Mitchell (1995).
#pragma once

#include <vector>

#include "sextant/core/rng.h"

namespace sextant::explore {

struct LatinHypercubeOptions {
  std::size_t points = 0;
  std::size_t tries = 200;          // drawn, the best is kept
  std::size_t exchanges = 0;        // of two coordinates, kept where they help
  std::vector<std::size_t> levels;  // by axis: of a categorical factor, whose levels are all 1 apart; else 0
};

// Coordinates are the middles of strata.
std::vector<std::vector<double>> latin_hypercube(const LatinHypercubeOptions& options, Rng& rng);

// Smallest distance between two points.
double smallest_distance(const std::vector<std::vector<double>>& points);

}  // namespace sextant::explore
