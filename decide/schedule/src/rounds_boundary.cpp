// Ordinary queue policies, asked at the boundaries of rounds only.
#include <cmath>

#include "round_clock.h"
#include "sextant/schedule/rounds.h"

namespace sextant::schedule {
namespace {

class BoundaryPolicy final : public RoundedPolicy {
 public:
  BoundaryPolicy(std::unique_ptr<QueuePolicy> policy, Seconds round)
      : policy_(std::move(policy)), clock_(round) {}

  [[nodiscard]] std::uint64_t rounds() const override { return clock_.rounds(); }

  void decide(const ClusterView& view, Decision& out) override {
    const bool was_empty = active_ == 0;
    active_ += static_cast<std::int64_t>(view.arrived.size()) - static_cast<std::int64_t>(view.ended.size());
    arrived_.insert(arrived_.end(), view.arrived.begin(), view.arrived.end());
    ended_.insert(ended_.end(), view.ended.begin(), view.ended.end());
    lost_.insert(lost_.end(), view.lost.begin(), view.lost.end());
    if (active_ == 0 || was_empty) clock_.stop();
    if (active_ == 0) return;  // the last ended: the policy hears of it when the next arrives
    if (!clock_.begins(view.now_s)) {
      out.wake_s = clock_.boundary(view.now_s);
      return;
    }
    ask(view, out);
    if (std::isfinite(out.wake_s)) out.wake_s = clock_.boundary(out.wake_s);
  }

 private:
  void ask(const ClusterView& view, Decision& out) {
    ClusterView all = view;
    all.arrived = arrived_;
    all.ended = ended_;
    all.lost = lost_;
    policy_->decide(all, out);
    arrived_.clear();
    ended_.clear();
    lost_.clear();
  }

  std::unique_ptr<QueuePolicy> policy_;
  RoundClock clock_;
  std::int64_t active_ = 0;
  std::vector<JobSlot> arrived_ = {};  // since the policy was last asked, as are the next two
  std::vector<JobSlot> ended_ = {};
  std::vector<JobSlot> lost_ = {};
};

}  // namespace

std::unique_ptr<RoundedPolicy> make_boundary_policy(std::unique_ptr<QueuePolicy> policy, Seconds round) {
  return std::make_unique<BoundaryPolicy>(std::move(policy), round);
}

}  // namespace sextant::schedule
