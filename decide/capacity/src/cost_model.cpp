#include "cost_model.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sextant/stats/distributions.h"

namespace sextant::capacity {
namespace {

// A machine that is taken back costs the job its restart each time; what was computed since the last
// checkpoint is part of that.
double with_losses(double time, double losses_per_second, double restart) {
  return time * (1 + losses_per_second * restart);
}

double energy_rate(const Wishes& wishes) {  // USD per joule
  return (wishes.energy_price.value + wishes.carbon_kg_per_kwh * wishes.carbon_price.value) / 3.6e6;
}

}  // namespace

CostModel::CostModel(const Snapshot& snapshot) : snapshot_(&snapshot) {
  const double energy = energy_rate(snapshot.wishes);
  for (const MachineType& type : snapshot.types) {
    rate_.push_back((type.hour_price / kHour).value + energy * type.idle.value);
    busy_rate_.push_back(energy * type.busy.value);
  }
  options_.reserve(snapshot.jobs.size());
  for (const JobState& job : snapshot.jobs) add_job(job);
}

void CostModel::add_job(const JobState& job) {
  const Wishes& wishes = snapshot_->wishes;
  const double z = stats::quantile(stats::Normal{}, std::clamp(1 - wishes.risk, 1e-9, 1 - 1e-9));
  std::vector<OptionCost> options;
  double longest = 0;
  for (const JobOption& option : job.options) {
    const MachineType& type = snapshot_->types[at(option.type)];
    const std::int32_t nodes = (option.gpus + type.gpus - 1) / type.gpus;
    const double losses = type.losses_per_hour / kHour.value * nodes;
    const double time = with_losses(option.time.value, losses, job.restart.value);
    options.push_back({.type = option.type,
                       .gpus = option.gpus,
                       .nodes = nodes,
                       .time = time,
                       .due_time = time * std::exp(z * option.spread),
                       .spread = option.spread});
    longest = std::max(longest, options.back().due_time);
  }
  options_.push_back(std::move(options));
  slack_.push_back((job.due - snapshot_->now).value);
  weight_.push_back(job.tardiness.value);
  restart_.push_back(job.running == kNone ? 0 : job.restart.value);
  const double period = std::isfinite(wishes.period.value) ? wishes.period.value : 0;
  const double late = std::max(0.0, period + longest + restart_.back() - slack_.back());
  postponement_.push_back(wishes.postponement * weight_.back() * late);
}

Watts CostModel::watts(std::int32_t type, std::int32_t used) const {
  const MachineType& machine = snapshot_->types[at(type)];
  return machine.idle + machine.busy * used;
}

double CostModel::tardiness(std::int32_t job, std::int32_t option, bool moved) const {
  const OptionCost& cost = options_[at(job)][at(option)];
  const double slack = slack_[at(job)] - (moved ? restart_[at(job)] : 0);
  const double at_risk = std::max(0.0, cost.due_time - slack);
  return weight_[at(job)] * std::max(at_risk, expected_lateness(cost.time, cost.spread, slack));
}

double CostModel::node_cost(const NodeLoad& load) const {
  const Wishes& wishes = snapshot_->wishes;
  double time = std::isfinite(wishes.period.value) ? wishes.period.value : 0;
  if (load.used > 0 && wishes.cost == NodeCost::makespan) time = load.last;
  if (load.used > 0 && wishes.cost == NodeCost::first_end) time = load.first;
  return rate_[at(load.type)] * std::max(time, billed(load.node, load.type));
}

double CostModel::billed(std::int32_t node, std::int32_t type) const {
  const NodeState& state = snapshot_->nodes[at(node)];
  return state.type == type ? (state.paid_until - snapshot_->now).value
                            : snapshot_->types[at(type)].minimum_billing.value;
}

double CostModel::work(std::int32_t job, std::int32_t option) const {
  const OptionCost& cost = options_[at(job)][at(option)];
  const Wishes& wishes = snapshot_->wishes;
  const double time = wishes.cost == NodeCost::period ? wishes.period.value : cost.time;
  return busy_rate_[at(cost.type)] == 0 ? 0 : busy_rate_[at(cost.type)] * cost.gpus * time;
}

double expected_lateness(double median, double spread, double slack) {
  if (spread == 0 || slack == std::numeric_limits<double>::infinity()) return std::max(0.0, median - slack);
  const double mean = median * std::exp(spread * spread / 2);
  if (slack <= 0) return mean - slack;
  const double d = std::log(median / slack) / spread;
  return mean * stats::cdf(stats::Normal{}, d + spread) - slack * stats::cdf(stats::Normal{}, d);
}

bool stays(const JobState& job, const Assignment& assignment) {
  return job.running != kNone && job.running == assignment.option && job.shares == assignment.shares;
}

}  // namespace sextant::capacity
