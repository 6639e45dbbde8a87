// What is believed before a study's own runs, as means for its processes: the answer of `predict`, and the
// surfaces of earlier studies. The likelihood of the runs then says how much each is worth.
#pragma once

#include "search_data.h"
#include "search_pool.h"

namespace sextant::explore {

struct BeliefRequest {
  const SearchView& view;
  const SearchPool& pool;
  const SearchData& data;
  double alike = 0;  // chance that this study is like one of the earlier ones
};
std::vector<BeliefMean> belief_means(const BeliefRequest& request);

// What the prior thinks best; nothing where it knows none of them.
std::optional<std::size_t> best_by_prior(const SearchProblem& problem, std::span<const Configuration> among);

}  // namespace sextant::explore
