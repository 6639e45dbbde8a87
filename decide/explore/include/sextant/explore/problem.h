// A search as strategies see it: the space, what is to be small or large, what must hold of measured values,
// and what is known before the first run. Nothing here says what a run is.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sextant/explore/trial.h"

namespace sextant::explore {

struct Objective {
  std::string metric;
  bool maximise = false;
};

// Of a measured value: "runtime_s <= 3600". A run that breaks it is complete and counts, but is no answer.
struct MetricLimit {
  std::string metric;
  bool at_most = true;
  double limit = 0;
};

// What somebody believes of a configuration before any run: the first objective's value and the standard
// deviation of its logarithm. Only differences between configurations matter: a prior that is off by a factor
// is as good.
struct PriorBelief {
  double value = 0;
  double log_sd = 0.3;
};
using Prior = std::function<std::optional<PriorBelief>(const Configuration&)>;

// An earlier study of the same space and metrics on something else (another network, another data set).
struct PastStudy {
  std::string name;
  std::vector<Trial> trials;
};

struct SearchProblem {
  SearchSpace space;
  std::vector<Objective> objectives;  // at least one
  std::vector<MetricLimit> limits = {};
  Prior prior = {};  // empty: none
  std::vector<PastStudy> past = {};
};

// Value of an objective, smaller is better; nothing for what did not complete.
std::optional<double> loss(const Trial& trial, const Objective& objective);
// Completed, every limit met.
bool feasible(const Trial& trial, std::span<const MetricLimit> limits);
// Best feasible trial by the first objective; nothing before there is one.
std::optional<std::size_t> best_trial(const SearchProblem& problem, std::span<const Trial> trials);
// Feasible trials that no other one beats in every objective, in the order given.
std::vector<std::size_t> pareto_trials(const SearchProblem& problem, std::span<const Trial> trials);

}  // namespace sextant::explore
