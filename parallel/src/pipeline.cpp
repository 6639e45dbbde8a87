#include "sextant/parallel/pipeline.h"

#include <algorithm>

#include "cut_chain.h"

namespace sextant {
namespace {

std::vector<double> sums_of(std::span<const Seconds> times) {
  std::vector<double> sums(times.size() + 1, 0);
  for (std::size_t i = 0; i < times.size(); ++i) sums[i + 1] = sums[i] + times[i].value;
  return sums;
}

struct SmallestMaximum {
  const std::vector<double>& sums;
  std::span<const Seconds> entry;

  [[nodiscard]] double work(const Run& run) const { return sums[run.end] - sums[run.first]; }
  [[nodiscard]] static bool stop(double work, double best) { return work >= best; }
  [[nodiscard]] static bool allows(const Run&) { return true; }
  [[nodiscard]] double join(double before, const Run& run, double work) const {
    return std::max(before, work + (run.at > 0 ? entry[run.first].value : 0));
  }
};

struct SmallestSum {
  const std::vector<double>& sums;
  std::span<const double> entry;
  double longest;

  [[nodiscard]] double work(const Run& run) const { return sums[run.end] - sums[run.first]; }
  [[nodiscard]] bool stop(double work, double) const { return work > longest; }
  [[nodiscard]] static bool allows(const Run&) { return true; }
  [[nodiscard]] double join(double before, const Run& run, double) const {
    return before + (run.at > 0 ? entry[run.first] : 0);
  }
};

}  // namespace

double bubble_overhead(const PipelineShape& shape) {
  return static_cast<double>(shape.stages - 1) / static_cast<double>(shape.pieces * shape.micro);
}

double bubble_fraction(const PipelineShape& shape) {
  return static_cast<double>(shape.stages - 1) /
         static_cast<double>(shape.pieces * shape.micro + shape.stages - 1);
}

double micro_in_flight(Schedule schedule, const PipelineShape& shape, std::int64_t stage) {
  const auto [stages, micro, pieces] = shape;
  if (schedule == Schedule::gpipe) return static_cast<double>(micro);
  if (pieces == 1) return static_cast<double>(std::min(stages - stage, micro));
  const std::int64_t held = stages * (pieces - 1) + 2 * (stages - stage) - 1;  // pieces, while warming up
  return static_cast<double>(std::min(held, micro * pieces)) / static_cast<double>(pieces);
}

std::vector<std::size_t> split_stages(std::span<const Seconds> times, std::span<const Seconds> entry,
                                      std::size_t stages) {
  const auto sums = sums_of(times);
  return cut_chain(times.size(), stages, SmallestMaximum{sums, entry});
}

std::vector<std::size_t> split_below(std::span<const Seconds> times, std::span<const double> entry,
                                     std::size_t stages, Seconds longest) {
  const auto sums = sums_of(times);
  return cut_chain(times.size(), stages, SmallestSum{sums, entry, longest.value});
}

}  // namespace sextant
