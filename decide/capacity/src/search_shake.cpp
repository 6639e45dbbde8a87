// Ruin and recreate: after Schrimpf et al., Record breaking optimization results, 2000.
#include <algorithm>
#include <cmath>
#include <limits>

#include "greedy_build.h"
#include "search.h"

namespace sextant::capacity {
namespace {

constexpr double kCheaper = 1e-9;     // USD: less is rounding
constexpr std::uint64_t kShaken = 3;  // nodes, at most, whose jobs are placed anew together
constexpr double kAnyOrder = 0.5;     // chance that they are in any order
constexpr double kOutOfTurn = 0.2;    // of a job's time: how much chance there is in the other one
constexpr double kLargest = -1e-6;    // USD: of machines that are equally dear, the largest
constexpr double kHeat = 0.002;       // of the cost: what a step may be dearer by at first

struct SharedSpot {
  double cost = std::numeric_limits<double>::infinity();
  std::int32_t option = kNone;
  std::int32_t node = kNone;
};

// The best place if others follow: of a node that is off, a job pays its share of the machine, which is made
// smaller when nobody comes.
SharedSpot spot_with_company(const Layout& layout, std::int32_t job) {
  const CostModel& model = layout.model();
  SharedSpot best = {};
  std::int32_t off = kNone;
  const auto options = static_cast<std::int32_t>(model.options(job).size());
  for (std::int32_t node = 0; node < layout.nodes(); ++node) {
    const std::int32_t type = layout.type_of(node);
    if (type == kNone && off == kNone) off = node;
    if (type == kNone && node != off && model.snapshot().nodes[static_cast<std::size_t>(node)].only == kNone)
      continue;
    for (std::int32_t option = 0; option < options; ++option) {
      const OptionCost& cost = model.option(job, option);
      if (type != kNone && cost.type != type) continue;
      double in_all = layout.cost_with(job, option, node);
      if (type == kNone) {
        const double gpus = model.snapshot().types[static_cast<std::size_t>(cost.type)].gpus;
        const double alone = model.node_cost(
            {.node = node, .type = cost.type, .used = cost.gpus, .first = cost.time, .last = cost.time});
        in_all += kLargest * gpus - alone * (1 - cost.gpus / gpus);
      }
      if (in_all < best.cost) best = {.cost = in_all, .option = option, .node = node};
    }
  }
  return best;
}

// Takes the jobs of a few nodes, and a few that wait, out of the layout, in an order by chance.
std::vector<std::int32_t> take_out(Layout& layout, Rng& rng) {
  std::vector<std::int32_t> jobs;
  const auto take = [&](std::int32_t job) {
    if (layout.shares_of(job).size() > 1 || std::ranges::find(jobs, job) != jobs.end()) return;
    jobs.push_back(job);
  };
  const std::uint64_t nodes = 1 + rng.below(kShaken);
  for (std::uint64_t i = 0; i < nodes; ++i) {
    const auto node = static_cast<std::int32_t>(rng.below(static_cast<std::uint64_t>(layout.nodes())));
    for (const std::int32_t job : layout.jobs_of(node)) take(job);
    const auto other = static_cast<std::int32_t>(rng.below(static_cast<std::uint64_t>(layout.jobs())));
    if (!layout.runs(other) && !layout.model().options(other).empty()) take(other);
  }
  // Longest first, so that the others fill up, or any order.
  const bool any_order = rng.uniform() < kAnyOrder;
  std::vector<double> keys(static_cast<std::size_t>(layout.jobs()), 0);
  for (const std::int32_t job : jobs) {
    const double draw = rng.uniform();
    const std::int32_t option = layout.option_of(job);
    keys[static_cast<std::size_t>(job)] =
        any_order ? draw
                  : (option == kNone ? 1 : layout.model().option(job, option).time) * (1 + kOutOfTurn * draw);
  }
  std::ranges::stable_sort(jobs, std::greater{},
                           [&](std::int32_t job) { return keys[static_cast<std::size_t>(job)]; });
  for (const std::int32_t job : jobs) layout.remove(job);
  return jobs;
}

}  // namespace

Layout shaken(const Layout& start, const Shaking& shaking, Rng& rng) {
  Layout now = start;
  Layout best = start;
  double now_cost = start.cost();
  double best_cost = now_cost;
  for (int round = 0; round < shaking.rounds && start.nodes() > 0 && start.jobs() > 0; ++round) {
    Layout next = now;
    std::vector<std::int32_t> jobs = take_out(next, rng);
    for (const std::int32_t job : jobs) {
      const SharedSpot spot = spot_with_company(next, job);
      const bool waits = shaking.stops == Stops::where_cheaper && spot.cost >= next.cost();
      if (spot.node != kNone && !waits) next.place_on(job, spot.option, spot.node);
    }
    repair(next);
    // A little dearer is taken too, less and less.
    const double heat = kHeat * best_cost * (1 - static_cast<double>(round) / shaking.rounds);
    const double allowed = now_cost - heat * std::log1p(-rng.uniform());
    if (next.cost() > allowed) continue;
    now = std::move(next);
    now_cost = now.cost();
    if (now_cost < best_cost - kCheaper) {
      best = now;
      best_cost = now_cost;
    }
  }
  return best;
}

}  // namespace sextant::capacity
