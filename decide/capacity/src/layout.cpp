#include "layout.h"

#include <algorithm>
#include <array>
#include <limits>
#include <tuple>
#include <utility>

namespace sextant::capacity {
namespace {

constexpr double kLimitRoundOff = 1 + 1e-9;  // of sums of prices and watts

}  // namespace

Layout::Layout(const CostModel& model)
    : model_(&model), nodes_(model.snapshot().nodes.size()), places_(model.snapshot().jobs.size()) {
  for (std::int32_t job = 0; job < jobs(); ++job) {
    places_[at(job)].cost = model.postponement(job);
    jobs_cost_ += places_[at(job)].cost;
  }
}

bool Layout::allowed(std::int32_t job, std::int32_t node) const {
  const std::vector<std::int32_t>& only = model_->snapshot().jobs[at(job)].nodes;
  return only.empty() || std::ranges::find(only, node) != only.end();
}

bool Layout::may_be(std::int32_t node, std::int32_t type) const {
  const NodeState& state = model_->snapshot().nodes[at(node)];
  if (state.down || (state.only != kNone && state.only != type)) return false;
  return nodes_[at(node)].type == kNone || nodes_[at(node)].type == type;
}

bool Layout::within_limits(const OptionCost& option, std::int32_t opened) const {
  const Wishes& wishes = model_->snapshot().wishes;
  if (!wishes.budget && !wishes.power) return true;
  const double work_rate = model_->rate(option.type, option.gpus) - model_->rate(option.type, 0);
  const double work_watts = (model_->watts(option.type, option.gpus) - model_->watts(option.type, 0)).value;
  const double rate = rate_ + work_rate + opened * model_->rate(option.type, 0);
  const double watts = watts_ + work_watts + opened * model_->watts(option.type, 0).value;
  return (!wishes.budget || rate <= wishes.budget->value * kLimitRoundOff) &&
         (!wishes.power || watts <= wishes.power->value * kLimitRoundOff);
}

bool Layout::place(std::int32_t job, std::int32_t option) {
  if (stay(job, option)) return true;
  return model_->option(job, option).nodes > 1 ? place_wide(job, option) : place_narrow(job, option, false);
}

bool Layout::place_alone(std::int32_t job, std::int32_t option) {
  return model_->option(job, option).nodes > 1 ? place_wide(job, option) : place_narrow(job, option, true);
}

bool Layout::place_narrow(std::int32_t job, std::int32_t option, bool alone) {
  const OptionCost& cost = model_->option(job, option);
  const std::int32_t most = model_->snapshot().types[at(cost.type)].gpus;
  std::int32_t best = kNone;
  // The fullest node with room, else one that is this type already or can be nothing else, else any.
  std::tuple<int, int> best_rank{std::numeric_limits<int>::max(), 0};
  for (std::int32_t node = 0; node < nodes(); ++node) {
    if (!may_be(node, cost.type) || !allowed(job, node)) continue;
    const Node& has = nodes_[at(node)];
    if (has.used + cost.gpus > most) continue;
    const NodeState& state = model_->snapshot().nodes[at(node)];
    if (alone && has.used > 0 && state.only == kNone) continue;
    const int off = has.type == kNone ? (state.only == cost.type ? 1 : state.type == cost.type ? 2 : 3) : 0;
    const std::tuple<int, int> rank{off, -has.used};
    if (rank < best_rank) {
      best_rank = rank;
      best = node;
    }
  }
  return best != kNone && place_on(job, option, best);
}

bool Layout::place_on(std::int32_t job, std::int32_t option, std::int32_t node) {
  const OptionCost& cost = model_->option(job, option);
  const Node& has = nodes_[at(node)];
  if (cost.nodes > 1 || !may_be(node, cost.type) || !allowed(job, node)) return false;
  if (has.used + cost.gpus > model_->snapshot().types[at(cost.type)].gpus) return false;
  if (!within_limits(cost, has.type == kNone ? 1 : 0)) return false;
  put(job, option, std::array{Share{node, cost.gpus}});
  return true;
}

bool Layout::stay(std::int32_t job, std::int32_t option) {
  const JobState& state = model_->snapshot().jobs[at(job)];
  if (state.running != option || state.shares.empty()) return false;
  const OptionCost& cost = model_->option(job, option);
  const std::int32_t most = model_->snapshot().types[at(cost.type)].gpus;
  std::int32_t opened = 0;
  for (const Share& share : state.shares) {
    if (!may_be(share.node, cost.type) || !allowed(job, share.node)) return false;
    if (nodes_[at(share.node)].used + share.gpus > most) return false;
    if (nodes_[at(share.node)].type == kNone) ++opened;
  }
  if (!within_limits(cost, opened)) return false;
  put(job, option, state.shares);
  return true;
}

bool Layout::place_wide(std::int32_t job, std::int32_t option) {
  const OptionCost& cost = model_->option(job, option);
  const std::int32_t most = model_->snapshot().types[at(cost.type)].gpus;
  std::vector<Share> shares;
  std::int32_t left = cost.gpus;
  for (std::int32_t node = 0; node < nodes() && left > 0; ++node) {
    if (nodes_[at(node)].type != kNone || !may_be(node, cost.type) || !allowed(job, node)) continue;
    shares.push_back({node, std::min(left, most)});
    left -= shares.back().gpus;
  }
  if (left > 0 || !within_limits(cost, static_cast<std::int32_t>(shares.size()))) return false;
  put(job, option, shares);
  return true;
}

void Layout::put(std::int32_t job, std::int32_t option, std::span<const Share> shares) {
  const OptionCost& cost = model_->option(job, option);
  Place& place = places_[at(job)];
  const JobState& state = model_->snapshot().jobs[at(job)];
  const bool moved = state.running != option || !std::ranges::equal(state.shares, shares);
  jobs_cost_ -= place.cost;
  place.option = option;
  place.shares.assign(shares.begin(), shares.end());
  place.time = cost.time + (moved ? model_->restart(job) : 0);
  place.cost = model_->tardiness(job, option, moved) + model_->work(job, option);
  jobs_cost_ += place.cost;
  for (const Share& share : place.shares) {
    Node& node = nodes_[at(share.node)];
    node.type = cost.type;
    node.used += share.gpus;
    node.jobs.push_back(job);
    price(share.node);
  }
}

void Layout::remove(std::int32_t job) {
  Place& place = places_[at(job)];
  if (place.option == kNone) return;
  for (const Share& share : place.shares) {
    Node& node = nodes_[at(share.node)];
    node.used -= share.gpus;
    std::erase(node.jobs, job);
    price(share.node);
    if (node.jobs.empty()) node.type = kNone;
  }
  jobs_cost_ -= place.cost;
  place = {.cost = model_->postponement(job)};
  jobs_cost_ += place.cost;
}

std::int32_t Layout::option_with(std::int32_t job, std::int32_t type, std::int32_t gpus) const {
  // Sorted by type, then GPUs.
  const std::vector<OptionCost>& options = model_->options(job);
  const auto found = std::ranges::lower_bound(options, std::pair(type, gpus), {},
                                              [](const OptionCost& o) { return std::pair(o.type, o.gpus); });
  if (found == options.end() || found->type != type || found->gpus != gpus) return kNone;
  return static_cast<std::int32_t>(found - options.begin());
}

bool Layout::retype(std::int32_t index, std::int32_t type) {
  const Node before = nodes_[at(index)];
  const NodeState& state = model_->snapshot().nodes[at(index)];
  if (before.used == 0 || before.type == type || (state.only != kNone && state.only != type)) return false;
  if (model_->snapshot().types[at(type)].gpus < before.used) return false;
  std::vector<std::int32_t> options;
  for (const std::int32_t job : before.jobs) {
    if (places_[at(job)].shares.size() > 1) return false;
    options.push_back(option_with(job, type, places_[at(job)].shares.front().gpus));
    if (options.back() == kNone) return false;
  }
  std::vector<std::int32_t> old;
  for (const std::int32_t job : before.jobs) {
    old.push_back(places_[at(job)].option);
    remove(job);
  }
  std::size_t placed = 0;
  while (placed < options.size() && place_on(before.jobs[placed], options[placed], index)) ++placed;
  if (placed == options.size()) return true;
  for (std::size_t i = 0; i < placed; ++i) remove(before.jobs[i]);
  for (std::size_t i = 0; i < old.size(); ++i) {
    put(before.jobs[i], old[i], std::array{Share{index, model_->option(before.jobs[i], old[i]).gpus}});
  }
  return false;
}

void Layout::price(std::int32_t index) {
  Node& node = nodes_[at(index)];
  nodes_cost_ -= node.cost;
  rate_ -= node.rate;
  watts_ -= node.watts;
  if (node.jobs.empty()) {
    node.cost = node.rate = node.watts = 0;
    return;
  }
  double first = std::numeric_limits<double>::infinity();
  double last = 0;
  for (const std::int32_t job : node.jobs) {
    first = std::min(first, places_[at(job)].time);
    last = std::max(last, places_[at(job)].time);
  }
  node.cost =
      model_->node_cost({.node = index, .type = node.type, .used = node.used, .first = first, .last = last});
  node.rate = model_->rate(node.type, node.used);
  node.watts = model_->watts(node.type, node.used).value;
  nodes_cost_ += node.cost;
  rate_ += node.rate;
  watts_ += node.watts;
}

double Layout::cost_with(std::int32_t job, std::int32_t option, std::int32_t index) const {
  const OptionCost& cost = model_->option(job, option);
  const Node& node = nodes_[at(index)];
  constexpr double kImpossible = std::numeric_limits<double>::infinity();
  if (cost.nodes > 1 || !may_be(index, cost.type)) return kImpossible;
  if (node.used + cost.gpus > model_->snapshot().types[at(cost.type)].gpus) return kImpossible;
  if (!allowed(job, index) || !within_limits(cost, node.used == 0 ? 1 : 0)) return kImpossible;
  const JobState& state = model_->snapshot().jobs[at(job)];
  const bool moved =
      state.running != option || state.shares.size() != 1 || state.shares.front().node != index;
  const double time = cost.time + (moved ? model_->restart(job) : 0);
  const double node_cost = model_->node_cost({.node = index,
                                              .type = cost.type,
                                              .used = node.used + cost.gpus,
                                              .first = node.used == 0 ? time : std::min(node.first, time),
                                              .last = node.used == 0 ? time : std::max(node.last, time)});
  return this->cost() - node.cost + node_cost - places_[at(job)].cost +
         model_->tardiness(job, option, moved) + model_->work(job, option);
}

Decision Layout::decision() const {
  Decision decision;
  for (const Node& node : nodes_) decision.nodes.push_back(node.type);
  for (std::int32_t job = 0; job < jobs(); ++job) {
    const Place& place = places_[at(job)];
    if (place.option != kNone) {
      decision.run.push_back({.job = job, .option = place.option, .shares = place.shares});
    }
  }
  return decision;
}

}  // namespace sextant::capacity
