// Dominant resource fairness: the user whose largest share of any resource (GPUs, CPUs, memory) is smallest
// goes first, one job at a time. Ghodsi et al., NSDI 2011. Jobs are not stopped; a user's jobs keep their
// order.
#include <algorithm>
#include <map>
#include <queue>
#include <tuple>

#include "running_ends.h"
#include "sextant/core/infinity.h"
#include "waiting_index.h"

namespace sextant::schedule::policy_drf {
namespace {

struct Resources {
  double gpus = 0;
  double cpus = 0;
  double memory_gib = 0;

  void add(const Resources& other, double sign) {
    gpus += sign * other.gpus;
    cpus += sign * other.cpus;
    memory_gib += sign * other.memory_gib;
  }
};

// 0 in total: not counted.
double share(double used, double total) {
  return total > 0 ? used / total : 0;
}
bool within(double used, double total) {
  return total <= 0 || used <= total * (1 + 1e-12);  // sums of fractions of a CPU round
}

class DominantResourceFairness final : public QueuePolicy {
 public:
  DominantResourceFairness(double cpus, double memory_gib) : total_{.cpus = cpus, .memory_gib = memory_gib} {}

  void decide(const ClusterView& view, Decision& out) override {
    update(view);
    copy_free(view, free_);
    // What does not fit now will not later in this instant: a user without such a job has no turn.
    std::priority_queue<Turn, std::vector<Turn>, std::greater<>> turns;
    const auto queue_up = [&](std::int32_t user, User& state) {
      const JobSlot slot = first_that_fits(state, view);
      if (slot >= 0) turns.push({level(state, job_at(view, slot)), user, slot, &state});
    };
    for (auto& [user, state] : users_) {
      if (state.jobs > 0) queue_up(user, state);
    }
    while (!turns.empty()) {
      const Turn turn = turns.top();
      turns.pop();
      if (fits(job_at(view, turn.slot))) start(*turn.state, turn.slot, view, out);
      if (turn.state->jobs > 0) queue_up(turn.user, *turn.state);
    }
  }

 private:
  struct User {
    WaitingIndex waiting = {};
    std::size_t jobs = 0;  // that wait
    Resources used = {};
  };
  struct Turn {
    double level = 0;
    std::int32_t user = -1;
    JobSlot slot = -1;
    User* state = nullptr;
    bool operator>(const Turn& other) const {
      return std::tie(level, user) > std::tie(other.level, other.user);
    }
  };
  struct Held {
    std::int32_t user = -1;
    Resources resources = {};
  };

  void update(const ClusterView& view) {
    total_.gpus = 0;
    for (const TypeView& type : view.types) total_.gpus += static_cast<double>(type.gpus);
    held_.resize(std::max(held_.size(), view.jobs.size()));
    for (const JobSlot slot : view.ended) release(slot);
    for (const JobSlot slot : view.lost) {
      release(slot);
      wait(slot, view);
    }
    for (const JobSlot slot : view.arrived) wait(slot, view);
  }

  void wait(JobSlot slot, const ClusterView& view) {
    const JobView& job = job_at(view, slot);
    User& user = users_[job.user];
    usable_.clear();
    for (std::size_t t = 0; t < view.types.size(); ++t) usable_.push_back(job.rate[t] > 0 ? 0 : kInfinity);
    user.waiting.add(slot, job, usable_);
    ++user.jobs;
  }

  void release(JobSlot slot) {
    const Held& held = held_[static_cast<std::size_t>(slot)];
    users_[held.user].used.add(held.resources, -1);
    used_.add(held.resources, -1);
  }

  // Dominant share over the weight of the job that is next.
  [[nodiscard]] double level(const User& user, const JobView& next) const {
    const double dominant = std::max({share(user.used.gpus, total_.gpus), share(user.used.cpus, total_.cpus),
                                      share(user.used.memory_gib, total_.memory_gib)});
    return next.weight > 0 ? dominant / next.weight : kInfinity;
  }

  [[nodiscard]] bool fits(const JobView& job) const {
    return within(used_.cpus + job.cpus, total_.cpus) &&
           within(used_.memory_gib + job.memory_gib, total_.memory_gib) && fastest_with_room(job, free_) >= 0;
  }

  [[nodiscard]] JobSlot first_that_fits(const User& user, const ClusterView& view) const {
    const auto gap = [&](std::size_t type, std::int32_t) {
      return GpuGap{.gpus = free_[type], .length_s = 0};
    };
    std::int64_t from = 0;
    while (true) {
      const JobSlot slot = user.waiting.first(from, free_.size(), gap);
      if (slot < 0 || fits(job_at(view, slot))) return slot;
      from = job_at(view, slot).id + 1;  // CPUs or memory do not suffice
    }
  }

  void start(User& user, JobSlot slot, const ClusterView& view, Decision& out) {
    const JobView& job = job_at(view, slot);
    const std::int32_t type = fastest_with_room(job, free_);
    const Resources asked{
        .gpus = static_cast<double>(job.gpus), .cpus = job.cpus, .memory_gib = job.memory_gib};
    held_[static_cast<std::size_t>(slot)] = {.user = job.user, .resources = asked};
    user.used.add(asked, 1);
    used_.add(asked, 1);
    free_[static_cast<std::size_t>(type)] -= job.gpus;
    user.waiting.remove(job);
    --user.jobs;
    out.start.push_back({.job = slot, .type = type});
  }

  Resources total_;
  Resources used_;
  std::map<std::int32_t, User> users_;
  std::vector<Held> held_;  // by slot
  std::vector<std::int64_t> free_;
  std::vector<double> usable_;  // of one job, by type: 0 or infinite
};

}  // namespace

std::vector<PolicyInfo> plugin() {
  PolicyInfo info;
  info.id = "drf";
  info.summary = "the user with the smallest dominant share of GPUs, CPUs and memory goes first";
  info.reference = "Ghodsi et al., NSDI 2011";
  info.parameters = {number_parameter("cpus", "CPUs of the cluster; 0: not counted", {0, 0, 1e12}),
                     number_parameter("memory", "memory of the cluster, GiB; 0: not counted", {0, 0, 1e12})};
  info.aliases = {"dominant-resource-fairness"};
  info.queue = [](const PolicySetup& setup) -> std::unique_ptr<QueuePolicy> {
    return std::make_unique<DominantResourceFairness>(setup.parameters.number("cpus"),
                                                      setup.parameters.number("memory"));
  };
  return {info};
}

}  // namespace sextant::schedule::policy_drf
