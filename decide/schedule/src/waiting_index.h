// Waiting jobs by number of GPUs and estimated time, so that the next one that fits a gap is found in
// logarithmic time however long the queue is: a tree of least estimates over each size's order of arrival.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "sextant/schedule/policy.h"

namespace sextant::schedule {

// Values by position, with the first at or after a position that is no larger than a limit.
class MinTree {
 public:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  void set(std::size_t position, double value);  // infinite: nothing there
  [[nodiscard]] std::size_t first_at_most(std::size_t from, double limit) const;

 private:
  void grow(std::size_t positions);

  std::size_t leaves_ = 0;     // a power of two
  std::vector<double> least_;  // node i has children 2i and 2i + 1; leaves come last
};

// Where the next gang may go on one type: it needs at most `gpus`, and no longer than `length_s`.
struct GpuGap {
  std::int64_t gpus = 0;
  double length_s = 0;
};

class WaitingIndex {
 public:
  // Estimated seconds by type; infinite where the job cannot run.
  void add(JobSlot slot, const JobView& job, std::span<const double> estimate_s);
  void remove(const JobView& job);

  // The first by id from `from_id` on that some type has a gap for; -1: none. gap_for(type, gpus) says which
  // gap a gang of that size may use.
  template <class GapFor>
  [[nodiscard]] JobSlot first(std::int64_t from_id, std::size_t types, const GapFor& gap_for) const {
    JobSlot best = -1;
    std::int64_t best_id = 0;
    for (const auto& [gpus, size] : sizes_) {
      for (std::size_t t = 0; t < types; ++t) {
        const GpuGap gap = gap_for(t, gpus);
        if (gpus > gap.gpus) continue;
        const std::size_t at = size.next(t, from_id, gap.length_s);
        if (at == MinTree::kNone || (best >= 0 && size.ids[at] >= best_id)) continue;
        best = size.slots[at];
        best_id = size.ids[at];
      }
    }
    return best;
  }

 private:
  struct OneSize {
    std::vector<std::int64_t> ids = {};  // by position, ascending; a position is a job's for good
    std::vector<JobSlot> slots = {};
    std::vector<MinTree> estimates = {};  // by type

    [[nodiscard]] std::size_t next(std::size_t type, std::int64_t from_id, double limit) const;
  };

  std::map<std::int32_t, OneSize> sizes_;  // by number of GPUs
};

}  // namespace sextant::schedule
