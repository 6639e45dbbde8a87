#include "contention.h"

#include <algorithm>
#include <utility>

namespace sextant::simulate {

Contention::Contention(const std::vector<Presence>& jobs, std::int64_t gpus) {
  std::vector<std::pair<double, std::int64_t>> changes;
  changes.reserve(2 * jobs.size());
  for (const Presence& job : jobs) {
    changes.emplace_back(job.from_s, job.gpus);
    changes.emplace_back(job.to_s, -static_cast<std::int64_t>(job.gpus));
  }
  std::ranges::sort(changes);
  std::int64_t asked = 0;
  double integral = 0;
  for (const auto& [time, change] : changes) {
    asked += change;
    const double level = std::max(1.0, static_cast<double>(asked) / static_cast<double>(gpus));
    if (!times_.empty() && times_.back() == time) {
      levels_.back() = level;
      continue;
    }
    if (!times_.empty()) integral += levels_.back() * (time - times_.back());
    times_.push_back(time);
    levels_.push_back(level);
    integrals_.push_back(integral);
  }
}

std::size_t Contention::step_at(double time_s) const {
  const auto after = std::ranges::upper_bound(times_, time_s);
  return static_cast<std::size_t>(after - times_.begin());
}

double Contention::integral(double time_s) const {
  const std::size_t after = step_at(time_s);
  if (after == 0) return times_.empty() ? time_s : time_s - times_.front();  // nobody was there: level 1
  return integrals_[after - 1] + levels_[after - 1] * (time_s - times_[after - 1]);
}

double Contention::mean(double from_s, double to_s) const {
  if (to_s > from_s) return (integral(to_s) - integral(from_s)) / (to_s - from_s);
  const std::size_t after = step_at(from_s);
  return after == 0 ? 1 : levels_[after - 1];
}

}  // namespace sextant::simulate
