// Nodes while a decision is made: who has which GPUs of which node, and what that costs. Jobs are put on and
// taken off one by one; what a change costs is known in the time that the node's jobs take (a handful), since
// tardiness is a matter of the job alone and a node's price one of the first and last end on it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "cost_model.h"

namespace sextant::capacity {

class Layout {
 public:
  explicit Layout(const CostModel& model);

  [[nodiscard]] const CostModel& model() const { return *model_; }
  [[nodiscard]] bool runs(std::int32_t job) const { return places_[at(job)].option != kNone; }
  [[nodiscard]] std::int32_t option_of(std::int32_t job) const { return places_[at(job)].option; }
  [[nodiscard]] std::span<const Share> shares_of(std::int32_t job) const { return places_[at(job)].shares; }
  [[nodiscard]] std::int32_t type_of(std::int32_t node) const { return nodes_[at(node)].type; }
  [[nodiscard]] std::int32_t used_of(std::int32_t node) const { return nodes_[at(node)].used; }
  [[nodiscard]] std::span<const std::int32_t> jobs_of(std::int32_t node) const {
    return nodes_[at(node)].jobs;
  }
  [[nodiscard]] std::int32_t nodes() const { return static_cast<std::int32_t>(nodes_.size()); }
  [[nodiscard]] std::int32_t jobs() const { return static_cast<std::int32_t>(places_.size()); }

  // Puts a job that waits where it runs now, else on the fullest node of the option's type with room, else on
  // a node that is off. False, and nothing changed, where there is no room or a limit would be passed.
  bool place(std::int32_t job, std::int32_t option);
  // The same, but a machine that is rented is rented for one job; those that are owned are shared.
  bool place_alone(std::int32_t job, std::int32_t option);
  // On one node, for options that need no more.
  bool place_on(std::int32_t job, std::int32_t option, std::int32_t node);
  void remove(std::int32_t job);
  // Makes a node with jobs another machine type; each keeps its number of GPUs. False, and nothing changed,
  // where a job has no such option or a limit would be passed.
  bool retype(std::int32_t node, std::int32_t type);
  // The job's option with so many GPUs of a type; kNone: there is none.
  [[nodiscard]] std::int32_t option_with(std::int32_t job, std::int32_t type, std::int32_t gpus) const;
  // Whether the node is of this type, or is off and may become one.
  [[nodiscard]] bool may_be(std::int32_t node, std::int32_t type) const;

  // USD in all if a job that waits were put there; infinite where it cannot be. In constant time: a node
  // keeps its first and last end.
  [[nodiscard]] double cost_with(std::int32_t job, std::int32_t option, std::int32_t node) const;

  // USD, as cost_of() has it.
  [[nodiscard]] double cost() const { return nodes_cost_ + jobs_cost_; }
  [[nodiscard]] Decision decision() const;

 private:
  struct Node {
    std::int32_t type = kNone;
    std::int32_t used = 0;
    double first = 0;  // s: ends of its jobs
    double last = 0;
    double cost = 0;
    double rate = 0;  // USD/s
    double watts = 0;
    std::vector<std::int32_t> jobs = {};
  };
  struct Place {
    std::int32_t option = kNone;
    std::vector<Share> shares = {};
    double time = 0;  // s, restart included
    double cost = 0;  // tardiness, or postponement
  };
  static std::size_t at(std::int32_t index) { return static_cast<std::size_t>(index); }

  [[nodiscard]] bool allowed(std::int32_t job, std::int32_t node) const;
  [[nodiscard]] bool within_limits(const OptionCost& option, std::int32_t opened) const;
  bool stay(std::int32_t job, std::int32_t option);
  bool place_narrow(std::int32_t job, std::int32_t option, bool alone);
  bool place_wide(std::int32_t job, std::int32_t option);
  void put(std::int32_t job, std::int32_t option, std::span<const Share> shares);
  void price(std::int32_t node);

  const CostModel* model_;
  std::vector<Node> nodes_;
  std::vector<Place> places_;
  double nodes_cost_ = 0;
  double jobs_cost_ = 0;
  double rate_ = 0;  // USD/s of nodes that are on
  double watts_ = 0;
};

}  // namespace sextant::capacity
