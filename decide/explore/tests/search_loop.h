// A whole search against a function, for tests of strategies.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <vector>

#include "sextant/explore/search_strategy.h"

namespace sextant::explore::test {

// What a run gives: sets the outcome of the trial.
using Evaluate = std::function<void(Trial&)>;

inline Evaluate metric(const std::string& name, std::function<double(const Configuration&)> function) {
  return [name, function = std::move(function)](Trial& trial) {
    trial.outcome.state = TrialState::completed;
    trial.outcome.metrics[name] = function(trial.configuration);
  };
}

inline std::vector<Trial> search(const SearchStrategy& strategy, const SearchProblem& problem,
                                 const Evaluate& evaluate, std::size_t trials, std::uint64_t seed = 1) {
  std::vector<Trial> done;
  while (done.size() < trials) {
    std::optional<Proposal> next = strategy.propose({problem, done, seed});
    if (!next) break;
    Trial trial{.number = static_cast<std::int64_t>(done.size()) + 1,
                .configuration = std::move(next->configuration)};
    evaluate(trial);
    done.push_back(std::move(trial));
  }
  return done;
}

inline double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

}  // namespace sextant::explore::test
