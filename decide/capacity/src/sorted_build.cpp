#include "sorted_build.h"

#include <algorithm>
#include <limits>
#include <tuple>

#include "greedy_build.h"

namespace sextant::capacity {
namespace {

struct Wanted {
  std::int32_t job = kNone;
  std::int32_t option = kNone;
  double cost = 0;
};

// Seconds for which a node is paid at least because of the job.
double paid_time(const CostModel& model, const OptionCost& option) {
  switch (model.snapshot().wishes.cost) {
    case NodeCost::makespan:
      return option.time;
    case NodeCost::period:
      return model.snapshot().wishes.period.value;
    case NodeCost::first_end:
      break;  // another job may end at once
  }
  return 0;
}

Wanted best_share(const CostModel& model, std::int32_t job) {
  Wanted best{.job = job, .cost = model.postponement(job)};
  for (std::int32_t index = 0; static_cast<std::size_t>(index) < model.options(job).size(); ++index) {
    const OptionCost& option = model.option(job, index);
    const double gpus = model.snapshot().types[static_cast<std::size_t>(option.type)].gpus;
    const bool moved = model.snapshot().jobs[static_cast<std::size_t>(job)].running != index;
    const double cost = model.rate(option.type, 0) / gpus * option.gpus * paid_time(model, option) +
                        model.work(job, index) + model.tardiness(job, index, moved);
    if (cost < best.cost) best = {.job = job, .option = index, .cost = cost};
  }
  return best;
}

// On a node that is on and has room, which costs least; else on one that is off, as the largest machine of
// its GPU.
void place_sorted(Layout& layout, const Wanted& wanted) {
  const CostModel& model = layout.model();
  const OptionCost& option = model.option(wanted.job, wanted.option);
  if (option.nodes > 1) {
    layout.place(wanted.job, wanted.option);
    return;
  }
  double least = std::numeric_limits<double>::infinity();
  std::int32_t best = kNone;
  std::int32_t best_option = kNone;
  std::vector<std::int32_t> types = types_like(model.snapshot(), option.type);
  std::ranges::reverse(types);
  for (const std::int32_t type : types) {
    const std::int32_t same = layout.option_with(wanted.job, type, option.gpus);
    if (same == kNone) continue;
    for (std::int32_t node = 0; node < layout.nodes(); ++node) {
      const bool off = layout.type_of(node) == kNone;
      if (off && best != kNone) continue;
      const double cost = layout.cost_with(wanted.job, same, node);
      const bool on_first = best != kNone && layout.type_of(best) == kNone && !off && cost < layout.cost();
      if (cost < least || on_first) {
        least = cost;
        best = node;
        best_option = same;
      }
    }
  }
  if (best != kNone) layout.place_on(wanted.job, best_option, best);
}

}  // namespace

Layout sorted_layout(const CostModel& model) {
  std::vector<Wanted> wanted;
  for (std::int32_t job = 0; static_cast<std::size_t>(job) < model.snapshot().jobs.size(); ++job) {
    const Wanted best = best_share(model, job);
    if (best.option != kNone) wanted.push_back(best);
  }
  std::ranges::stable_sort(wanted, std::greater{}, [&](const Wanted& w) {
    const OptionCost& option = model.option(w.job, w.option);
    return std::tuple(option.nodes, option.time);
  });
  Layout layout(model);
  for (const Wanted& w : wanted) place_sorted(layout, w);
  repair(layout);
  return layout;
}

Dollars bound_of(const Snapshot& snapshot) {
  const CostModel model(snapshot);
  double bound = 0;
  for (std::int32_t job = 0; static_cast<std::size_t>(job) < model.snapshot().jobs.size(); ++job) {
    bound += best_share(model, job).cost;
  }
  return Dollars{bound};
}

}  // namespace sextant::capacity
