// What Gavel keeps of every active job, and of every pair of jobs where a policy packs: time received since
// the last allocation, deficit and share, by type. Rows stand in the order in which Gavel's dictionaries hold
// them, which breaks ties: by the newer job, alone first, then with each older one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "gavel_types.h"
#include "sextant/simulate/job_set.h"

namespace sextant::simulate {

struct GavelRow {
  std::int32_t first = -1;   // in JobSet::jobs
  std::int32_t second = -1;  // newer partner; -1: alone
  std::int32_t gpus = 1;
  std::int32_t ran_on = -1;            // type of the round before; -1: none
  bool shared = false;                 // has a row in the allocation
  const double* first_rate = nullptr;  // steps per second by type
  const double* second_rate = nullptr;

  [[nodiscard]] bool is_pair() const { return second >= 0; }
  [[nodiscard]] bool runs_on(std::size_t type) const {
    return first_rate[type] > 0 && (second < 0 || second_rate[type] > 0);
  }
};

class GavelTable {
 public:
  // With `packs`, pairs of jobs with equal GPUs of which `jobs` knows speeds get rows too.
  GavelTable(const JobSet& jobs, const GavelTypes& types, bool packs, Seconds round);

  [[nodiscard]] std::size_t types() const { return types_; }
  [[nodiscard]] std::vector<GavelRow>& rows() { return rows_; }
  [[nodiscard]] const std::vector<GavelRow>& rows() const { return rows_; }
  [[nodiscard]] double& time(std::size_t row, std::size_t type) { return time_[row * types_ + type]; }
  [[nodiscard]] double& share(std::size_t row, std::size_t type) { return share_[row * types_ + type]; }
  [[nodiscard]] double share(std::size_t row, std::size_t type) const { return share_[row * types_ + type]; }
  [[nodiscard]] double deficit(std::size_t row, std::size_t type) const {
    return deficit_[row * types_ + type];
  }
  [[nodiscard]] double& worker_time(std::size_t type) { return worker_time_[type]; }
  // Whether the priority is above zero.
  [[nodiscard]] bool entitled(std::size_t row, std::size_t type) const {
    return rows_[row].shared && share_[row * types_ + type] > 0 && rows_[row].runs_on(type);
  }
  // Share over the fraction of the type's time that the row has had.
  [[nodiscard]] double priority(std::size_t row, std::size_t type) const;

  [[nodiscard]] std::int32_t jobs_active() const { return jobs_active_; }
  // Row of an active job alone.
  [[nodiscard]] std::int32_t row_of(std::int32_t job) const { return row_of_[static_cast<std::size_t>(job)]; }

  void admit(std::int32_t job);
  // Drops the rows of the jobs for which gone[job] holds.
  void remove(const std::vector<char>& gone);
  // Books deficits of the seconds since the last allocation, starts the count of time anew, drops shares.
  void reset(double elapsed_s);

 private:
  void append(const GavelRow& row, double time_s);

  const JobSet& jobs_;
  std::size_t types_;
  bool packs_;
  double initial_s_;  // counted for a job before it has run
  std::vector<GavelRow> rows_ = {};
  std::vector<double> time_ = {};  // [row][type], as are the next two
  std::vector<double> deficit_ = {};
  std::vector<double> share_ = {};
  std::vector<std::int32_t> row_of_;  // by job
  std::int32_t jobs_active_ = 0;
  std::vector<double> worker_time_;                                        // [type], of all rows
  std::vector<double> rate_ = {};                                          // [class][type]
  std::unordered_map<std::uint64_t, std::vector<double>> pair_rate_ = {};  // [which][type]
};

}  // namespace sextant::simulate
