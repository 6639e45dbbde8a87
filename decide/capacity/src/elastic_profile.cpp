#include "elastic_profile.h"

#include <algorithm>

#include "sextant/core/infinity.h"

namespace sextant::capacity {
namespace {

constexpr double kWorkRounding = 1e-12;  // of a job
constexpr double kSameTime = 1e-9;       // s

// The largest level up to `most` that these GPUs allow; -1: none.
int level_within(const std::vector<ElasticLevel>& levels, std::size_t most, std::int32_t gpus) {
  int level = static_cast<int>(most);
  while (level >= 0 && levels[static_cast<std::size_t>(level)].gpus > gpus) --level;
  return level;
}

}  // namespace

double FreeGpus::end_with(const ElasticDemand& demand, std::size_t level) const {
  double work = 1;
  double lost = 0;  // s of restarts that are still to pass
  std::int32_t had = demand.current;
  for (std::size_t i = 0; i < steps_.size() && steps_[i].begin < demand.due; ++i) {
    const double next = i + 1 < steps_.size() ? steps_[i + 1].begin : kInfinity;
    const int fits = level_within(demand.levels, level, steps_[i].gpus);
    if (fits < 0) continue;
    const ElasticLevel& used = demand.levels[static_cast<std::size_t>(fits)];
    if (had != 0 && used.gpus != had) lost += demand.restart;
    had = used.gpus;
    const double begin = std::min(steps_[i].begin + lost, next);
    lost -= begin - steps_[i].begin;
    const double until = std::min(next, demand.due);
    if (begin >= until) continue;
    const double done = (until - begin) * used.rate;
    if (done >= work - kWorkRounding) return begin + std::max(0.0, work) / used.rate;
    work -= done;
  }
  return kInfinity;
}

std::optional<ElasticFill> FreeGpus::fill(const ElasticDemand& demand) {
  for (std::size_t level = 0; level < demand.levels.size(); ++level) {
    if (demand.levels[level].rate * demand.due < 1 - kWorkRounding) continue;  // too slow even on free GPUs
    const double end = end_with(demand, level);
    if (end == kInfinity) continue;
    const int now = level_within(demand.levels, level, steps_.front().gpus);
    take(demand, level, end);
    return ElasticFill{.level = level,
                       .gpus_now = now < 0 ? 0 : demand.levels[static_cast<std::size_t>(now)].gpus,
                       .end = end};
  }
  return std::nullopt;
}

void FreeGpus::take(const ElasticDemand& demand, std::size_t level, double end) {
  for (std::size_t i = 0; i < steps_.size() && steps_[i].begin < end - kSameTime; ++i) {
    const int fits = level_within(demand.levels, level, steps_[i].gpus);
    if (fits < 0) continue;
    const bool last = i + 1 == steps_.size();
    if (last || steps_[i + 1].begin > end + kSameTime) {
      steps_.insert(steps_.begin() + static_cast<std::ptrdiff_t>(i) + 1, {end, steps_[i].gpus});
    }
    steps_[i].gpus -= demand.levels[static_cast<std::size_t>(fits)].gpus;
  }
}

}  // namespace sextant::capacity
