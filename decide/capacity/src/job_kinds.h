// What the jobs of a table run, and how long that takes: kinds with times in a table, and networks, whose
// times are predicted.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "sextant/capacity/workload_files.h"
#include "table_cells.h"

namespace sextant::capacity {

class JobKinds {
 public:
  // What both refer to must outlive it.
  JobKinds(const JobTables& tables, const std::vector<MachineType>& types);

  // Of the job in a row, sorted by type, then GPUs. InputError at the cell that says too little.
  const std::vector<JobOption>& options_of(std::size_t row);

 private:
  struct Time {
    double seconds = 0;
    double spread = 0;
  };
  using KindTimes = std::map<std::pair<std::string, std::int32_t>, Time>;  // by GPU, and how many
  using NetworkKey = std::tuple<std::string, std::int64_t, std::int64_t, double, std::string>;

  void read_times(const CsvTable& table);
  [[nodiscard]] bool given(std::size_t row, const std::optional<std::size_t>& column) const {
    return column && !jobs_.empty(row, *column);
  }
  const std::vector<JobOption>& options_of_kind(std::size_t row);
  const std::vector<JobOption>& options_of_network(std::size_t row);
  [[nodiscard]] TrainedNetwork network_in(std::size_t row) const;

  const CsvTable& jobs_;
  const std::vector<MachineType>& types_;
  NetworkTimes predict_;
  std::optional<std::size_t> kind_, network_, samples_, batch_, epochs_, precision_;
  std::string times_file_;  // empty: there is none
  std::map<std::string, KindTimes> times_;
  std::map<std::string, std::vector<JobOption>> kinds_;
  std::map<NetworkKey, std::vector<JobOption>> networks_;
};

}  // namespace sextant::capacity
