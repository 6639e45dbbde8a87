#include "elastic_plan.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "elastic_jobs.h"
#include "elastic_places.h"
#include "sextant/core/infinity.h"

namespace sextant::capacity {
namespace {

constexpr double kWorthOfRestart = 3;    // more GPUs must save so many restarts
constexpr double kFirstLook = 0.01;      // of the shortest job that began: then its speed is known
constexpr double kHopelessWorth = 1e-6;  // of a GPU for a job that is late anyway

struct Grant {
  std::int32_t type = kNone;
  std::int32_t gpus = 0;                  // now
  const ElasticLevel* planned = nullptr;  // the level of its plan; none: it is late, whatever it gets
};

class ElasticPlanner {
 public:
  ElasticPlanner(const Snapshot& snapshot, const ElasticSettings& settings)
      : snapshot_(snapshot),
        settings_(settings),
        model_(snapshot),
        gpus_(owned_gpus(snapshot)),
        jobs_(elastic_jobs(model_, gpus_)) {}

  Decision decide() {
    admit();
    grants_.assign(jobs_.size(), {});
    if (!lay_in(kept_, by_due_date(), true) && settings_.by_slack_too) {
      const std::vector<Grant> first = grants_;
      const std::size_t missed = missed_;
      lay_in(kept_, by_latest_start(), true);
      if (missed_ > missed) grants_ = first;
    }
    free_ = gpus_;
    for (const Grant& grant : grants_) {
      if (grant.gpus > 0) free_[at(grant.type)] -= grant.gpus;
    }
    keep_what_runs();
    give_what_is_left();
    return carried_out();
  }

 private:
  using Order = std::vector<std::size_t>;  // of jobs_
  static std::size_t at(std::int32_t index) { return static_cast<std::size_t>(index); }

  // New jobs, in the order of submission, as long as all that was promised can still be kept.
  void admit() {
    for (std::size_t j = 0; j < jobs_.size(); ++j) {
      if (jobs_[j].promised) kept_.push_back(j);
    }
    for (std::size_t j = 0; j < jobs_.size(); ++j) {
      if (jobs_[j].promised) continue;
      kept_.push_back(j);
      if (fits_with(j)) continue;
      kept_.pop_back();
      refused_.push_back(jobs_[j].job);
    }
  }

  // Only jobs that are not large may press others together: who fits by the second order alone leaves little
  // room.
  bool fits_with(std::size_t j) {
    if (jobs_[j].hopeless()) return false;
    const bool large = is_large(jobs_[j]);
    if (large && uses_reserve(jobs_[j])) return false;
    if (lay_in(kept_, by_due_date(), false)) return true;
    return settings_.by_slack_too && !large && lay_in(kept_, by_latest_start(), false);
  }

  [[nodiscard]] bool is_large(const ElasticJob& job) const {
    std::vector<double> demands;
    for (const std::size_t k : kept_) {
      if (jobs_[k].demand < kInfinity) demands.push_back(jobs_[k].demand);
    }
    if (demands.empty()) return false;
    const auto middle = demands.begin() + static_cast<std::ptrdiff_t>(demands.size() / 2);
    std::ranges::nth_element(demands, middle);
    return job.demand > *middle;
  }

  // Whether less than the reserve is left to jobs that are still to come.
  [[nodiscard]] bool uses_reserve(const ElasticJob& job) const {
    if (settings_.reserve <= 0) return false;
    const double all = std::accumulate(gpus_.begin(), gpus_.end(), 0.0) * job.due;
    double planned = 0;
    for (const std::size_t k : kept_) {
      const ElasticJob& other = jobs_[k];
      if (other.demand == kInfinity) continue;
      planned += other.due <= job.due ? other.demand : other.demand * job.due / other.due;
    }
    return planned > (1 - settings_.reserve) * all;
  }

  [[nodiscard]] Order sorted(const std::vector<double>& keys) const {
    Order order(jobs_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&keys](std::size_t j) { return keys[j]; });
    return order;
  }
  const Order& by_due_date() {
    if (due_order_.empty()) {
      std::vector<double> keys;
      for (const ElasticJob& job : jobs_) keys.push_back(job.due);
      due_order_ = sorted(keys);
    }
    return due_order_;
  }
  const Order& by_latest_start() {
    if (start_order_.empty()) {
      std::vector<double> keys;
      for (const ElasticJob& job : jobs_) keys.push_back(job.due - job.fastest);
      start_order_ = sorted(keys);
    }
    return start_order_;
  }

  // True if all fit. Without `grant`, it ends at the first that does not.
  bool lay_in(const std::vector<std::size_t>& kept, const Order& order, bool grant) {
    std::vector<bool> chosen(jobs_.size(), false);
    for (const std::size_t j : kept) chosen[j] = true;
    std::vector<FreeGpus> free;
    for (const std::int32_t gpus : gpus_) free.emplace_back(gpus);
    missed_ = 0;
    for (const std::size_t j : order) {
      if (!chosen[j]) continue;
      Grant found;
      if (!jobs_[j].hopeless())
        found = lay_in_one(jobs_[j], free);
      else if (!grant)
        continue;  // lost already: it takes nothing from others
      if (found.planned == nullptr) ++missed_;
      if (found.planned == nullptr && !grant) return false;
      if (grant) grants_[j] = found;
    }
    return missed_ == 0;
  }

  // On the type that it runs on, else the first that lets it end in time.
  static Grant lay_in_one(const ElasticJob& job, std::vector<FreeGpus>& free) {
    for (std::size_t i = 0; i <= free.size(); ++i) {
      const std::size_t type = i == 0 ? static_cast<std::size_t>(job.type) : i - 1;
      if (i == 0 && job.type == kNone) continue;
      if (job.levels[type].empty()) continue;
      if (const auto fill = free[type].fill(job.demand_on(type))) {
        return {.type = static_cast<std::int32_t>(type),
                .gpus = fill->gpus_now,
                .planned = &job.levels[type][fill->level]};
      }
    }
    return {};
  }

  // A restart is worth avoiding: who has more than its plan needs keeps it while nobody else needs it.
  void keep_what_runs() {
    for (const std::size_t j : by_due_date()) {
      Grant& grant = grants_[j];
      const ElasticJob& job = jobs_[j];
      if (job.restart <= 0 || job.current <= grant.gpus) continue;
      if (grant.gpus > 0 && grant.type != job.type) continue;
      if (!is_kept(j) || job.current - grant.gpus > free_[at(job.type)]) continue;
      free_[at(job.type)] -= job.current - grant.gpus;
      grant.type = job.type;
      grant.gpus = job.current;
    }
  }

  [[nodiscard]] bool is_kept(std::size_t j) const { return std::ranges::find(kept_, j) != kept_.end(); }

  struct Raise {
    double worth = 0;
    std::size_t job = 0;
    std::int32_t type = kNone;
    std::int32_t gpus = 0;
  };

  // GPU seconds that a GPU saves in each second: what it does now need not be done by the planned GPUs.
  void give_what_is_left() {
    while (true) {
      Raise best;
      for (const std::size_t j : kept_) look_for_raise(j, best);
      if (best.type == kNone) return;
      Grant& grant = grants_[best.job];
      free_[at(best.type)] -= best.gpus - grant.gpus;
      grant.type = best.type;
      grant.gpus = best.gpus;
    }
  }

  void look_for_raise(std::size_t j, Raise& best) const {
    const ElasticJob& job = jobs_[j];
    const Grant& grant = grants_[j];
    for (std::size_t t = 0; t < job.levels.size(); ++t) {
      if (grant.gpus > 0 && at(grant.type) != t) continue;
      if (grant.gpus == 0 && grant.planned != nullptr && at(grant.type) != t) continue;
      double rate = 0;
      for (const ElasticLevel& level : job.levels[t]) {
        if (level.gpus == grant.gpus) rate = level.rate;
        if (level.gpus <= grant.gpus || level.gpus - grant.gpus > free_[t]) continue;
        if (!pays_restart(job, grant, rate, level)) continue;
        const ElasticLevel& usual = grant.planned != nullptr ? *grant.planned : job.levels[t].front();
        const double gain = (level.rate - rate) / (level.gpus - grant.gpus) * usual.gpus / usual.rate;
        const double worth = job.hopeless() ? gain * kHopelessWorth : gain;
        if (worth > best.worth) best = {worth, j, static_cast<std::int32_t>(t), level.gpus};
      }
    }
  }

  static bool pays_restart(const ElasticJob& job, const Grant& grant, double rate,
                           const ElasticLevel& level) {
    if (job.restart <= 0 || grant.gpus == 0 || grant.gpus != job.current) return true;
    return 1 / rate - 1 / level.rate > kWorthOfRestart * job.restart;
  }

  Decision carried_out() {
    std::vector<WantedPlace> wanted;
    for (std::size_t j = 0; j < jobs_.size(); ++j) {
      if (grants_[j].gpus == 0) continue;
      for (const ElasticLevel& level : jobs_[j].levels[at(grants_[j].type)]) {
        if (level.gpus == grants_[j].gpus) wanted.push_back({.job = jobs_[j].job, .option = level.option});
      }
    }
    Decision decision = place_on_owned(model_, wanted);
    decision.refused = refused_;
    decision.wake = first_look(decision);
    return decision;
  }

  // How fast a job really is shows soon after its start; who is slower than stated may need more.
  [[nodiscard]] Seconds first_look(const Decision& decision) const {
    double soonest = kInfinity;
    for (const Assignment& assignment : decision.run) {
      const JobState& job = snapshot_.jobs[at(assignment.job)];
      const JobOption& option = job.options[at(assignment.option)];
      if (job.running == kNone && option.spread > 0)
        soonest = std::min(soonest, kFirstLook * option.time.value);
    }
    return snapshot_.now + Seconds{std::max(soonest, 1.0)};
  }

  const Snapshot& snapshot_;
  const ElasticSettings& settings_;
  CostModel model_;
  std::vector<std::int32_t> gpus_;  // by type
  std::vector<ElasticJob> jobs_;
  std::vector<std::size_t> kept_;  // promised, or admitted now
  std::vector<std::int32_t> refused_;
  std::vector<Grant> grants_;
  std::vector<std::int32_t> free_;  // by type, now
  Order due_order_;
  Order start_order_;
  std::size_t missed_ = 0;  // by the last lay_in()
};

// On which all jobs together cost least, a GPU being a part of its machine; a job that it cannot run costs
// most.
std::int32_t cheapest_type(const Snapshot& snapshot) {
  std::vector<double> cost(snapshot.types.size(), 0);
  for (const JobState& job : snapshot.jobs) {
    std::vector<double> least(snapshot.types.size(), kInfinity);
    double most = 0;
    for (const JobOption& option : job.options) {
      const MachineType& type = snapshot.types[static_cast<std::size_t>(option.type)];
      const double price = type.hour_price.value * option.gpus / type.gpus * option.time.value;
      double& best = least[static_cast<std::size_t>(option.type)];
      best = std::min(best, price);
      most = std::max(most, price);
    }
    for (std::size_t t = 0; t < cost.size(); ++t) cost[t] += least[t] == kInfinity ? 10 * most + 1 : least[t];
  }
  return static_cast<std::int32_t>(std::ranges::min_element(cost) - cost.begin());
}

}  // namespace

bool owns_all_nodes(const Snapshot& snapshot) {
  return std::ranges::none_of(snapshot.nodes, [](const NodeState& node) { return node.only == kNone; });
}

Decision plan_elastic(const Snapshot& snapshot, const ElasticSettings& settings) {
  if (owns_all_nodes(snapshot)) return ElasticPlanner(snapshot, settings).decide();
  Snapshot owned = snapshot;
  const std::int32_t type = cheapest_type(snapshot);
  for (NodeState& node : owned.nodes) {
    if (node.only == kNone) node.only = node.type == kNone ? type : node.type;
  }
  return ElasticPlanner(owned, settings).decide();
}

std::vector<std::int32_t> hopeless_jobs(const Snapshot& snapshot) {
  const CostModel model(snapshot);
  std::vector<std::int32_t> hopeless;
  for (std::int32_t j = 0; j < static_cast<std::int32_t>(snapshot.jobs.size()); ++j) {
    if (snapshot.jobs[static_cast<std::size_t>(j)].promised) continue;
    const bool kept = std::ranges::any_of(
        model.options(j), [&](const OptionCost& option) { return option.due_time <= model.slack(j); });
    if (!kept) hopeless.push_back(j);
  }
  return hopeless;
}

}  // namespace sextant::capacity
