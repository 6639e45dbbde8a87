// What a node can be: a machine type, and jobs with options that share it. Given what each job is worth, the
// patterns that gain most are found exactly: as the time for which the node is paid grows, more options fit
// into it, and of those the best that fill its GPUs are a knapsack of a handful of GPUs. After Gilmore and
// Gomory (1961), who cut rolls of paper that way.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "cost_model.h"

namespace sextant::capacity {

struct PatternItem {
  std::int32_t job = kNone;
  std::int32_t option = kNone;
};

struct NodePattern {
  double cost = 0;         // USD: nodes, tardiness and work; no layout has it for less
  std::int32_t nodes = 1;  // that it takes
  double loss = 0;         // USD: cost less what its jobs are worth
  std::vector<PatternItem> items = {};
};

class PatternFinder {
 public:
  // For nodes that are paid until their last job ends, or for a period.
  explicit PatternFinder(const CostModel& model);

  // The best patterns, of each machine type and of several lengths; at least the one that loses least for
  // each node that it takes. `worth`: USD by job.
  [[nodiscard]] std::vector<NodePattern> best(std::span<const double> worth) const;
  // The pattern of jobs that share a node, at the least that it can cost.
  [[nodiscard]] NodePattern pattern_of(std::vector<PatternItem> items) const;

 private:
  struct Item {
    std::int32_t job = kNone;
    std::int32_t option = kNone;
    std::int32_t gpus = 0;
    double time = 0;  // s for which a node is paid at least because of it
    double cost = 0;  // USD of tardiness and work
  };
  struct Machine {
    std::int32_t type = kNone;
    std::int32_t gpus = 0;
    double rate = 0;          // USD/s
    double least = 0;         // s that are paid at least
    std::vector<Item> items;  // by time
  };
  static std::size_t at(std::int32_t index) { return static_cast<std::size_t>(index); }
  [[nodiscard]] Item item_of(std::int32_t job, std::int32_t option) const;
  void add_machine(std::int32_t type);
  void add_wide(std::int32_t job, std::int32_t option);
  void search(const Machine& machine, std::span<const double> worth, std::vector<NodePattern>& found) const;

  const CostModel* model_;
  std::vector<Machine> machines_;
  std::vector<NodePattern> wide_;  // of jobs that span several nodes
};

}  // namespace sextant::capacity
