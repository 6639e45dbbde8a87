// Replicates, blocks and a drawn order around the points of a design.
#include <algorithm>
#include <cmath>
#include <limits>

#include "sextant/core/error_place.h"
#include "sextant/core/plugin_text.h"
#include "sextant/explore/design.h"

namespace sextant::explore {
namespace {

template <class Item>
void shuffle(std::vector<Item>& items, Rng& rng) {
  for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[rng.below(i)]);
}

// Runs dealt out in a drawn order, as many to each block as can be.
void deal(std::vector<PlannedRun>& runs, const DesignRequest& request) {
  Rng rng = Rng(request.seed).stream("blocks");
  std::vector<std::size_t> order(runs.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  shuffle(order, rng);
  for (std::size_t i = 0; i < order.size(); ++i) runs[order[i]].block = i % request.blocks;
}

bool in_blocks(const std::vector<PlannedRun>& runs) {
  return std::ranges::any_of(runs, [](const PlannedRun& run) { return run.block != 0; });
}

std::vector<PlannedRun> replicated(const std::vector<PlannedRun>& points, const DesignRequest& request,
                                   bool replicates_are_blocks) {
  std::vector<PlannedRun> runs;
  for (std::size_t replicate = 0; replicate < request.replicates; ++replicate) {
    for (PlannedRun run : points) {
      run.replicate = replicate;
      if (replicates_are_blocks) run.block = replicate % request.blocks;
      runs.push_back(std::move(run));
    }
  }
  return runs;
}

constexpr std::size_t kMost = 1000000;

void check(const DesignRequest& request, const SourcePos& at) {
  if (request.replicates == 0 || request.blocks == 0) {
    throw InputError(at, "a design has at least one replicate and one block");
  }
  if (request.replicates > kMost || request.blocks > kMost || request.runs > kMost) {
    throw InputError(at, "a design has at most a million runs");
  }
}

// Largest correlation of a factor with the place in the order, whatever its sign.
double largest_trend(const SearchSpace& space, const std::vector<PlannedRun>& runs) {
  const auto n = static_cast<double>(runs.size());
  double largest = 0;
  for (std::size_t f = 0; f < space.factors().size(); ++f) {
    double sum = 0;
    double squares = 0;
    double product = 0;
    for (std::size_t i = 0; i < runs.size(); ++i) {
      const double x = space.unit(runs[i].configuration)[f];
      sum += x;
      squares += x * x;
      product += x * (static_cast<double>(i) - (n - 1) / 2);
    }
    const double spread = (squares - sum * sum / n) * n * (n * n - 1) / 12;
    if (spread > 1e-12) largest = std::max(largest, std::abs(product) / std::sqrt(spread));
  }
  return largest;
}

// Block after block, within each in a drawn order. An order in which a factor rises or falls with time is
// drawn again, since a drift would then pass for its effect; of very few runs the least such order is taken.
void draw_order(const SearchSpace& space, std::vector<PlannedRun>& runs, std::uint64_t seed) {
  constexpr double kTrend = 0.5;
  constexpr int kStarts = 50;
  constexpr std::size_t kMany = 2000;  // runs, of which chance leaves no trend
  Rng rng = Rng(seed).stream("run-order");
  std::vector<PlannedRun> best;
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i < kStarts && least > kTrend; ++i) {
    shuffle(runs, rng);
    std::ranges::stable_sort(runs, {}, &PlannedRun::block);
    if (runs.size() > kMany) return;
    const double trend = largest_trend(space, runs);
    if (trend >= least) continue;
    least = trend;
    best = runs;
  }
  runs = std::move(best);
}

}  // namespace

PlannedDesign plan_design(const std::string& text, const DesignRequest& request, const SourcePos& at) {
  check(request, at);
  const PluginText parts = split_plugin_text(text, at);
  const DesignInfo& info = designs().get(parts.id, at);
  DesignRequest own = request;
  // Whole replicates as blocks lose nothing to them.
  const bool replicates_are_blocks = request.blocks > 1 && request.replicates % request.blocks == 0;
  if (replicates_are_blocks) own.blocks = 1;
  PlannedDesign design = with_place(at, [&] { return info.make(own, parameters_of(info, parts, at)); });
  const std::size_t points = design.runs.size();
  if (request.blocks > points * request.replicates) {
    throw InputError(at, "there are " + std::to_string(points * request.replicates) + " runs for " +
                             std::to_string(request.blocks) + " blocks");
  }
  if (points * request.replicates > kMost) throw InputError(at, "a design has at most a million runs");
  design.runs = replicated(design.runs, request, replicates_are_blocks);
  if (replicates_are_blocks) {
    design.notes.emplace_back("each block has every run of the design");
  } else if (request.blocks > 1 && !in_blocks(design.runs)) {
    deal(design.runs, request);
    design.notes.emplace_back(
        "runs are dealt to blocks at random: compare configurations across blocks with care");
  }
  draw_order(request.space, design.runs, request.seed);
  return design;
}

}  // namespace sextant::explore
