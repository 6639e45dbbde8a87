// The prices of a snapshot, worked out once: how long each option really takes (restart, spot losses), what
// of it counts against the due date (risk, and how well the time is known), and what a node costs a second
// with so many GPUs at work.
#pragma once

#include <cstdint>
#include <vector>

#include "sextant/capacity/decision.h"

namespace sextant::capacity {

struct OptionCost {
  std::int32_t type = kNone;
  std::int32_t gpus = 1;   // in all
  std::int32_t nodes = 1;  // machines that it takes
  double time = 0;         // s, median, with the losses of spot machines, without a restart
  double due_time = 0;     // s, the quantile that counts against the due date
  double spread = 0;       // standard deviation of ln(time)
};

class CostModel {
 public:
  explicit CostModel(const Snapshot& snapshot);

  [[nodiscard]] const Snapshot& snapshot() const { return *snapshot_; }
  [[nodiscard]] const std::vector<OptionCost>& options(std::int32_t job) const { return options_[at(job)]; }
  [[nodiscard]] const OptionCost& option(std::int32_t job, std::int32_t option) const {
    return options_[at(job)][at(option)];
  }
  // Seconds until the due date; negative: it has passed.
  [[nodiscard]] double slack(std::int32_t job) const { return slack_[at(job)]; }
  [[nodiscard]] double weight(std::int32_t job) const { return weight_[at(job)]; }  // USD/s
  // Seconds that the job loses when it does not go on just where it runs; 0 if it does not run.
  [[nodiscard]] double restart(std::int32_t job) const { return restart_[at(job)]; }
  // USD of the energy that the job's own GPUs take; the machine's idle power is part of its rate.
  [[nodiscard]] double work(std::int32_t job, std::int32_t option) const;
  // USD/s of a machine with so many GPUs at work, energy included.
  [[nodiscard]] double rate(std::int32_t type, std::int32_t used) const {
    return rate_[at(type)] + busy_rate_[at(type)] * used;
  }
  [[nodiscard]] Watts watts(std::int32_t type, std::int32_t used) const;
  // USD that the job's tardiness costs if it runs with this option: what is to be expected, or what it is at
  // the quantile of the risk, if that is more. `moved`: not where it runs now.
  [[nodiscard]] double tardiness(std::int32_t job, std::int32_t option, bool moved) const;
  // USD that waiting costs, rho included.
  [[nodiscard]] double postponement(std::int32_t job) const { return postponement_[at(job)]; }
  // USD of a node: `used` GPUs at work, whose first job ends after `first` seconds and whose last after
  // `last`; minimum billing included.
  struct NodeLoad {
    std::int32_t node = kNone;
    std::int32_t type = kNone;
    std::int32_t used = 0;
    double first = 0;
    double last = 0;
  };
  [[nodiscard]] double node_cost(const NodeLoad& load) const;
  // Seconds of which the minimum billing is still to pay if the node is this type.
  [[nodiscard]] double billed(std::int32_t node, std::int32_t type) const;

 private:
  static std::size_t at(std::int32_t index) { return static_cast<std::size_t>(index); }
  void add_job(const JobState& job);

  const Snapshot* snapshot_;
  std::vector<double> rate_;       // USD/s by type, without work
  std::vector<double> busy_rate_;  // USD/s by type, more for each GPU at work
  std::vector<std::vector<OptionCost>> options_;
  std::vector<double> slack_;
  std::vector<double> weight_;
  std::vector<double> restart_;
  std::vector<double> postponement_;
};

// E max(0, T - slack) of a log-normal T: seconds.
double expected_lateness(double median, double spread, double slack);

// Whether the job goes on just where it runs.
bool stays(const JobState& job, const Assignment& assignment);

}  // namespace sextant::capacity
