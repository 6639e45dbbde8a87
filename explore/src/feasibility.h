// How likely a candidate is to be an answer: to complete, and to meet every limit of a measured value. A
// process per question, learnt from the trials so far.
#pragma once

#include "feature_map.h"
#include "sextant/explore/strategy.h"

namespace sextant {

struct FeasibilityInput {
  const SearchView& view;
  const FeatureMap& features;
  const GpPoints& candidates;
};

// Of all limits together; empty without limits. 0.5 where nothing is known of a metric yet.
Eigen::VectorXd chance_of_limits(const FeasibilityInput& input);

// To complete; empty while no trial has failed. One that was stopped with a bound has not failed: its bound
// is a value.
Eigen::VectorXd chance_of_completion(const FeasibilityInput& input);

}  // namespace sextant
