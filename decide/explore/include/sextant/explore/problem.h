// A search as strategies see it: the space, what is to be small or large, what must hold of measured values,
// and what is known before the first run. Nothing here says what a run is.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sextant/explore/space.h"

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

enum class TrialState { running, completed, failed, timed_out };

struct SearchTrial {
  std::int64_t number = 0;  // from 1, in the order of the asks
  Configuration configuration;
  TrialState state = TrialState::running;
  std::map<std::string, double> metrics = {};  // of a completed trial: finite
  // Of a trial that was stopped: the first objective is at least so much (at most, where it is maximised).
  std::optional<double> bound = {};
  double cost = 0;  // in the unit of the budget
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
  std::vector<SearchTrial> trials;
};

struct SearchProblem {
  SearchSpace space;
  std::vector<Objective> objectives;  // at least one
  std::vector<MetricLimit> limits = {};
  Prior prior = {};  // empty: none
  std::vector<PastStudy> past = {};
};

// Value of an objective, smaller is better; nothing for what did not complete.
std::optional<double> loss(const SearchTrial& trial, const Objective& objective);
// Completed, every limit met.
bool feasible(const SearchTrial& trial, std::span<const MetricLimit> limits);
// Best feasible trial by the first objective; nothing before there is one.
std::optional<std::size_t> best_trial(const SearchProblem& problem, std::span<const SearchTrial> trials);
// Feasible trials that no other one beats in every objective, in the order given.
std::vector<std::size_t> pareto_trials(const SearchProblem& problem, std::span<const SearchTrial> trials);

}  // namespace sextant::explore
