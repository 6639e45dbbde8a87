#include "node_cuts.h"

#include <algorithm>
#include <limits>

namespace sextant::capacity {
namespace {

constexpr double kNoCut = std::numeric_limits<double>::infinity();

}  // namespace

NodeCuts::NodeCuts(std::span<const CutJob> jobs, std::span<const double> prices, std::size_t nodes)
    : jobs_(jobs.size()),
      cost_(nodes + 1, kNoCut),
      used_(nodes + 1, 0),
      last_group_((nodes + 1) * (jobs.size() + 1), 0) {
  std::vector<double> before(jobs_ + 1, kNoCut);  // the first jobs on one node less
  before[0] = 0;
  cost_[0] = before[jobs_];
  for (std::size_t node = 1; node <= nodes; ++node) {
    std::vector<double> now(jobs_ + 1, kNoCut);
    for (std::size_t end = 1; end <= jobs_; ++end) {
      std::size_t gpus = 0;
      for (std::size_t begin = end; begin-- > 0;) {
        gpus += static_cast<std::size_t>(jobs[begin].gpus);
        if (gpus >= prices.size()) break;
        const double cost = before[begin] + prices[gpus] * jobs[begin].time;
        if (cost >= now[end]) continue;
        now[end] = cost;
        last_group_[node * (jobs_ + 1) + end] = static_cast<std::int32_t>(end - begin);
      }
    }
    const bool better = now[jobs_] < cost_[node - 1];
    cost_[node] = better ? now[jobs_] : cost_[node - 1];
    used_[node] = better ? node : used_[node - 1];
    before = std::move(now);
  }
}

std::vector<std::size_t> NodeCuts::ends(std::size_t nodes) const {
  std::vector<std::size_t> ends;
  std::size_t end = jobs_;
  for (std::size_t node = used_[nodes]; node > 0; --node) {
    ends.push_back(end);
    end -= static_cast<std::size_t>(last_group_[node * (jobs_ + 1) + end]);
  }
  std::ranges::reverse(ends);
  return ends;
}

std::vector<std::size_t> divided_nodes(std::span<const NodeCuts> lists, std::size_t nodes) {
  std::vector<double> best(nodes + 1, 0);  // of the first lists, by nodes
  std::vector<std::vector<std::size_t>> shares;
  for (const NodeCuts& list : lists) {
    std::vector<double> with(nodes + 1, kNoCut);
    std::vector<std::size_t> share(nodes + 1, 0);
    for (std::size_t all = 0; all <= nodes; ++all) {
      for (std::size_t own = 0; own <= all; ++own) {
        const double cost = best[all - own] + list.cost(own);
        if (cost >= with[all]) continue;
        with[all] = cost;
        share[all] = own;
      }
    }
    best = std::move(with);
    shares.push_back(std::move(share));
  }
  if (best[nodes] == kNoCut) return {};
  std::vector<std::size_t> divided(lists.size(), 0);
  std::size_t left = nodes;
  for (std::size_t i = lists.size(); i-- > 0;) {
    divided[i] = shares[i][left];
    left -= divided[i];
  }
  return divided;
}

}  // namespace sextant::capacity
