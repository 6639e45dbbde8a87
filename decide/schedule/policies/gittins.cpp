// Tiresias with a distribution of job sizes: queues by GPU-seconds received and, inside a queue, the larger
// Gittins index first. The distribution is that of the jobs that have ended so far, so nothing is known
// before it could be. Gu et al., NSDI'19 (discretised 2D-Gittins).
#include <algorithm>
#include <optional>

#include "gittins_index.h"
#include "running_ends.h"
#include "service_queues.h"
#include "sextant/core/infinity.h"

namespace sextant::schedule::policy_gittins {
namespace {

constexpr double kGrowth = 0.1;  // a sample that is a tenth older says little new

// Sizes of ended jobs, and when ranks are next computed from them. All ranks change at one instant: an index
// of one sample is not comparable with that of another.
struct GittinsState {
  GittinsTable table = {};
  std::optional<double> begun_s = {};  // first decision
  double next_s = 0;
};

class GittinsRule final : public RankRule {
 public:
  GittinsRule(std::vector<double> limits, const GittinsState& state)
      : queues_(std::move(limits), 0), state_(state) {}

  Rank rank(const JobView& job, const ClusterView& view) override {
    const ServicePlace place = queues_.place(job, view.now_s);
    // The clock may stop a rounding short of the point that a wake-up was asked for.
    const double service = place.service + job.gpus * kSameInstant;
    Rank rank{.level = place.queue, .at_zero = -state_.table.index(service)};
    rank.until_s = std::min(place.until_s, state_.next_s);
    if (job.runs()) {
      const double ahead = state_.table.next_point(service) - place.service;
      rank.until_s = std::min(rank.until_s, view.now_s + ahead / job.gpus);
    }
    return rank;
  }

 private:
  ServiceQueues queues_;
  const GittinsState& state_;
};

class Gittins final : public QueuePolicy {
 public:
  explicit Gittins(const Parameters& parameters)
      : refresh_s_(parameters.seconds("refresh").value),
        ranked_(make_ranked(
            std::make_unique<GittinsRule>(
                std::vector<double>{parameters.seconds("limit1").value, parameters.seconds("limit2").value},
                state_),
            {.preempts = true, .move_s = parameters.seconds("move").value})) {}

  void decide(const ClusterView& view, Decision& out) override {
    sizes_.resize(std::max(sizes_.size(), view.jobs.size()));
    for (const JobSlot slot : view.ended) state_.table.add(sizes_[static_cast<std::size_t>(slot)]);
    for (const JobSlot slot : view.arrived) {
      JobView job = job_at(view, slot);
      if (job.true_work > 0) job.remaining = job.true_work;  // counts when it has ended
      sizes_[static_cast<std::size_t>(slot)] =
          job.gpus * best_remaining_s(job, view.types.size(), view.now_s);
    }
    refresh(view.now_s);
    ranked_->decide(view, out);
  }

 private:
  void refresh(double now_s) {
    if (!state_.begun_s) {
      state_.begun_s = now_s;
      state_.next_s = now_s + refresh_s_;
    }
    if (now_s + kSameInstant < state_.next_s) return;
    state_.table.refresh();
    state_.next_s = now_s + std::max(refresh_s_, kGrowth * (now_s - *state_.begun_s));
  }

  double refresh_s_;
  std::vector<double> sizes_;  // by slot, GPU-seconds alone on its fastest type
  GittinsState state_;
  std::unique_ptr<QueuePolicy> ranked_;
};

}  // namespace

std::vector<PolicyInfo> plugin() {
  PolicyInfo info;
  info.id = "gittins";
  info.summary = "three queues by GPU time received; in a queue, the likeliest to end soon goes first";
  info.reference = "Gu et al., NSDI 2019 (discretised 2D-Gittins)";
  info.parameters = {
      seconds_parameter("limit1", "GPU-seconds at which a job leaves the first queue", {3250, 0, kInfinity}),
      seconds_parameter("limit2", "GPU-seconds at which a job leaves the second queue", {7200, 0, kInfinity}),
      seconds_parameter("refresh", "least time between two looks at the sizes of ended jobs", {3600, 1, 1e9}),
      move_parameter()};
  info.aliases = {"tiresias-g", "2d-gittins"};
  info.queue = [](const PolicySetup& setup) -> std::unique_ptr<QueuePolicy> {
    return std::make_unique<Gittins>(setup.parameters);
  };
  return {info};
}

}  // namespace sextant::schedule::policy_gittins
