#include "several_objectives.h"
#include "sextant/core/plugin_text.h"

namespace sextant::explore {

std::unique_ptr<SearchStrategy> make_search_strategy(const std::string& text, const SourcePos& at) {
  const PluginText parts = split_plugin_text(text, at);
  const SearchStrategyInfo& info = search_strategies().get(parts.id, at);
  return with_several_objectives(info.make(parameters_of(info, parts, at)));
}

std::vector<Proposal> propose_batch(const SearchStrategy& strategy, const SearchView& view,
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
