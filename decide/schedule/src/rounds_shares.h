// The round mechanism of Gavel (OSDI 2020) as a queue policy: at a boundary, each type takes the rows that
// have had least of their share, and what nobody is entitled to goes to who waits.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "round_clock.h"
#include "round_seats.h"
#include "round_shares.h"
#include "sextant/core/rng.h"
#include "sextant/schedule/rounds.h"

namespace sextant::schedule {

class ShareRounds final : public RoundedPolicy {
 public:
  ShareRounds(std::unique_ptr<SharePolicy> policy, const PolicyInfo& info, const RoundOptions& options);

  void decide(const ClusterView& view, Decision& out) override;
  [[nodiscard]] std::uint64_t rounds() const override { return clock_.rounds(); }

 private:
  struct Stay {
    RoundGroup group = {};
    double since_s = 0;  // up to where its time has been credited
  };
  struct Entry {
    double priority = 0;
    double deficit = 0;
    double share = 0;
    bool sits_here = false;
    std::size_t row = 0;
  };

  void take_changes(const ClusterView& view);
  void end_stay(JobSlot job, double now_s);
  void receive(Stay& stay, double now_s);
  void credit(double now_s);
  [[nodiscard]] bool allocation_is_due(const ClusterView& view) const;
  void order_types(const ClusterView& view);
  void fill(const ClusterView& view);
  void fill_by_share(std::size_t type);
  void fill_idle(const ClusterView& view);
  [[nodiscard]] std::int32_t fastest_left(const JobView& job, std::int32_t type) const;
  [[nodiscard]] bool taken(const RoundRow& row) const;
  void take(const RoundGroup& group, std::int32_t gpus);
  void note_stays(double now_s);

  RoundShares shares_;
  RoundSeats seats_ = {};
  RoundClock clock_;
  double reset_s_;
  bool aware_;
  bool takes_idle_;
  Rng rng_;
  std::vector<JobSlot> active_ = {};       // by id
  std::vector<Stay> stays_ = {};           // of the round under way
  std::vector<RoundGroup> wanted_ = {};    // in the round that begins
  std::vector<std::size_t> order_ = {};    // of types
  std::vector<std::int64_t> left_ = {};    // GPUs by type, while a round is filled
  std::vector<std::uint64_t> taken_ = {};  // by slot: the filling that last took it
  std::vector<Entry> entries_ = {};
  std::vector<std::size_t> sitters_ = {};  // in wanted_: on idle GPUs, where they sat before
  std::uint64_t fillings_ = 0;
  double since_s_ = 0;  // up to where elapsed time has been credited
  double last_allocation_s_ = 0;
  bool changed_ = false;    // since the last allocation
  bool newcomers_ = false;  // without shares
  bool settled_ = false;    // the round would be filled alike whatever has been received
};

}  // namespace sextant::schedule
