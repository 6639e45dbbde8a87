#include "fleet.h"

#include <algorithm>
#include <limits>
#include <map>
#include <string>

namespace sextant::capacity {

Fleet::Fleet(const Outlook& outlook, const CostModel& model, double until)
    : outlook_(&outlook), model_(&model), until_(until) {
  const Snapshot& snapshot = model.snapshot();
  add_families();
  for (std::int32_t job = 0; at(job) < snapshot.jobs.size(); ++job) add_plans(job);
  clear();
}

void Fleet::add_families() {
  const Snapshot& snapshot = model_->snapshot();
  std::map<std::string, std::int32_t> names;
  for (std::int32_t type = 0; at(type) < snapshot.types.size(); ++type) {
    const auto [entry, fresh] =
        names.emplace(snapshot.types[at(type)].gpu, static_cast<std::int32_t>(names.size()));
    if (fresh) types_of_.emplace_back();
    family_of_.push_back(entry->second);
    types_of_[at(entry->second)].push_back(type);
    widest_ = std::max(widest_, snapshot.types[at(type)].gpus);
  }
  for (std::vector<std::int32_t>& types : types_of_) {
    std::ranges::stable_sort(types, {}, [&](std::int32_t type) { return snapshot.types[at(type)].gpus; });
    most_.push_back(snapshot.types[at(types.back())].gpus);
    std::vector<double> prices = {0};
    for (std::int32_t used = 1; used <= most_.back(); ++used) {
      double best = std::numeric_limits<double>::infinity();
      for (const std::int32_t type : types) {
        if (snapshot.types[at(type)].gpus >= used) best = std::min(best, model_->rate(type, used));
      }
      prices.push_back(best);
    }
    prices_.push_back(std::move(prices));
  }
}

void Fleet::add_plans(std::int32_t job) {
  const std::vector<OptionCost>& options = model_->options(job);
  std::vector<Plan> plans;
  std::vector<std::int32_t> lookup(family_of_.size() * at(widest_ + 1), kNone);
  std::vector<double> stay;
  std::vector<double> move;
  for (std::int32_t index = 0; at(index) < options.size(); ++index) {
    const OptionCost& option = options[at(index)];
    stay.push_back(outlook_->after(job, index, false, until_));
    move.push_back(outlook_->after(job, index, true, until_));
    const bool wide = option.nodes > 1;
    if (!wide) lookup[at(option.type) * at(widest_ + 1) + at(option.gpus)] = index;
    const std::int32_t family = family_of_[at(option.type)];
    const auto same = std::ranges::find_if(plans, [&](const Plan& plan) {
      return plan.family == family && plan.gpus == option.gpus && plan.wide == wide;
    });
    if (same == plans.end()) {
      plans.push_back({.family = family, .gpus = option.gpus, .option = index, .wide = wide});
    } else if (outlook_->value(job, index, until_) < outlook_->value(job, same->option, until_)) {
      same->option = index;
    }
  }
  plans_.push_back(std::move(plans));
  lookup_.push_back(std::move(lookup));
  stay_.push_back(std::move(stay));
  move_.push_back(std::move(move));
  wait_.push_back(options.empty() ? 0 : outlook_->after_waiting(job, until_));
}

Fleet::Draw Fleet::draw(std::int32_t type, std::int32_t used) const {
  if (type == kNone) return {};
  return {.rate = model_->rate(type, used), .watts = model_->watts(type, used).value};
}

void Fleet::clear() {
  nodes_.assign(model_->snapshot().nodes.size(), {});
  gpus_.assign(model_->snapshot().jobs.size(), 0);
  home_.assign(model_->snapshot().jobs.size(), kNone);
  drawn_ = {};
}

bool Fleet::take(const Layout& layout) {
  clear();
  for (std::int32_t job = 0; job < jobs(); ++job) {
    if (!layout.runs(job)) continue;
    const OptionCost& option = model_->option(job, layout.option_of(job));
    if (option.nodes > 1) return false;
    const std::int32_t node = layout.shares_of(job).front().node;
    const std::int32_t family = family_of_[at(option.type)];
    if (!may_have(node, family)) return false;
    std::vector<Item> items = with(node, {job, option.gpus}, job);
    if (worth(node, family, items).type == kNone) return false;
    set_items(node, family, std::move(items));
  }
  return true;
}

double Fleet::value() const {
  double sum = 0;
  for (const Node& node : nodes_) sum += node.value;
  for (std::int32_t job = 0; job < jobs(); ++job) sum += runs(job) ? 0 : wait_[at(job)];
  return sum;
}

std::int32_t Fleet::option_of(std::int32_t job, std::int32_t type, std::int32_t gpus) const {
  return lookup_[at(job)][at(type) * at(widest_ + 1) + at(gpus)];
}

bool Fleet::allowed(std::int32_t job, std::int32_t node) const {
  const std::vector<std::int32_t>& only = model_->snapshot().jobs[at(job)].nodes;
  return only.empty() || std::ranges::find(only, node) != only.end();
}

bool Fleet::may_have(std::int32_t node, std::int32_t family) const {
  const NodeState& state = model_->snapshot().nodes[at(node)];
  if (state.down || (state.only != kNone && family_of_[at(state.only)] != family)) return false;
  return nodes_[at(node)].family == kNone || (nodes_[at(node)].family == family && !nodes_[at(node)].wide);
}

// The best type for these jobs together, and what they are worth on it.
Fleet::Worth Fleet::worth(std::int32_t node, std::int32_t family, std::span<const Item> items) const {
  const Snapshot& snapshot = model_->snapshot();
  const NodeState& state = snapshot.nodes[at(node)];
  std::int32_t used = 0;
  for (const Item& item : items) used += item.gpus;
  Worth best{.value = std::numeric_limits<double>::infinity()};
  if (used == 0) return {.value = 0};
  for (const std::int32_t type : types_of_[at(family)]) {
    const MachineType& machine = snapshot.types[at(type)];
    if (machine.gpus < used || (state.only != kNone && state.only != type)) continue;
    const double billed =
        state.type == type ? (state.paid_until - snapshot.now).value : machine.minimum_billing.value;
    double value = model_->rate(type, used) * std::max(until_, billed);
    bool possible = true;
    for (const Item& item : items) {
      const std::int32_t option = option_of(item.job, type, item.gpus);
      if (option == kNone) {
        possible = false;
        break;
      }
      const JobState& job = snapshot.jobs[at(item.job)];
      const bool stays = job.running == option && job.shares.size() == 1 && job.shares.front().node == node;
      value += (stays ? stay_ : move_)[at(item.job)][at(option)];
    }
    if (possible && value < best.value) best = {.value = value, .type = type};
  }
  return best;
}

void Fleet::set_items(std::int32_t index, std::int32_t family, std::vector<Item> items) {
  Node& node = nodes_[at(index)];
  drawn_ -= draw(node.type, node.used);
  for (const Item& item : node.items) gpus_[at(item.job)] = 0;
  if (items.empty()) {
    node = {};
    return;
  }
  const Worth worth_now = worth(index, family, items);
  node.family = family;
  node.type = worth_now.type;
  node.value = worth_now.value;
  node.used = 0;
  node.items = std::move(items);
  for (const Item& item : node.items) {
    node.used += item.gpus;
    gpus_[at(item.job)] = item.gpus;
    home_[at(item.job)] = index;
  }
  drawn_ += draw(node.type, node.used);
}

std::vector<Fleet::Item> Fleet::without(std::int32_t node, std::int32_t job) const {
  std::vector<Item> items;
  for (const Item& item : nodes_[at(node)].items) {
    if (item.job != job) items.push_back(item);
  }
  return items;
}

std::vector<Fleet::Item> Fleet::with(std::int32_t node, Item item, std::int32_t except) const {
  std::vector<Item> items = without(node, except);
  items.push_back(item);
  return items;
}

Decision Fleet::decision() const {
  const Snapshot& snapshot = model_->snapshot();
  Decision decision;
  std::vector<std::vector<Share>> shares(snapshot.jobs.size());
  for (std::int32_t node = 0; at(node) < nodes_.size(); ++node) {
    decision.nodes.push_back(nodes_[at(node)].type);
    for (const Item& item : nodes_[at(node)].items) shares[at(item.job)].push_back({node, item.gpus});
  }
  for (std::int32_t job = 0; job < jobs(); ++job) {
    if (shares[at(job)].empty()) continue;
    const std::int32_t type = decision.nodes[at(shares[at(job)].front().node)];
    std::int32_t option = kNone;
    if (shares[at(job)].size() == 1) {
      option = option_of(job, type, shares[at(job)].front().gpus);
    } else {
      const std::vector<OptionCost>& options = model_->options(job);
      const auto found = std::ranges::find_if(
          options, [&](const OptionCost& o) { return o.type == type && o.gpus == gpus_[at(job)]; });
      option = static_cast<std::int32_t>(found - options.begin());
    }
    decision.run.push_back({.job = job, .option = option, .shares = shares[at(job)]});
  }
  return decision;
}

}  // namespace sextant::capacity
