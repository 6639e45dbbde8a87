// Arithmetic on rows of floats that several rules and attacks need: sums in double, the same whatever the
// threads.
#pragma once

#include <span>
#include <vector>

#include "sextant/core/rng.h"
#include "sextant/robust/updates.h"

namespace sextant::robust {

// The nearest float that is finite.
float finite_float(double value);

// sum of weights[i] * rows[i]; weights as many as rows.
void weighted_sum(const Updates& updates, std::span<const double> weights, std::size_t threads,
                  std::vector<float>& out);

// Euclidean lengths of the rows.
std::vector<double> norms(const Updates& updates, std::size_t threads);
// Squared distances of the rows from a point.
std::vector<double> squared_distances(const Updates& updates, std::span<const float> point,
                                      std::size_t threads);

bool is_finite(std::span<const float> values);

// Of an even number of values the mean of the two in the middle.
double median_of(std::vector<double> values);

// `count` of d coordinates, each set equally likely, in ascending order; all where there are no more.
std::vector<std::size_t> draw_coordinates(std::size_t d, std::size_t count, Rng rng);

// The mean of the rows, and their standard deviation at each coordinate (of a sample, n - 1; zeros for one
// row).
struct Moments {
  std::vector<double> mean;
  std::vector<double> sd;
};
Moments moments_of(const Updates& updates);

}  // namespace sextant::robust
