// A strategy for one objective that is asked about several. Page: docs/models/search-strategies.md.
#pragma once

#include <memory>

#include "sextant/explore/search_strategy.h"

namespace sextant::explore {

std::unique_ptr<SearchStrategy> with_several_objectives(std::unique_ptr<SearchStrategy> strategy);

}  // namespace sextant::explore
