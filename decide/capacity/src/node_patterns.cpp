#include "node_patterns.h"

#include <algorithm>
#include <array>
#include <limits>

namespace sextant::capacity {
namespace {

constexpr std::size_t kLengths = 24;  // patterns of a machine type: the best of so many ranges of times
constexpr double kNothing = -std::numeric_limits<double>::infinity();

// The jobs that may be part of the best filling: of each number of GPUs the few that are worth most, since a
// node has room for no more.
class Knapsack {
 public:
  Knapsack(std::int32_t gpus, std::size_t jobs)
      : gpus_(gpus),
        values_(jobs * width(), kNothing),
        options_(jobs * width(), kNone),
        top_(width()),
        listed_(jobs, 0) {}

  // False where the option cannot be part of the best filling.
  bool add(const PatternItem& item, std::int32_t gpus, double value) {
    const std::size_t place = static_cast<std::size_t>(item.job) * width() + static_cast<std::size_t>(gpus);
    if (value <= values_[place]) return false;
    std::vector<std::int32_t>& top = top_[static_cast<std::size_t>(gpus)];
    const bool known = values_[place] != kNothing;
    const auto worth = [&](std::int32_t job) {
      return values_[static_cast<std::size_t>(job) * width() + static_cast<std::size_t>(gpus)];
    };
    if (!known && top.size() == static_cast<std::size_t>(gpus_) && worth(top.back()) >= value) return false;
    if (known) std::erase(top, item.job);
    values_[place] = value;
    options_[place] = item.option;
    const auto after = std::ranges::find_if(top, [&](std::int32_t job) { return worth(job) < value; });
    top.insert(after, item.job);
    if (top.size() > static_cast<std::size_t>(gpus_)) top.pop_back();
    return true;
  }

  [[nodiscard]] double best() {
    fill();
    return filled_.back();
  }

  [[nodiscard]] std::vector<PatternItem> best_items() {
    fill();
    std::vector<PatternItem> items;
    auto room = static_cast<std::size_t>(gpus_);
    for (std::size_t step = jobs_.size(); step-- > 0;) {
      const std::int32_t gpus = taken_[step * width() + room];
      if (gpus == 0) continue;
      const std::int32_t job = jobs_[step];
      items.push_back(
          {job, options_[static_cast<std::size_t>(job) * width() + static_cast<std::size_t>(gpus)]});
      room -= static_cast<std::size_t>(gpus);
    }
    return items;
  }

 private:
  [[nodiscard]] std::size_t width() const { return static_cast<std::size_t>(gpus_) + 1; }

  void fill() {
    ++round_;
    jobs_.clear();
    for (const std::vector<std::int32_t>& top : top_) {
      for (const std::int32_t job : top) {
        if (listed_[static_cast<std::size_t>(job)] == round_) continue;
        listed_[static_cast<std::size_t>(job)] = round_;
        jobs_.push_back(job);
      }
    }
    filled_.assign(width(), 0);
    taken_.assign(jobs_.size() * width(), 0);
    for (std::size_t step = 0; step < jobs_.size(); ++step) {
      const double* value = &values_[static_cast<std::size_t>(jobs_[step]) * width()];
      for (std::size_t room = width() - 1; room > 0; --room) {
        for (std::size_t gpus = 1; gpus <= room; ++gpus) {
          if (filled_[room - gpus] + value[gpus] <= filled_[room]) continue;
          filled_[room] = filled_[room - gpus] + value[gpus];
          taken_[step * width() + room] = static_cast<std::int32_t>(gpus);
        }
      }
    }
  }

  std::int32_t gpus_;
  std::vector<double> values_;                  // by job and GPUs
  std::vector<std::int32_t> options_;           // the same
  std::vector<std::vector<std::int32_t>> top_;  // by GPUs: jobs, the best first
  std::vector<std::uint32_t> listed_;           // by job: the last round that had it
  std::uint32_t round_ = 0;
  std::vector<std::int32_t> jobs_;   // of a filling
  std::vector<double> filled_;       // by GPUs: the most that so many are worth
  std::vector<std::int32_t> taken_;  // by step and GPUs
};

}  // namespace

PatternFinder::PatternFinder(const CostModel& model) : model_(&model) {
  const Snapshot& snapshot = model.snapshot();
  for (std::int32_t type = 0; at(type) < snapshot.types.size(); ++type) add_machine(type);
  for (std::int32_t job = 0; at(job) < snapshot.jobs.size(); ++job) {
    for (std::int32_t option = 0; at(option) < model.options(job).size(); ++option) {
      if (model.option(job, option).nodes > 1) add_wide(job, option);
    }
  }
  for (Machine& machine : machines_) std::ranges::stable_sort(machine.items, {}, &Item::time);
}

PatternFinder::Item PatternFinder::item_of(std::int32_t job, std::int32_t option) const {
  const Snapshot& snapshot = model_->snapshot();
  const OptionCost& cost = model_->option(job, option);
  const bool moved = snapshot.jobs[at(job)].running != option;
  const bool whole_period = snapshot.wishes.cost == NodeCost::period;
  return {
      .job = job,
      .option = option,
      .gpus = cost.gpus,
      .time = whole_period ? snapshot.wishes.period.value : cost.time + (moved ? model_->restart(job) : 0),
      .cost = model_->tardiness(job, option, moved) + model_->work(job, option)};
}

void PatternFinder::add_machine(std::int32_t type) {
  const Snapshot& snapshot = model_->snapshot();
  Machine machine{.type = type,
                  .gpus = snapshot.types[at(type)].gpus,
                  .rate = model_->rate(type, 0),
                  .least = std::numeric_limits<double>::infinity(),
                  .items = {}};
  for (std::int32_t node = 0; at(node) < snapshot.nodes.size(); ++node) {
    const NodeState& state = snapshot.nodes[at(node)];
    if (state.down || (state.only != kNone && state.only != type)) continue;
    machine.least = std::min(machine.least, std::max(0.0, model_->billed(node, type)));
  }
  if (machine.least == std::numeric_limits<double>::infinity()) return;  // no node can be one
  for (std::int32_t job = 0; at(job) < snapshot.jobs.size(); ++job) {
    for (std::int32_t option = 0; at(option) < model_->options(job).size(); ++option) {
      const OptionCost& cost = model_->option(job, option);
      if (cost.type == type && cost.nodes == 1) machine.items.push_back(item_of(job, option));
    }
  }
  machines_.push_back(std::move(machine));
}

void PatternFinder::add_wide(std::int32_t job, std::int32_t option) {
  const OptionCost& cost = model_->option(job, option);
  const auto machine = std::ranges::find(machines_, cost.type, &Machine::type);
  if (machine == machines_.end()) return;
  const Item item = item_of(job, option);
  wide_.push_back({.cost = item.cost + machine->rate * cost.nodes * std::max(item.time, machine->least),
                   .nodes = cost.nodes,
                   .items = {{job, option}}});
}

NodePattern PatternFinder::pattern_of(std::vector<PatternItem> items) const {
  const std::int32_t type = model_->option(items.front().job, items.front().option).type;
  const auto machine = std::ranges::find(machines_, type, &Machine::type);
  double time = machine->least;
  double cost = 0;
  for (const PatternItem& each : items) {
    const Item item = item_of(each.job, each.option);
    time = std::max(time, item.time);
    cost += item.cost;
  }
  const std::int32_t nodes = model_->option(items.front().job, items.front().option).nodes;
  return {.cost = cost + machine->rate * nodes * time, .nodes = nodes, .items = std::move(items)};
}

void PatternFinder::search(const Machine& machine, std::span<const double> worth,
                           std::vector<NodePattern>& found) const {
  const std::vector<Item>& items = machine.items;
  const std::size_t jobs = model_->snapshot().jobs.size();
  struct Best {
    double loss = std::numeric_limits<double>::infinity();
    std::size_t until = 0;  // in items
  };
  std::array<Best, kLengths> best;
  Knapsack sack(machine.gpus, jobs);
  for (std::size_t i = 0; i < items.size(); ++i) {
    const double value = worth[at(items[i].job)] - items[i].cost;
    if (value <= 0 || !sack.add({items[i].job, items[i].option}, items[i].gpus, value)) continue;
    const double loss = machine.rate * std::max(items[i].time, machine.least) - sack.best();
    Best& range = best[i * kLengths / items.size()];
    if (loss < range.loss) range = {.loss = loss, .until = i + 1};
  }
  Knapsack again(machine.gpus, jobs);
  std::size_t next = 0;
  for (const Best& range : best) {
    for (; next < range.until; ++next) {
      const double value = worth[at(items[next].job)] - items[next].cost;
      if (value > 0) again.add({items[next].job, items[next].option}, items[next].gpus, value);
    }
    if (range.until == 0) continue;
    found.push_back(pattern_of(again.best_items()));
    found.back().loss = found.back().cost;
    for (const PatternItem& item : found.back().items) found.back().loss -= worth[at(item.job)];
  }
}

std::vector<NodePattern> PatternFinder::best(std::span<const double> worth) const {
  std::vector<NodePattern> found = wide_;
  for (NodePattern& pattern : found) pattern.loss = pattern.cost - worth[at(pattern.items.front().job)];
  for (const Machine& machine : machines_) search(machine, worth, found);
  std::ranges::stable_sort(found, {}, [](const NodePattern& p) { return p.loss / p.nodes; });
  return found;
}

}  // namespace sextant::capacity
