// How likely a candidate is to be an answer: to meet every limit of a measured value, and to complete. A
// process per question, learnt from the trials so far.
#pragma once

#include "gp_ensemble.h"
#include "sextant/explore/search_strategy.h"

namespace sextant::explore {

struct FeasibilityInput {
  const SearchView& view;
  const FeatureMap& features;
  const GpPoints& candidates;
};

class Feasibility {
 public:
  // All limits of the problem; a chance of 0.5 where nothing is known of a metric yet.
  explicit Feasibility(const FeasibilityInput& input);
  // And that the run completes, once a trial has failed. One that was stopped with a bound has not failed:
  // its bound is a value. A failure may be an accident, or the fault of one level: whatever the process says,
  // some chance is left, the less the nearer the failures are.
  void ask_for_completion(const FeasibilityInput& input);

  [[nodiscard]] Eigen::VectorXd chances(std::span<const Eigen::Index> candidates) const;

 private:
  struct Question {
    GpEnsemble quantity;
    double below = 0;
    Eigen::VectorXd otherwise = {};  // chance of each candidate where the process is wrong; empty: none
  };
  void ask_for_limit(const FeasibilityInput& input, const MetricLimit& limit);

  double of_all_ = 1;  // what is the same for every candidate
  std::vector<Question> questions_;
};

}  // namespace sextant::explore
