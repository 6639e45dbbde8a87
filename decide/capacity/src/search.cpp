#include "search.h"

#include <algorithm>
#include <array>
#include <limits>

namespace sextant::capacity {
namespace {

constexpr double kBetter = 1e-9;      // USD: less is rounding
constexpr std::size_t kPartners = 4;  // nodes with which a node exchanges jobs
constexpr std::size_t kSwaps = 40;    // jobs that wait, and jobs that run, whose exchange is tried

struct Spot {
  double cost = std::numeric_limits<double>::infinity();
  std::int32_t option = kNone;
  std::int32_t node = kNone;
};

// The best place for a job that waits. Of nodes that are off, the first of those that are alike stands for
// all.
Spot best_spot(const Layout& layout, std::int32_t job, std::int32_t except) {
  const CostModel& model = layout.model();
  const Snapshot& snapshot = model.snapshot();
  Spot best;
  const auto options = static_cast<std::int32_t>(model.options(job).size());
  for (std::int32_t node = 0; node < layout.nodes(); ++node) {
    if (node == except) continue;
    const NodeState& state = snapshot.nodes[static_cast<std::size_t>(node)];
    const std::int32_t type = layout.type_of(node);
    if (type == kNone && node > 0) {
      const NodeState& before = snapshot.nodes[static_cast<std::size_t>(node - 1)];
      const bool alike = layout.type_of(node - 1) == kNone && node - 1 != except &&
                         before.only == state.only && before.type == kNone && state.type == kNone &&
                         !before.down && snapshot.jobs[static_cast<std::size_t>(job)].nodes.empty() &&
                         model.restart(job) == 0;
      if (alike) continue;
    }
    for (std::int32_t option = 0; option < options; ++option) {
      if (type != kNone && model.option(job, option).type != type) continue;
      const double cost = layout.cost_with(job, option, node);
      if (cost < best.cost) best = {.cost = cost, .option = option, .node = node};
    }
  }
  return best;
}

// Where a job was, to put it back.
struct Seat {
  std::int32_t job = kNone;
  std::int32_t option = kNone;
  std::vector<Share> shares = {};
};

Seat seat_of(const Layout& layout, std::int32_t job) {
  const std::span<const Share> shares = layout.shares_of(job);
  return {job, layout.option_of(job), {shares.begin(), shares.end()}};
}

bool settle(Layout& layout, std::int32_t job) {
  const Spot spot = best_spot(layout, job, kNone);
  return spot.node != kNone && spot.cost < layout.cost() && layout.place_on(job, spot.option, spot.node);
}

bool improve_place(Layout& layout, std::int32_t job, Stops stops) {
  if (layout.shares_of(job).size() > 1) return false;
  const double before = layout.cost();
  const Seat seat = seat_of(layout, job);
  layout.remove(job);
  const Spot spot = best_spot(layout, job, kNone);
  // Nobody is stopped for its own sake: where due dates are far, the model finds waiting cheaper than any
  // work.
  if (spot.cost < before - kBetter) {
    layout.place_on(job, spot.option, spot.node);
    return true;
  }
  if (stops == Stops::where_cheaper && layout.cost() < before - kBetter) return true;
  if (seat.option != kNone) layout.place_on(job, seat.option, seat.shares.front().node);
  return false;
}

bool improve_type(Layout& layout, std::int32_t node) {
  const std::int32_t now = layout.type_of(node);
  if (now == kNone) return false;
  const auto types = static_cast<std::int32_t>(layout.model().snapshot().types.size());
  for (std::int32_t type = 0; type < types; ++type) {
    const double before = layout.cost();
    const std::int32_t was = layout.type_of(node);
    if (type == was || !layout.retype(node, type)) continue;
    if (layout.cost() < before - kBetter) return true;
    layout.retype(node, was);
  }
  return false;
}

// A copy of the layout with these jobs placed anew, in this order, if that is cheaper; `closed` stays empty.
bool place_anew(Layout& layout, std::span<const std::int32_t> jobs, std::int32_t closed) {
  Layout other = layout;
  for (const std::int32_t job : jobs) {
    if (other.shares_of(job).size() > 1) return false;
    other.remove(job);
  }
  for (const std::int32_t job : jobs) {
    const Spot spot = best_spot(other, job, closed);
    if (spot.node == kNone || !other.place_on(job, spot.option, spot.node)) return false;
  }
  if (other.cost() >= layout.cost() - kBetter) return false;
  layout = std::move(other);
  return true;
}

// Those first that lose most by waiting.
bool rebuild(Layout& layout, std::span<const std::int32_t> nodes, std::int32_t closed) {
  std::vector<std::int32_t> jobs;
  for (const std::int32_t node : nodes) {
    jobs.insert(jobs.end(), layout.jobs_of(node).begin(), layout.jobs_of(node).end());
  }
  std::ranges::stable_sort(jobs, std::greater{},
                           [&](std::int32_t job) { return layout.model().postponement(job); });
  return place_anew(layout, jobs, closed);
}

bool rebuild_some(Layout& layout) {
  bool any = false;
  std::int32_t emptiest = kNone;
  for (std::int32_t node = 0; node < layout.nodes(); ++node) {
    if (layout.used_of(node) == 0) continue;
    any = rebuild(layout, std::array{node}, kNone) || any;
    if (layout.used_of(node) == 0) continue;
    if (emptiest == kNone || layout.used_of(node) < layout.used_of(emptiest)) emptiest = node;
  }
  if (emptiest != kNone && layout.used_of(emptiest) > 0)
    any = rebuild(layout, std::array{emptiest}, emptiest) || any;
  std::int32_t before = kNone;
  for (std::int32_t node = 0; node < layout.nodes(); ++node) {
    if (layout.used_of(node) == 0) continue;
    if (before != kNone && layout.used_of(before) > 0)
      any = rebuild(layout, std::array{before, node}, kNone) || any;
    before = node;
  }
  return any;
}

bool settle_on(Layout& layout, std::int32_t job, std::int32_t node) {
  const auto options = static_cast<std::int32_t>(layout.model().options(job).size());
  Spot best;
  for (std::int32_t option = 0; option < options; ++option) {
    const double cost = layout.cost_with(job, option, node);
    if (cost < best.cost) best = {.cost = cost, .option = option, .node = node};
  }
  return best.node != kNone && layout.place_on(job, best.option, node);
}

// Two jobs change nodes, each with the option that is best there.
bool swap_nodes(Layout& layout, std::int32_t a, std::int32_t b) {
  const Seat seat_a = seat_of(layout, a);
  const Seat seat_b = seat_of(layout, b);
  if (seat_a.shares.size() != 1 || seat_b.shares.size() != 1) return false;
  const std::int32_t node_a = seat_a.shares.front().node;
  const std::int32_t node_b = seat_b.shares.front().node;
  if (node_a == node_b) return false;
  const double before = layout.cost();
  layout.remove(a);
  layout.remove(b);
  if (settle_on(layout, a, node_b) && settle_on(layout, b, node_a) && layout.cost() < before - kBetter)
    return true;
  layout.remove(a);
  layout.remove(b);
  layout.place_on(a, seat_a.option, node_a);
  layout.place_on(b, seat_b.option, node_b);
  return false;
}

// Of many nodes, each with the next one that is on.
bool swap_some(Layout& layout) {
  bool any = false;
  for (std::int32_t node = 0; node < layout.nodes(); ++node) {
    std::size_t partners = 0;
    for (std::int32_t other = node + 1; other < layout.nodes() && partners < kPartners; ++other) {
      if (layout.used_of(other) == 0) continue;
      ++partners;
      const std::vector<std::int32_t> here(layout.jobs_of(node).begin(), layout.jobs_of(node).end());
      const std::vector<std::int32_t> there(layout.jobs_of(other).begin(), layout.jobs_of(other).end());
      for (const std::int32_t a : here) {
        for (const std::int32_t b : there) any = swap_nodes(layout, a, b) || any;
      }
    }
  }
  return any;
}

// Lets the job that runs have fewer GPUs, and the one that waits the rest.
bool squeeze_in(Layout& layout, std::int32_t waits, std::int32_t runs) {
  const CostModel& model = layout.model();
  const double before = layout.cost();
  const Seat seat = seat_of(layout, runs);
  const std::int32_t node = seat.shares.front().node;
  const std::int32_t type = layout.type_of(node);
  for (std::int32_t gpus = seat.shares.front().gpus - 1; gpus > 0; --gpus) {
    const std::int32_t option = layout.option_with(runs, type, gpus);
    if (option == kNone || model.option(runs, option).nodes > 1) continue;
    layout.remove(runs);
    const bool smaller = layout.place_on(runs, option, node);
    const bool in = settle(layout, waits);
    if (in && layout.cost() < before - kBetter) return true;
    if (in) layout.remove(waits);
    if (smaller) layout.remove(runs);
    layout.place_on(runs, seat.option, node);
  }
  return false;
}

bool exchange(Layout& layout, std::int32_t waits, std::int32_t runs) {
  if (layout.shares_of(runs).size() != 1) return false;
  if (squeeze_in(layout, waits, runs)) return true;
  const double before = layout.cost();
  const Seat seat = seat_of(layout, runs);
  layout.remove(runs);
  const bool first = settle(layout, waits);
  const bool second = settle(layout, runs);
  if (first && layout.cost() < before - kBetter) return true;
  if (first) layout.remove(waits);
  if (second) layout.remove(runs);
  layout.place_on(runs, seat.option, seat.shares.front().node);
  return false;
}

bool exchange_some(Layout& layout) {
  const CostModel& model = layout.model();
  std::vector<std::int32_t> waiting;
  std::vector<std::int32_t> running;
  for (std::int32_t job = 0; job < layout.jobs(); ++job) {
    if (model.options(job).empty()) continue;
    (layout.runs(job) ? running : waiting).push_back(job);
  }
  const auto dearest = [&](std::int32_t job) { return -model.postponement(job); };
  std::ranges::stable_sort(waiting, {}, dearest);
  std::ranges::stable_sort(running, std::greater{}, dearest);
  if (waiting.size() > kSwaps) waiting.resize(kSwaps);
  if (running.size() > kSwaps) running.resize(kSwaps);
  bool any = false;
  for (const std::int32_t waits : waiting) {
    for (const std::int32_t runs : running) {
      if (layout.runs(waits)) break;
      if (layout.runs(runs) && exchange(layout, waits, runs)) any = true;
    }
  }
  return any;
}

}  // namespace

void local_search(Layout& layout, int passes, Stops stops) {
  for (int pass = 0; pass < passes; ++pass) {
    bool any = false;
    for (std::int32_t job = 0; job < layout.jobs(); ++job) {
      if (!layout.model().options(job).empty()) any = improve_place(layout, job, stops) || any;
    }
    for (std::int32_t node = 0; node < layout.nodes(); ++node) any = improve_type(layout, node) || any;
    any = rebuild_some(layout) || any;
    any = swap_some(layout) || any;
    any = exchange_some(layout) || any;
    if (!any) return;
  }
}

}  // namespace sextant::capacity
