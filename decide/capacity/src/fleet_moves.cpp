// How jobs get on nodes and move between them.
#include <algorithm>
#include <array>
#include <limits>
#include <optional>

#include "fleet.h"

namespace sextant::capacity {
namespace {

constexpr double kWorthwhile = 1e-9;      // USD: less is rounding
constexpr int kPasses = 4;                // of improvement; the last ones find next to nothing
constexpr std::size_t kMostTogether = 8;  // jobs of a node whose divisions are all tried

}  // namespace

bool Fleet::affordable(const Draw& more) const {
  const Wishes& wishes = model_->snapshot().wishes;
  return (!wishes.budget || more.rate <= 0 || drawn_.rate + more.rate <= wishes.budget->value) &&
         (!wishes.power || more.watts <= 0 || drawn_.watts + more.watts <= wishes.power->value);
}

std::int32_t Fleet::spare_node(std::int32_t job, std::int32_t family, std::int32_t except) const {
  const Snapshot& snapshot = model_->snapshot();
  std::int32_t best = kNone;
  int best_rank = std::numeric_limits<int>::max();
  const auto rank_of = [&](std::int32_t node) {
    const JobState& state = snapshot.jobs[at(job)];
    if (state.shares.size() == 1 && state.shares.front().node == node) return 0;
    const NodeState& has = snapshot.nodes[at(node)];
    if (has.only != kNone) return 1;
    return has.type != kNone && family_of_[at(has.type)] == family ? 2 : 3;
  };
  const bool anywhere = snapshot.jobs[at(job)].nodes.empty();
  for (std::int32_t node = 0; at(node) < nodes_.size() && best_rank > 0; ++node) {
    if (nodes_[at(node)].family != kNone || node == except) continue;
    if (!may_have(node, family) || !(anywhere || allowed(job, node))) continue;
    const int rank = rank_of(node);
    if (rank < best_rank) {
      best = node;
      best_rank = rank;
    }
  }
  return best;
}

// The node that is on where the plan adds least to the price; the fullest of several.
std::int32_t Fleet::candidate(std::int32_t job, const Plan& plan, std::int32_t except) const {
  std::int32_t best = kNone;
  double best_price = std::numeric_limits<double>::infinity();
  const bool anywhere = model_->snapshot().jobs[at(job)].nodes.empty();
  for (std::int32_t node = 0; at(node) < nodes_.size(); ++node) {
    const Node& has = nodes_[at(node)];
    if (has.family != plan.family || has.used + plan.gpus > most_[at(plan.family)]) continue;
    if (node == except || has.wide || !(anywhere || allowed(job, node))) continue;
    const double more = price(plan.family, has.used + plan.gpus) - price(plan.family, has.used);
    if (more < best_price - kWorthwhile * kWorthwhile ||
        (more <= best_price && (best == kNone || has.used > nodes_[at(best)].used))) {
      best = node;
      best_price = std::min(more, best_price);
    }
  }
  return best;
}

// Fullest first: what the price says matters only once there are nodes to spare, and split() sees to that.
bool Fleet::place(std::int32_t job, const Plan& plan) {
  if (plan.wide) return place_wide(job, plan);
  const JobState& state = model_->snapshot().jobs[at(job)];
  std::int32_t best = kNone;
  const auto fits = [&](std::int32_t node) {
    if (!may_have(node, plan.family) || !(state.nodes.empty() || allowed(job, node))) return false;
    return worth(node, plan.family, with(node, {job, plan.gpus}, job)).type != kNone;
  };
  if (model_->restart(job) > 0 && state.shares.size() == 1 && fits(state.shares.front().node)) {
    best = state.shares.front().node;
  }
  if (best == kNone) {
    for (std::int32_t node = 0; at(node) < nodes_.size(); ++node) {
      const Node& has = nodes_[at(node)];
      if (has.family != plan.family || has.used + plan.gpus > most_[at(plan.family)]) continue;
      if ((best == kNone || has.used > nodes_[at(best)].used) && fits(node)) best = node;
    }
  }
  if (best == kNone) {
    const std::int32_t spare = spare_node(job, plan.family, kNone);
    if (spare == kNone || !fits(spare)) return false;
    best = spare;
  }
  set_items(best, plan.family, with(best, {job, plan.gpus}, job));
  return true;
}

bool Fleet::place_wide(std::int32_t job, const Plan& plan) {
  const std::int32_t type = model_->option(job, plan.option).type;
  const std::int32_t most = model_->snapshot().types[at(type)].gpus;
  std::vector<std::int32_t> found;
  const std::int32_t wanted = model_->option(job, plan.option).nodes;
  for (std::int32_t node = 0; at(node) < nodes_.size() && std::ssize(found) < wanted; ++node) {
    const std::int32_t only = model_->snapshot().nodes[at(node)].only;
    if (nodes_[at(node)].family != kNone || (only != kNone && only != type)) continue;
    if (may_have(node, plan.family) && allowed(job, node)) found.push_back(node);
  }
  if (std::ssize(found) < wanted) return false;
  std::int32_t left = plan.gpus;
  for (const std::int32_t index : found) {
    Node& node = nodes_[at(index)];
    const std::int32_t gpus = std::min(left, most);
    node = {
        .family = plan.family, .type = type, .used = gpus, .value = 0, .wide = true, .items = {{job, gpus}}};
    drawn_ += draw(type, gpus);
    left -= gpus;
  }
  gpus_[at(job)] = plan.gpus;
  home_[at(job)] = found.front();
  return true;
}

Fleet::Leaving Fleet::leaving(std::int32_t job) const {
  if (!runs(job)) return {.gain = wait_[at(job)]};
  const std::int32_t home = home_[at(job)];
  const Node& left = nodes_[at(home)];
  const Worth here = worth(home, left.family, without(home, job));
  Leaving leaving{.gain = left.value - here.value, .freed = draw(left.type, left.used)};
  leaving.freed -= draw(here.type, left.used - gpus_of(job));
  return leaving;
}

void Fleet::consider(std::int32_t job, const Plan& plan, std::int32_t node, Move& best) const {
  if (node == kNone || !may_have(node, plan.family)) return;
  const std::int32_t home = runs(job) ? home_[at(job)] : kNone;
  const std::vector<Item> arrived = with(node, {job, plan.gpus}, job);
  const Worth there = worth(node, plan.family, arrived);
  if (there.type == kNone) return;
  const Node& target = nodes_[at(node)];
  double gain = target.value - there.value;
  Draw more = draw(there.type, target.used + plan.gpus - (node == home ? gpus_of(job) : 0));
  more -= draw(target.type, target.used);
  if (node != home) {
    gain += leaving_.gain;
    more -= leaving_.freed;
  }
  if (gain > best.gain && affordable(more)) {
    best = {.gain = gain, .node = node, .gpus = plan.gpus, .family = plan.family};
  }
}

bool Fleet::improve_job(std::int32_t job) {
  const bool waits = !runs(job);
  const std::int32_t home = waits ? kNone : home_[at(job)];
  if (!waits && nodes_[at(home)].wide) return false;
  // Work that waits is taken up wherever there is room, even where the books find no gain in it today.
  Move best{.gain = waits ? -std::numeric_limits<double>::infinity() : kWorthwhile};
  leaving_ = leaving(job);
  std::vector<std::optional<std::int32_t>> spare(types_of_.size());  // by family
  for (const Plan& plan : plans(job)) {
    if (plan.wide) continue;
    if (!waits && plan.family == nodes_[at(home)].family) consider(job, plan, home, best);
    consider(job, plan, candidate(job, plan, home), best);
    std::optional<std::int32_t>& off = spare[at(plan.family)];
    if (!off) off = spare_node(job, plan.family, home);
    consider(job, plan, *off, best);
  }
  if (best.node == kNone) return false;
  if (!waits && best.node != home) set_items(home, nodes_[at(home)].family, without(home, job));
  set_items(best.node, best.family, with(best.node, {job, best.gpus}, job));
  return true;
}

void Fleet::improve() {
  for (int pass = 0; pass < kPasses; ++pass) {
    bool any = false;
    for (std::int32_t job = 0; job < jobs(); ++job) {
      if (runs(job)) any = improve_job(job) || any;
    }
    if (!any) break;
  }
  for (std::int32_t job = 0; job < jobs(); ++job) {
    if (!runs(job)) improve_job(job);
  }
}

void Fleet::split() {
  for (std::int32_t node = 0; at(node) < nodes_.size(); ++node) {
    while (!nodes_[at(node)].wide && nodes_[at(node)].items.size() > 1 && split_node(node)) {
    }
  }
}

bool Fleet::split_node(std::int32_t index) {
  const Node& node = nodes_[at(index)];
  if (node.items.size() > kMostTogether) return false;
  const std::int32_t spare = spare_node(node.items.front().job, node.family, index);
  if (spare == kNone) return false;
  double best = kWorthwhile;
  std::vector<Item> best_here;
  std::vector<Item> best_there;
  for (unsigned mask = 1; mask < (1U << (node.items.size() - 1)); ++mask) {
    std::vector<Item> here;
    std::vector<Item> there;
    bool can = true;
    for (std::size_t i = 0; i < node.items.size(); ++i) {
      const bool goes = ((mask >> i) & 1U) != 0;
      (goes ? there : here).push_back(node.items[i]);
      can = can && (!goes || allowed(node.items[i].job, spare));
    }
    if (!can) continue;
    const Worth left = worth(index, node.family, here);
    const Worth right = worth(spare, node.family, there);
    const double gain = node.value - left.value - right.value;
    if (left.type != kNone && right.type != kNone && gain > best) {
      best = gain;
      best_here = std::move(here);
      best_there = std::move(there);
    }
  }
  if (best_here.empty()) return false;
  const std::int32_t family = node.family;
  set_items(index, family, std::move(best_here));
  set_items(spare, family, std::move(best_there));
  return true;
}

void Fleet::shed() {
  const Wishes& wishes = model_->snapshot().wishes;
  const auto over = [&] {
    return (wishes.budget && drawn_.rate > wishes.budget->value * (1 + kWorthwhile)) ||
           (wishes.power && drawn_.watts > wishes.power->value * (1 + kWorthwhile));
  };
  while (over()) {
    std::int32_t worst = kNone;
    double least = std::numeric_limits<double>::infinity();
    for (std::int32_t job = 0; job < jobs(); ++job) {
      if (!runs(job)) continue;
      const Node& node = nodes_[at(home_[at(job)])];
      const Worth rest =
          node.wide ? Worth{} : worth(home_[at(job)], node.family, without(home_[at(job)], job));
      const double loss = wait_[at(job)] + rest.value - node.value;
      const double saved = model_->rate(node.type, node.used) -
                           (rest.type == kNone ? 0 : model_->rate(rest.type, node.used - gpus_of(job)));
      const double ratio = loss / std::max(saved, 1e-12);
      if (worst == kNone || ratio < least) {
        worst = job;
        least = ratio;
      }
    }
    if (worst == kNone) return;
    for (std::int32_t node = 0; at(node) < nodes_.size(); ++node) {
      if (without(node, worst).size() != nodes_[at(node)].items.size()) {
        set_items(node, nodes_[at(node)].family, without(node, worst));
      }
    }
  }
}

}  // namespace sextant::capacity
