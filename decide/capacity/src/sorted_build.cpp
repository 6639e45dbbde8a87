#include "sorted_build.h"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <tuple>

#include "greedy_build.h"
#include "node_cuts.h"
#include "pattern_program.h"

namespace sextant::capacity {
namespace {

constexpr std::size_t kMostCuts = 4'000'000;  // jobs times nodes

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

// Whether any job may be on any node as well as on another, and costs the same there.
bool interchangeable(const CostModel& model) {
  const Snapshot& snapshot = model.snapshot();
  const bool nodes = std::ranges::all_of(snapshot.nodes, [](const NodeState& node) {
    return node.type == kNone && node.only == kNone && !node.down;
  });
  return nodes && std::ranges::all_of(snapshot.jobs, [](const JobState& job) {
           return job.nodes.empty() && (job.running == kNone || job.restart == Seconds{});
         });
}

// The jobs that want the same GPU, longest first, and the machines that have it.
struct FamilyQueue {
  std::vector<Wanted> jobs = {};
  std::vector<CutJob> cut = {};
  std::vector<std::int32_t> machines = {kNone};  // by GPUs in use: the cheapest that has so many
  std::vector<double> prices = {0};              // USD/s of it
};

FamilyQueue queue_of(const CostModel& model, const std::vector<std::int32_t>& types) {
  FamilyQueue queue;
  const std::int32_t most = model.snapshot().types[static_cast<std::size_t>(types.back())].gpus;
  for (std::int32_t used = 1; used <= most; ++used) {
    std::int32_t best = kNone;
    for (const std::int32_t type : types) {
      if (model.snapshot().types[static_cast<std::size_t>(type)].gpus < used) continue;
      if (best == kNone || model.rate(type, 0) < model.rate(best, 0)) best = type;
    }
    queue.machines.push_back(best);
    queue.prices.push_back(model.rate(best, 0));
  }
  return queue;
}

// By GPU, in the order of the jobs.
std::vector<FamilyQueue> queues_of(const CostModel& model, const std::vector<Wanted>& wanted) {
  std::vector<FamilyQueue> queues;
  std::map<std::string, std::size_t> places;
  for (const Wanted& w : wanted) {
    const OptionCost& option = model.option(w.job, w.option);
    const std::string& gpu = model.snapshot().types[static_cast<std::size_t>(option.type)].gpu;
    const auto [place, fresh] = places.emplace(gpu, queues.size());
    if (fresh) queues.push_back(queue_of(model, types_like(model.snapshot(), option.type)));
    queues[place->second].jobs.push_back(w);
    queues[place->second].cut.push_back(
        {.gpus = option.gpus, .time = paid_time(model, option) > 0 ? paid_time(model, option) : option.time});
  }
  return queues;
}

// Cuts the order of ends into nodes. False, and nothing changed, where nodes do not suffice for all jobs, are
// not alike, or where there are too many to try all cuts.
bool place_cut(Layout& layout, const std::vector<Wanted>& wanted) {
  const CostModel& model = layout.model();
  const auto nodes = static_cast<std::size_t>(layout.nodes());
  const bool wide =
      std::ranges::any_of(wanted, [&](const Wanted& w) { return model.option(w.job, w.option).nodes > 1; });
  if (wide || !interchangeable(model) || nodes * wanted.size() > kMostCuts) return false;
  const std::vector<FamilyQueue> queues = queues_of(model, wanted);
  std::vector<NodeCuts> cuts;
  for (const FamilyQueue& queue : queues) cuts.emplace_back(queue.cut, queue.prices, nodes);
  const std::vector<std::size_t> divided = divided_nodes(cuts, nodes);
  if (divided.size() != queues.size()) return false;
  std::int32_t node = 0;
  for (std::size_t i = 0; i < queues.size(); ++i) {
    std::size_t next = 0;
    for (const std::size_t end : cuts[i].ends(divided[i])) {
      std::size_t used = 0;
      for (std::size_t k = next; k < end; ++k) used += static_cast<std::size_t>(queues[i].cut[k].gpus);
      for (; next < end; ++next) {
        const Wanted& w = queues[i].jobs[next];
        const std::int32_t option =
            layout.option_with(w.job, queues[i].machines[used], queues[i].cut[next].gpus);
        if (option != kNone) layout.place_on(w.job, option, node);
      }
      ++node;
    }
  }
  return true;
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
  if (!place_cut(layout, wanted)) {
    for (const Wanted& w : wanted) place_sorted(layout, w);
  }
  repair(layout);
  return layout;
}

namespace {

PatternPlan patterns_of(const CostModel& model, const Layout& known) {
  std::vector<double> cheapest;
  for (std::int32_t job = 0; static_cast<std::size_t>(job) < model.snapshot().jobs.size(); ++job) {
    cheapest.push_back(best_share(model, job).cost);
  }
  const bool simple = model.snapshot().wishes.cost == NodeCost::first_end || cheapest.empty();
  if (simple) return {.bound = std::accumulate(cheapest.begin(), cheapest.end(), 0.0)};
  return solved_patterns(model, std::move(cheapest), known);
}

// The first node that takes all of them.
void place_pattern(Layout& layout, const std::vector<PatternItem>& items) {
  const bool there =
      std::ranges::any_of(items, [&](const PatternItem& item) { return layout.runs(item.job); });
  if (there) return;
  if (layout.model().option(items.front().job, items.front().option).nodes > 1) {
    layout.place(items.front().job, items.front().option);
    return;
  }
  for (std::int32_t node = 0; node < layout.nodes(); ++node) {
    if (layout.used_of(node) > 0 || !layout.place_on(items.front().job, items.front().option, node)) continue;
    const bool all = std::ranges::all_of(items.begin() + 1, items.end(), [&](const PatternItem& item) {
      return layout.place_on(item.job, item.option, node);
    });
    if (all) return;
    for (const PatternItem& item : items) layout.remove(item.job);
  }
}

}  // namespace

BoundedLayout pattern_layout(const CostModel& model, const Layout& known) {
  const PatternPlan plan = patterns_of(model, known);
  BoundedLayout found{.layout = Layout(model), .bound = plan.bound};
  for (const TakenPattern& pattern : plan.patterns) place_pattern(found.layout, pattern.items);
  return found;
}

Dollars bound_of(const Snapshot& snapshot) {
  const CostModel model(snapshot);
  return Dollars{patterns_of(model, sorted_layout(model)).bound};
}

}  // namespace sextant::capacity
