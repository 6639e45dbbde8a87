// Dominant resource fairness: the user whose largest share of any resource (GPUs, CPUs, memory) is smallest
// goes first, one job at a time. Ghodsi et al., NSDI 2011. Jobs are not stopped; a user's jobs keep their
// order.
#include <algorithm>
#include <deque>
#include <map>
#include <queue>

#include "backlog.h"

namespace sextant {
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
bool fits(double used, double asked, double total) {
  return total <= 0 || used + asked <= total * (1 + 1e-12);  // sums of fractions of a CPU round
}

class DominantResourceFairness final : public QueuePolicy {
 public:
  DominantResourceFairness(double cpus, double memory_gib) : total_{.cpus = cpus, .memory_gib = memory_gib} {}

  void decide(const ClusterView& view, Decision& out) override {
    update(view);
    copy_free(view, free_);
    std::priority_queue<Turn, std::vector<Turn>, std::greater<>> turns;
    for (const auto& [user, state] : users_) {
      if (!state.waiting.empty()) turns.emplace(level(state, view), user);
    }
    while (!turns.empty()) {
      const std::int32_t user = turns.top().second;
      turns.pop();
      User& state = users_[user];
      // What does not fit now will not later in this instant: its user's turn is over.
      if (!start_first(state, view, out)) continue;
      if (!state.waiting.empty()) turns.emplace(level(state, view), user);
    }
  }

 private:
  using Turn = std::pair<double, std::int32_t>;  // share, user: the smaller goes first
  struct User {
    std::deque<JobSlot> waiting = {};  // by id
    Resources used = {};
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
      queue_up(slot, view);
    }
    for (const JobSlot slot : view.arrived) queue_up(slot, view);
  }

  void queue_up(JobSlot slot, const ClusterView& view) {
    std::deque<JobSlot>& waiting = users_[job_at(view, slot).user].waiting;
    const auto id_of = [&](JobSlot other) { return job_at(view, other).id; };
    waiting.insert(std::ranges::upper_bound(waiting, job_at(view, slot).id, {}, id_of), slot);
  }

  void release(JobSlot slot) {
    const Held& held = held_[static_cast<std::size_t>(slot)];
    users_[held.user].used.add(held.resources, -1);
    used_.add(held.resources, -1);
  }

  // Dominant share over the weight of the job that is next.
  [[nodiscard]] double level(const User& user, const ClusterView& view) const {
    const double weight = job_at(view, user.waiting.front()).weight;
    const double dominant = std::max({share(user.used.gpus, total_.gpus), share(user.used.cpus, total_.cpus),
                                      share(user.used.memory_gib, total_.memory_gib)});
    return weight > 0 ? dominant / weight : std::numeric_limits<double>::infinity();
  }

  bool start_first(User& user, const ClusterView& view, Decision& out) {
    const JobSlot slot = user.waiting.front();
    const JobView& job = job_at(view, slot);
    const std::int32_t type = fastest_with_room(job, free_);
    if (type < 0 || !fits(used_.cpus, job.cpus, total_.cpus) ||
        !fits(used_.memory_gib, job.memory_gib, total_.memory_gib)) {
      return false;
    }
    const Resources asked{
        .gpus = static_cast<double>(job.gpus), .cpus = job.cpus, .memory_gib = job.memory_gib};
    held_[static_cast<std::size_t>(slot)] = {.user = job.user, .resources = asked};
    user.used.add(asked, 1);
    used_.add(asked, 1);
    free_[static_cast<std::size_t>(type)] -= job.gpus;
    user.waiting.pop_front();
    out.start.push_back({.job = slot, .type = type});
    return true;
  }

  Resources total_;
  Resources used_;
  std::map<std::int32_t, User> users_;
  std::vector<Held> held_;  // by slot
  std::vector<std::int64_t> free_;
};

}  // namespace

std::vector<PolicyInfo> policy_drf() {
  PolicyInfo info;
  info.id = "drf";
  info.summary = "the user with the smallest dominant share of GPUs, CPUs and memory goes first";
  info.reference = "Ghodsi et al., NSDI 2011";
  info.parameters = {{"cpus", "CPUs of the cluster; 0: not counted", 0, 0, 1e12},
                     {"memory", "memory of the cluster, GiB; 0: not counted", 0, 0, 1e12}};
  info.aliases = {"dominant-resource-fairness"};
  info.queue = [](const PolicySetup& setup) -> std::unique_ptr<QueuePolicy> {
    return std::make_unique<DominantResourceFairness>(setup.values.at(0), setup.values.at(1));
  };
  return {info};
}

}  // namespace sextant
