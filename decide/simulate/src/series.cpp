#include "series.h"

namespace sextant::simulate {

void RunSeries::pass(Nanos to) {
  if (ratio_ >= 0) {
    sum_ += ratio_ * seconds_of(to - since_);
    with_free_ += to - since_;
  }
  since_ = to;
}

void RunSeries::note(Nanos now, const ClusterState& cluster, std::int64_t running, std::int64_t waiting) {
  pass(now);
  const auto free = static_cast<double>(cluster.free());
  const std::int64_t fragmented = cluster.fragmented();
  ratio_ = free > 0 ? static_cast<double>(fragmented) / free : -1;
  if (!keep_) return;
  const Seconds time{clock_.at(now)};
  if (!points_.empty() && points_.back().time == time) points_.pop_back();
  const SeriesPoint point{.time = time,
                          .used = static_cast<std::int32_t>(cluster.used()),
                          .down = static_cast<std::int32_t>(cluster.down()),
                          .running = static_cast<std::int32_t>(running),
                          .waiting = static_cast<std::int32_t>(waiting),
                          .fragmented = static_cast<std::int32_t>(fragmented)};
  if (!points_.empty()) {
    const SeriesPoint& last = points_.back();
    const bool same = last.used == point.used && last.down == point.down && last.running == point.running &&
                      last.waiting == point.waiting && last.fragmented == point.fragmented;
    if (same) return;
  }
  points_.push_back(point);
}

void RunSeries::finish(Nanos end, RunResult& result) {
  pass(end);
  result.fragmentation = with_free_ > 0 ? sum_ / seconds_of(with_free_) : 0;
  result.series = std::move(points_);
}

}  // namespace sextant::simulate
