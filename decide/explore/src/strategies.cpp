#include "several_objectives.h"
#include "sextant/core/plugin_text.h"

namespace sextant::explore {

std::unique_ptr<SearchStrategy> make_search_strategy(const std::string& text, const SourcePos& at) {
  const PluginText parts = split_plugin_text(text, at);
  const SearchStrategyInfo& info = search_strategies().get(parts.id, at);
  return with_several_objectives(info.make(parameters_of(info, parts, at)));
}

}  // namespace sextant::explore
