// Studies with a known optimum, made up for the search strategies: what the recorded tables at hand have
// little of. Optima inside the space, ridges, a level that fails, a cliff of memory, noise, nothing to find.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sextant/explore/search_strategy.h"

namespace sextant::explore::test {

struct MadeUpStudy {
  std::string name;
  SearchProblem problem;  // one objective, "cost", to be minimised
  // Without noise; nothing where the run fails.
  std::function<std::optional<double>(const Configuration&)> cost;
  double noise = 0;        // standard deviation of the logarithm of a measured cost
  double optimum = 0;      // the least cost, without noise
  bool listed = true;      // the optimum is found by going through all configurations
  bool deceptive = false;  // nothing but luck finds the optimum in a few trials
};

std::vector<MadeUpStudy> made_up_studies();

// One search of a study as `explore` makes it.
struct MadeUpSearch {
  std::vector<double> ratio;      // true cost of the best measured trial over the optimum, after each trial
  std::size_t stopped_after = 0;  // trials when the strategy first said stop; all of them where it never did
};
// Before a trial has completed its ratio counts as `kNothingYet`.
inline constexpr double kNothingYet = 10;
// It ends where the strategy says stop, though not before `least` trials, and after `most`.
struct MadeUpTrials {
  std::size_t least = 0;
  std::size_t most = 0;
};
MadeUpSearch search_made_up(const MadeUpStudy& study, const std::string& strategy, const MadeUpTrials& trials,
                            std::uint64_t seed);

}  // namespace sextant::explore::test
