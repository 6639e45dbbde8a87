// GPUs of a machine type that are still free, from now on: a staircase. Jobs are laid into it one after the
// other, each with the fewest GPUs that let it end in time (the minimum satisfactory share of ElasticFlow,
// ASPLOS 2023).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace sextant::capacity {

// GPUs of a job, and how much of what remains of it they do in a second.
struct ElasticLevel {
  std::int32_t option = -1;  // of the job, in the snapshot
  std::int32_t gpus = 0;
  double rate = 0;  // 1/s
};

// What is to be laid in.
struct ElasticDemand {
  const std::vector<ElasticLevel>& levels;  // more GPUs, higher rates
  double due = 0;                           // s from now
  double restart = 0;                       // s, at each change of the number of GPUs
  std::int32_t current = 0;                 // GPUs that it has now, without a restart; 0: it waits
};

struct ElasticFill {
  std::size_t level = 0;      // the most that it ever gets
  std::int32_t gpus_now = 0;  // at once; 0: it begins later
  double end = 0;             // s from now
};

class FreeGpus {
 public:
  explicit FreeGpus(std::int32_t gpus) : steps_{{0, gpus}} {}

  // Nothing where no level ends by the due date; else the GPUs are taken.
  std::optional<ElasticFill> fill(const ElasticDemand& demand);
  // GPUs at once that nothing took.
  [[nodiscard]] std::int32_t now() const { return steps_.front().gpus; }

 private:
  struct Step {
    double begin = 0;  // s from now, until the next step
    std::int32_t gpus = 0;
  };
  // The end with at most this level; infinite: not by the due date.
  [[nodiscard]] double end_with(const ElasticDemand& demand, std::size_t level) const;
  void take(const ElasticDemand& demand, std::size_t level, double end);

  std::vector<Step> steps_;
};

}  // namespace sextant::capacity
