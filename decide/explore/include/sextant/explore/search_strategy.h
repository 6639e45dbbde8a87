// Strategies of search, one file each in decide/explore/strategies. A strategy keeps no state: it is asked
// with all trials so far, those that still run included, and answers with the next configuration. Hence a
// study can go on in another process, on another machine, or with several workers, and gives the same
// answers.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sextant/core/registry.h"
#include "sextant/core/rng.h"
#include "sextant/explore/problem.h"

namespace sextant::explore {

class ConfigurationSet;

struct SearchView {
  const SearchProblem& problem;
  std::span<const Trial> trials;  // in the order of their numbers
  std::uint64_t seed = 0;
  // Configurations of `trials`, where whoever asks keeps them: to make them of many trials at every ask
  // takes longer than to draw the next one.
  const ConfigurationSet* tried = nullptr;
};

struct Proposal {
  Configuration configuration;
  std::string reason;                      // "start", "largest expected improvement", …
  std::optional<double> expected = {};     // of the first objective, as it is measured
  std::optional<double> improvement = {};  // expected, relative to the best so far
  // That one more trial beats the best so far; with several objectives, in the direction of its weights.
  std::optional<double> chance_of_better = {};
  bool stop = false;  // the strategy's own rule says that this run does not pay
};

class SearchStrategy {
 public:
  virtual ~SearchStrategy() = default;
  // Never a configuration that was tried or is running; nothing when there is no other. Draws only from a
  // stream named by the seed and the number of trials.
  [[nodiscard]] virtual std::optional<Proposal> propose(const SearchView& view) const = 0;
};

struct SearchStrategyInfo : PluginInfo {
  static constexpr PluginKind kKind = {"search-strategy", "search-strategies",
                                       "ways to choose the next configuration to run", "search strategy"};

  std::vector<std::string> aliases = {};
  std::unique_ptr<SearchStrategy> (*make)(const Parameters& parameters) = nullptr;
};

// All files of decide/explore/strategies, sorted by id.
const Registry<SearchStrategyInfo>& search_strategies();

// By its text, "cherrypick:starts=3". Asked about several objectives, it gets one: their augmented Chebyshev
// function with weights drawn for every trial (ParEGO). Strategies need to know of the first objective only.
std::unique_ptr<SearchStrategy> make_search_strategy(const std::string& text, const SourcePos& at = {});

}  // namespace sextant::explore
