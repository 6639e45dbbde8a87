// What a strategy proposes to many workers at once, for tests of strategies.
#pragma once

#include <optional>
#include <vector>

#include "sextant/explore/search_strategy.h"

namespace sextant::explore {

// `count` proposals that do not repeat, each asked with those before it as running.
inline std::vector<Proposal> propose_batch(const SearchStrategy& strategy, const SearchView& view,
                                           std::size_t count) {
  std::vector<Trial> trials(view.trials.begin(), view.trials.end());
  std::vector<Proposal> batch;
  while (batch.size() < count) {
    std::optional<Proposal> next = strategy.propose({view.problem, trials, view.seed});
    if (!next) break;
    Trial running;
    running.number = trials.empty() ? 1 : trials.back().number + 1;
    running.configuration = next->configuration;
    trials.push_back(std::move(running));
    batch.push_back(std::move(*next));
  }
  return batch;
}

}  // namespace sextant::explore
