// Who sits on which GPUs, as a policy of rounds knows it, and how to get from there to where it wants them:
// a job or a pair that stays on its type stays on its GPUs, and nothing is stopped without need.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sextant/schedule/policy.h"

namespace sextant::schedule {

// A job, or two on the same GPUs.
struct RoundGroup {
  JobSlot first = -1;
  JobSlot second = -1;  // -1: alone
  std::int32_t type = -1;
};

class RoundSeats {
 public:
  void resize(std::size_t slots) { seats_.resize(slots); }
  [[nodiscard]] std::int32_t type(JobSlot job) const { return at(job).type; }
  [[nodiscard]] JobSlot partner(JobSlot job) const { return at(job).partner; }

  // The job has left its GPUs; a partner stays.
  void vacate(JobSlot job);
  // Stops and starts that lead to `wanted`. `active` are all jobs that may sit somewhere.
  void move_to(std::span<const RoundGroup> wanted, std::span<const JobSlot> active, Decision& out);

 private:
  struct Seat {
    std::int32_t type = -1;
    JobSlot partner = -1;
    bool stays = false;
  };
  [[nodiscard]] Seat& at(JobSlot job) { return seats_[static_cast<std::size_t>(job)]; }
  [[nodiscard]] const Seat& at(JobSlot job) const { return seats_[static_cast<std::size_t>(job)]; }
  [[nodiscard]] bool can_stay(JobSlot job, std::int32_t type) const;
  void settle(const RoundGroup& group);
  void start(const RoundGroup& group, Decision& out) const;

  std::vector<Seat> seats_ = {};  // by slot
};

}  // namespace sextant::schedule
