#include <algorithm>
#include <cmath>

#include "sextant/ask/simulation_summary.h"

namespace sextant::ask {
namespace {

constexpr std::size_t kPoints = 240;  // of a curve

}  // namespace

RunCurve utilization_over_time(const simulate::SweepRun& run, double gpus) {
  const std::vector<simulate::SeriesPoint>& points = run.result.series;
  const double begin = run.result.begin.value;
  const double end = std::max(run.result.horizon.value, begin + 1e-9);
  const double width = (end - begin) / static_cast<double>(kPoints);
  std::vector<double> held(kPoints, 0.0);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double until = i + 1 < points.size() ? points[i + 1].time.value : end;
    double from = std::max(points[i].time.value, begin);
    while (from < until) {
      const auto bin = std::min(kPoints - 1, static_cast<std::size_t>((from - begin) / width));
      const double edge = bin + 1 == kPoints ? until : begin + width * static_cast<double>(bin + 1);
      const double to = std::min(until, std::max(edge, std::nextafter(from, until)));
      held[bin] += (to - from) * points[i].used;
      from = to;
    }
  }
  RunCurve curve;
  for (std::size_t b = 0; b < kPoints; ++b) {
    curve.x.push_back(width * (static_cast<double>(b) + 0.5));
    curve.y.push_back(held[b] / width / gpus);
  }
  return curve;
}

RunCurve jct_distribution(const simulate::SweepRun& run) {
  std::vector<double> times;
  for (std::size_t i = 0; i < run.result.jobs.size(); ++i) {
    const double jct = (run.result.jobs[i].completion - run.jobs->jobs[i].arrival).value;
    if (!std::isnan(jct)) times.push_back(std::max(jct, 1e-3));
  }
  std::ranges::sort(times);
  RunCurve curve;
  const std::size_t count = std::min(times.size(), kPoints);
  for (std::size_t k = 0; k < count; ++k) {
    const std::size_t i = count == 1 ? 0 : k * (times.size() - 1) / (count - 1);
    curve.x.push_back(times[i]);
    curve.y.push_back(static_cast<double>(i + 1) / static_cast<double>(times.size()));
  }
  return curve;
}

}  // namespace sextant::ask
