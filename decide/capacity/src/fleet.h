// Nodes while `sextant` decides, valued by the outlook: what the nodes cost until the next event and what the
// jobs cost after it. Machine types with the same GPU are a family; a node belongs to a family, and is at any
// moment the type of it that is best for the jobs it has, so that jobs are put on nodes without a thought for
// the type.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "layout.h"
#include "outlook.h"

namespace sextant::capacity {

// A way to run a job, whatever the machine type: so many GPUs of a family.
struct Plan {
  std::int32_t family = kNone;
  std::int32_t gpus = 0;
  std::int32_t option = kNone;  // the cheapest of its types
  bool wide = false;            // more than a machine has
};

class Fleet {
 public:
  Fleet(const Outlook& outlook, const CostModel& model, double until);

  [[nodiscard]] const std::vector<Plan>& plans(std::int32_t job) const { return plans_[at(job)]; }
  [[nodiscard]] bool runs(std::int32_t job) const { return gpus_[at(job)] > 0; }
  [[nodiscard]] std::int32_t gpus_of(std::int32_t job) const { return gpus_[at(job)]; }
  [[nodiscard]] std::int32_t jobs() const { return static_cast<std::int32_t>(gpus_.size()); }
  [[nodiscard]] double until() const { return until_; }

  void clear();
  // Begins with this. False where somebody has several nodes.
  bool take(const Layout& layout);
  // USD: what the nodes cost until the next event, and all jobs after it. Not of jobs on several nodes.
  [[nodiscard]] double value() const;
  // Puts a job that waits where it costs least. False where there is no room.
  bool place(std::int32_t job, const Plan& plan);
  // Better places and other numbers of GPUs for jobs that run, until nothing helps; then places for those
  // that wait.
  void improve();
  // Stops jobs until budget and power suffice, those first whose stop loses least for what it saves.
  void shed();
  // Divides nodes of which a part is idle, where nodes are to spare.
  void split();
  [[nodiscard]] Decision decision() const;

 private:
  struct Item {
    std::int32_t job = kNone;
    std::int32_t gpus = 0;
  };
  struct Node {
    std::int32_t family = kNone;
    std::int32_t type = kNone;
    std::int32_t used = 0;
    double value = 0;  // USD until the next event, and of its jobs after it
    bool wide = false;
    std::vector<Item> items = {};
  };
  struct Worth {
    double value = 0;
    std::int32_t type = kNone;  // kNone: the jobs cannot be together
  };
  struct Move {
    double gain = 0;
    std::int32_t node = kNone;
    std::int32_t gpus = 0;
    std::int32_t family = kNone;
  };
  struct Draw {       // on budget and power
    double rate = 0;  // USD/s
    double watts = 0;
    void operator+=(const Draw& more) {
      rate += more.rate;
      watts += more.watts;
    }
    void operator-=(const Draw& less) {
      rate -= less.rate;
      watts -= less.watts;
    }
  };
  static std::size_t at(std::int32_t index) { return static_cast<std::size_t>(index); }

  void add_families();
  void add_plans(std::int32_t job);
  [[nodiscard]] std::int32_t option_of(std::int32_t job, std::int32_t type, std::int32_t gpus) const;
  [[nodiscard]] bool allowed(std::int32_t job, std::int32_t node) const;
  [[nodiscard]] Worth worth(std::int32_t node, std::int32_t family, std::span<const Item> items) const;
  [[nodiscard]] double price(std::int32_t family, std::int32_t used) const {
    return used > most_[at(family)] ? -1 : prices_[at(family)][at(used)];
  }
  [[nodiscard]] std::int32_t candidate(std::int32_t job, const Plan& plan, std::int32_t except) const;
  [[nodiscard]] std::int32_t spare_node(std::int32_t job, std::int32_t family, std::int32_t except) const;
  [[nodiscard]] bool may_have(std::int32_t node, std::int32_t family) const;
  [[nodiscard]] bool affordable(const Draw& more) const;
  [[nodiscard]] Draw draw(std::int32_t type, std::int32_t used) const;
  bool place_wide(std::int32_t job, const Plan& plan);
  void set_items(std::int32_t node, std::int32_t family, std::vector<Item> items);
  [[nodiscard]] std::vector<Item> without(std::int32_t node, std::int32_t job) const;
  [[nodiscard]] std::vector<Item> with(std::int32_t node, Item item, std::int32_t except) const;
  // What a job leaves behind where it is: the same for every place that it might go to.
  struct Leaving {
    double gain = 0;
    Draw freed = {};
  };
  [[nodiscard]] Leaving leaving(std::int32_t job) const;
  void consider(std::int32_t job, const Plan& plan, std::int32_t node, Move& best) const;
  bool improve_job(std::int32_t job);
  bool split_node(std::int32_t node);

  const Outlook* outlook_;
  const CostModel* model_;
  double until_;
  std::vector<std::int32_t> family_of_;              // by type
  std::vector<std::vector<std::int32_t>> types_of_;  // by family, by GPUs
  std::vector<std::int32_t> most_;                   // GPUs of a family's largest type
  std::vector<std::vector<double>> prices_;          // USD/s by family and GPUs in use
  std::vector<std::vector<Plan>> plans_;             // by job
  std::vector<std::vector<std::int32_t>> lookup_;    // by job: option of a type and GPUs
  std::vector<std::vector<double>> stay_;            // by job and option: USD after the next event, not moved
  std::vector<std::vector<double>> move_;            // the same, moved
  std::vector<double> wait_;
  std::int32_t widest_ = 0;
  std::vector<Node> nodes_;
  std::vector<std::int32_t> gpus_;  // by job; 0: waits
  std::vector<std::int32_t> home_;  // by job: its first node
  Draw drawn_ = {};                 // by all nodes
  Leaving leaving_ = {};            // of the job that is looked at
};

}  // namespace sextant::capacity
