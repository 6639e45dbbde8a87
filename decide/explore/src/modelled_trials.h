// Trials that a model is fitted to, where there are too many for all of them.
#pragma once

#include <vector>

#include "sextant/explore/search_strategy.h"

namespace sextant::explore {

// At most `most`, in the order of their numbers, and whatever runs: the better half of them the best trials,
// since the next choice is among good ones, the rest evenly from all others.
std::vector<Trial> modelled_trials(const SearchView& view, std::size_t most);

}  // namespace sextant::explore
