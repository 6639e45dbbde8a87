// Shares of time as rows of jobs and pairs, with the time that each has received on each type since the last
// allocation. Time is wall-clock time of the gang, so a share of 0.5 means half of the rounds whatever the
// number of its GPUs; the time of a type is kept in GPU-seconds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "sextant/schedule/rounds.h"

namespace sextant::schedule {

struct RoundRow {
  JobSlot first = -1;
  JobSlot second = -1;  // -1: alone
  std::int32_t gpus = 1;
  bool live = true;                    // nobody of it has left
  const double* first_rate = nullptr;  // by type
  const double* second_rate = nullptr;

  [[nodiscard]] bool runs_on(std::size_t type) const {
    return first_rate[type] > 0 && (second < 0 || second_rate[type] > 0);
  }
};

class RoundShares {
 public:
  RoundShares(std::unique_ptr<SharePolicy> policy, bool packs, const RoundOptions& options);

  [[nodiscard]] const std::vector<RoundRow>& rows() const { return rows_; }
  [[nodiscard]] double share(std::size_t row, std::size_t type) const { return share_[row * types_ + type]; }
  [[nodiscard]] double deficit(std::size_t row, std::size_t type) const {
    return deficit_[row * types_ + type];
  }
  // What the row is owed of its share, over the fraction of the type that it has had.
  [[nodiscard]] double priority(std::size_t row, std::size_t type) const;
  // The row of a job alone; rows().size() where it has none yet.
  [[nodiscard]] std::size_t row_of(JobSlot job) const;
  [[nodiscard]] std::size_t row_of_pair(JobSlot first, JobSlot second) const;

  void receive(std::size_t row, std::size_t type, double seconds);
  void pass(double seconds) { elapsed_s_ += seconds; }  // while jobs were there
  void leave(JobSlot job);

  // Whether the GPUs that are up are not those of the last allocation.
  [[nodiscard]] bool other_cluster(const ClusterView& view) const;
  // Asks the policy, books deficits and begins to count anew. `active` by id.
  void allocate(const ClusterView& view, const std::vector<JobSlot>& active);

 private:
  void book_deficits();
  void pose(const ClusterView& view, const std::vector<JobSlot>& active);
  void add_pairs(const ClusterView& view, const std::vector<JobSlot>& active);
  void reset_times();

  std::unique_ptr<SharePolicy> policy_;
  const PairSpeeds* pairs_;  // null: no pairs
  double initial_s_;
  std::size_t types_ = 0;
  double elapsed_s_ = 0;  // since the last allocation
  ShareProblem problem_ = {};
  Shares answer_ = {};
  std::vector<RoundRow> rows_ = {};
  std::vector<double> share_ = {};                                       // [row][type], as are the next two
  std::vector<double> time_ = {};                                        // s
  std::vector<double> deficit_ = {};                                     // s
  std::vector<double> type_time_ = {};                                   // [type], GPU-seconds
  std::unordered_map<std::uint64_t, std::size_t> index_ = {};            // of rows
  std::unordered_map<std::uint64_t, std::vector<double>> carried_ = {};  // deficits of rows that stay
};

}  // namespace sextant::schedule
