#include "greedy_build.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <tuple>

namespace sextant::capacity {
namespace {

std::size_t place_of(std::int32_t index) {
  return static_cast<std::size_t>(index);
}

// The node of that GPU that is on, has room, and would have the least left.
std::int32_t best_fit(const Layout& layout, std::int32_t job, const OptionCost& option) {
  const Snapshot& snapshot = layout.model().snapshot();
  const std::string& gpu = snapshot.types[place_of(option.type)].gpu;
  std::int32_t best = kNone;
  std::int32_t least = std::numeric_limits<std::int32_t>::max();
  for (std::int32_t node = 0; node < layout.nodes(); ++node) {
    const std::int32_t type = layout.type_of(node);
    if (type == kNone || snapshot.types[place_of(type)].gpu != gpu) continue;
    const std::int32_t left = snapshot.types[place_of(type)].gpus - layout.used_of(node) - option.gpus;
    if (left < 0 || left >= least || layout.option_with(job, type, option.gpus) == kNone) continue;
    best = node;
    least = left;
  }
  return best;
}

bool place_on_open(Layout& layout, std::int32_t job, const OptionCost& option) {
  if (option.nodes > 1) return false;
  const std::int32_t node = best_fit(layout, job, option);
  if (node == kNone) return false;
  return layout.place_on(job, layout.option_with(job, layout.type_of(node), option.gpus), node);
}

bool place_on_new(Layout& layout, std::int32_t job, std::int32_t index) {
  const CostModel& model = layout.model();
  const OptionCost& option = model.option(job, index);
  if (option.nodes > 1) return layout.place(job, index);
  std::vector<std::int32_t> types = types_like(model.snapshot(), option.type);
  std::ranges::reverse(types);
  for (const std::int32_t type : types) {
    const std::int32_t same = layout.option_with(job, type, option.gpus);
    if (same == kNone || model.option(job, same).nodes > 1) continue;
    for (std::int32_t node = 0; node < layout.nodes(); ++node) {
      if (layout.type_of(node) == kNone && layout.place_on(job, same, node)) return true;
    }
  }
  return false;
}

void place_greedily(Layout& layout, std::int32_t job, const std::vector<std::int32_t>& options) {
  const CostModel& model = layout.model();
  for (std::size_t i = 0; i < options.size(); ++i) {
    if (place_on_open(layout, job, model.option(job, options[i]))) return;
    if (i == 0 && place_on_new(layout, job, options[i])) return;
  }
  for (std::size_t i = 1; i < options.size(); ++i) {
    if (place_on_new(layout, job, options[i])) return;
  }
}

bool faster_on_idle(Layout& layout, std::int32_t node) {
  const CostModel& model = layout.model();
  const std::int32_t type = layout.type_of(node);
  const std::int32_t idle = model.snapshot().types[place_of(type)].gpus - layout.used_of(node);
  std::int32_t best = kNone;
  std::int32_t best_option = kNone;
  double most = 0;
  for (const std::int32_t job : layout.jobs_of(node)) {
    if (layout.shares_of(job).size() > 1) continue;
    const OptionCost& now = model.option(job, layout.option_of(job));
    for (std::int32_t more = 1; more <= idle; ++more) {
      const std::int32_t option = layout.option_with(job, type, now.gpus + more);
      if (option == kNone || now.time - model.option(job, option).time <= most) continue;
      most = now.time - model.option(job, option).time;
      best = job;
      best_option = option;
    }
  }
  if (best == kNone) return false;
  const std::int32_t before = layout.option_of(best);
  const double cost = layout.cost();
  layout.remove(best);
  if (layout.place_on(best, best_option, node) && layout.cost() <= cost) return true;
  layout.remove(best);
  layout.place_on(best, before, node);
  return false;
}

}  // namespace

std::vector<std::int32_t> options_in_order(const CostModel& model, std::int32_t job) {
  const std::vector<OptionCost>& options = model.options(job);
  std::vector<std::int32_t> order(options.size());
  std::iota(order.begin(), order.end(), 0);
  const auto rank = [&](std::int32_t index) {
    const OptionCost& option = options[place_of(index)];
    const bool late = option.due_time > model.slack(job);
    const double price = model.rate(option.type, option.gpus) * option.nodes * option.time;
    return late ? std::tuple(1, option.time, price) : std::tuple(0, price, option.time);
  };
  std::ranges::stable_sort(order, {}, rank);
  return order;
}

std::vector<std::int32_t> jobs_by_pressure(const CostModel& model) {
  std::vector<std::int32_t> order(model.snapshot().jobs.size());
  std::iota(order.begin(), order.end(), 0);
  std::vector<double> pressure;
  for (const std::int32_t job : order) {
    double fastest = std::numeric_limits<double>::infinity();
    for (const OptionCost& option : model.options(job)) fastest = std::min(fastest, option.due_time);
    pressure.push_back(fastest - model.slack(job));
  }
  std::ranges::stable_sort(order, std::greater{}, [&](std::int32_t job) {
    return std::isnan(pressure[place_of(job)]) ? -std::numeric_limits<double>::infinity()
                                               : pressure[place_of(job)];
  });
  return order;
}

std::vector<std::int32_t> types_like(const Snapshot& snapshot, std::int32_t type) {
  std::vector<std::int32_t> types;
  for (std::size_t i = 0; i < snapshot.types.size(); ++i) {
    if (snapshot.types[i].gpu == snapshot.types[place_of(type)].gpu) {
      types.push_back(static_cast<std::int32_t>(i));
    }
  }
  std::ranges::stable_sort(types, {}, [&](std::int32_t t) { return snapshot.types[place_of(t)].gpus; });
  return types;
}

void repair(Layout& layout) {
  const CostModel& model = layout.model();
  for (std::int32_t node = 0; node < layout.nodes(); ++node) {
    const std::int32_t now = layout.type_of(node);
    if (now == kNone) continue;
    std::int32_t best = now;
    for (const std::int32_t type : types_like(model.snapshot(), now)) {
      if (model.snapshot().types[place_of(type)].gpus < layout.used_of(node)) continue;
      if (model.rate(type, layout.used_of(node)) < model.rate(best, layout.used_of(node))) best = type;
    }
    if (best != now) layout.retype(node, best);
    while (faster_on_idle(layout, node)) {
    }
  }
}

Layout greedy_layout(const CostModel& model) {
  Layout layout(model);
  for (const std::int32_t job : jobs_by_pressure(model)) {
    place_greedily(layout, job, options_in_order(model, job));
  }
  repair(layout);
  return layout;
}

Layout random_layout(const CostModel& model, const Randomness& randomness, Rng& rng) {
  Layout layout(model);
  std::vector<std::int32_t> order = jobs_by_pressure(model);
  for (std::size_t i = 0; i + 1 < order.size(); ++i) {
    if (rng.uniform() < randomness.swap) std::swap(order[i], order[i + 1]);
  }
  for (const std::int32_t job : order) {
    std::vector<std::int32_t> options = options_in_order(model, job);
    // A geometric rank: exp(-r / theta) normalised.
    const double draw = rng.uniform();
    const double step = std::exp(-1 / randomness.theta);
    auto rank = static_cast<std::size_t>(std::log(1 - draw) / std::log(step));
    rank = std::min(rank, options.empty() ? 0 : options.size() - 1);
    if (rank > 0)
      std::rotate(options.begin(), options.begin() + static_cast<std::ptrdiff_t>(rank),
                  options.begin() + static_cast<std::ptrdiff_t>(rank) + 1);
    place_greedily(layout, job, options);
  }
  repair(layout);
  return layout;
}

}  // namespace sextant::capacity
