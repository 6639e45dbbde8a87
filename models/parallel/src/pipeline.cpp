#include "pipeline.h"

#include <algorithm>

#include "cut_chain.h"

namespace sextant::parallel {
namespace {

constexpr double kCloseEnough = 1e-9;

std::vector<double> sums_of(std::span<const Seconds> times) {
  std::vector<double> sums(times.size() + 1, 0);
  for (std::size_t i = 0; i < times.size(); ++i) sums[i + 1] = sums[i] + times[i].value;
  return sums;
}

struct SmallestSum {
  const std::vector<double>& sums;
  std::span<const double> entry;
  double longest;
  std::size_t runs;

  [[nodiscard]] double work(const Run& run) const { return sums[run.end] - sums[run.first]; }
  [[nodiscard]] bool stop(double work, double) const { return work > longest; }
  // The runs up to this one hold no more than the bound allows, nor do those behind it.
  [[nodiscard]] bool can_end(std::size_t at, std::size_t end) const {
    const double most = longest * (1 + kCloseEnough);
    return sums[end] <= most * static_cast<double>(at + 1) &&
           sums.back() - sums[end] <= most * static_cast<double>(runs - 1 - at);
  }
  [[nodiscard]] static bool allows(const Run&) { return true; }
  [[nodiscard]] double join(double before, const Run& run, double) const {
    return before + (run.at > 0 ? entry[run.first] : 0);
  }
};

constexpr int kHalvings = 60;

// Each run takes as many layers as the bound allows and the runs after it leave; empty if one layer or what
// is left is above the bound.
std::vector<std::size_t> greedy_runs(const std::vector<double>& sums, std::size_t stages, double bound) {
  const std::size_t layers = sums.size() - 1;
  std::vector<std::size_t> firsts = {0};
  for (std::size_t i = 0; i < layers; ++i) {
    const bool too_long = sums[i + 1] - sums[firsts.back()] > bound;
    const bool needed = layers - i == stages - firsts.size();  // one layer for each run that is left
    if (!too_long && !needed) continue;
    if (i == firsts.back() || firsts.size() == stages) {
      if (too_long) return {};
      continue;
    }
    firsts.push_back(i);
    if (sums[i + 1] - sums[i] > bound) return {};
  }
  return firsts;
}

}  // namespace

double bubble_overhead(const PipelineShape& shape) {
  return static_cast<double>(shape.stages - 1) / static_cast<double>(shape.pieces * shape.micro);
}

double micro_in_flight(Schedule schedule, const PipelineShape& shape, std::int64_t stage) {
  const auto [stages, micro, pieces] = shape;
  if (schedule == Schedule::gpipe) return static_cast<double>(micro);
  if (pieces == 1) return static_cast<double>(std::min(stages - stage, micro));
  const std::int64_t held = stages * (pieces - 1) + 2 * (stages - stage) - 1;  // pieces, while warming up
  return static_cast<double>(std::min(held, micro * pieces)) / static_cast<double>(pieces);
}

std::vector<std::size_t> split_evenly(std::span<const Seconds> times, std::size_t stages) {
  if (stages == 0 || times.size() < stages) return {};
  const auto sums = sums_of(times);
  double low = sums.back() / static_cast<double>(stages);
  double high = sums.back();
  std::vector<std::size_t> best = greedy_runs(sums, stages, high);
  for (int halving = 0; halving < kHalvings && high - low > kCloseEnough * high; ++halving) {
    const double bound = (low + high) / 2;
    auto cuts = greedy_runs(sums, stages, bound);
    (cuts.empty() ? low : high) = bound;
    if (!cuts.empty()) best = std::move(cuts);
  }
  return best;
}

std::vector<std::size_t> split_below(std::span<const Seconds> times, std::span<const double> entry,
                                     std::size_t stages, Seconds longest) {
  const auto sums = sums_of(times);
  return cut_chain(times.size(), stages, SmallestSum{sums, entry, longest.value, stages});
}

}  // namespace sextant::parallel
