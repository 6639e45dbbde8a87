// How fast models train: iterations a second by GPU, model and global batch, then by number of GPUs.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "sextant/capacity/snapshot.h"
#include "sextant/core/csv.h"

namespace sextant::capacity {

// What trains: a model with so many samples an iteration, on all its GPUs together.
struct TrainedModel {
  std::string model;
  std::int64_t batch = 0;
};

class ThroughputTable {
 public:
  // gpu, model, global_batch, gpus, iterations_per_s (0: it does not run there). InputError at the cell that
  // cannot be.
  explicit ThroughputTable(const CsvTable& table);

  // Ways to run so many iterations: on a part of a machine, or on whole machines side by side. Empty: the
  // table has none.
  [[nodiscard]] std::vector<JobOption> options(const TrainedModel& trained, double iterations,
                                               const std::vector<MachineType>& types) const;
  [[nodiscard]] const std::string& file() const { return file_; }

 private:
  using Key = std::tuple<std::string, std::string, std::int64_t>;  // GPU, model, batch
  std::map<Key, std::map<std::int32_t, double>> rates_;
  std::string file_;
};

}  // namespace sextant::capacity
