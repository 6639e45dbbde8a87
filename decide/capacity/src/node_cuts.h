// Jobs in the order of their ends, cut into nodes that are paid until their longest job ends. Of jobs with
// one GPU each, no division into so many nodes is cheaper than the best that cuts their order: who exchanges
// two jobs such that the longer is with the longer ones does not pay more.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace sextant::capacity {

struct CutJob {
  std::int32_t gpus = 1;
  double time = 0;  // s
};

class NodeCuts {
 public:
  // `jobs`: the longest first. `prices`: USD/s of a node by GPUs in use, from 0 to all.
  NodeCuts(std::span<const CutJob> jobs, std::span<const double> prices, std::size_t nodes);

  // USD on at most so many nodes; infinite where that is not enough.
  [[nodiscard]] double cost(std::size_t nodes) const { return cost_[nodes]; }
  // Where the nodes' jobs end in the list, in order.
  [[nodiscard]] std::vector<std::size_t> ends(std::size_t nodes) const;

 private:
  std::size_t jobs_;
  std::vector<double> cost_;              // by nodes
  std::vector<std::size_t> used_;         // by nodes: how many of them
  std::vector<std::int32_t> last_group_;  // by nodes and jobs: jobs of the last node
};

// Nodes for each of several lists, so many in all, at the least cost. Empty: there are too few.
std::vector<std::size_t> divided_nodes(std::span<const NodeCuts> lists, std::size_t nodes);

}  // namespace sextant::capacity
