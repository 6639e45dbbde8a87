#include "wait_interval.h"

#include <algorithm>
#include <limits>
#include <span>

namespace sextant::queueing {
namespace {

constexpr std::size_t kResamples = 400;
constexpr std::size_t kFewestResamples = 80;
constexpr std::size_t kMostDraws = 20'000'000;  // a second or so; long records leave little open anyway

struct Moments {
  double mean = 0;
  double scv = 0;
};

// Of as many values drawn with repeats, in units of `scale` so that no square overflows.
Moments resampled(std::span<const double> values, double scale, Rng rng) {
  double sum = 0;
  double squares = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double value = values[rng.below(values.size())] / scale;
    sum += value;
    squares += value * value;
  }
  const auto n = static_cast<double>(values.size());
  const double mean = sum / n;
  const double variance = std::max(squares / n - mean * mean, 0.0) * n / (n - 1);
  return {mean * scale, mean > 0 ? variance / (mean * mean) : 0};
}

}  // namespace

stats::Interval wait_interval(const Diagnosis& d, const JobRecords& records) {
  const Rng rng = Rng(d.seed).stream("wait interval");
  const bool markov_arrivals = d.load.arrival_scv == 1;
  const bool markov_services = d.load.service_scv == 1;
  const std::size_t resamples =
      std::clamp(kMostDraws / records.service_s.size(), kFewestResamples, kResamples);
  std::vector<double> waits;
  for (std::size_t i = 0; i < resamples; ++i) {
    const Moments gap = resampled(records.interarrival_s, d.arrivals.mean_s, rng.stream("arrivals", i));
    const Moments service = resampled(records.service_s, d.services.mean_s, rng.stream("services", i));
    if (!(gap.mean > 0 && service.mean > 0)) continue;  // nothing but zeros was drawn
    const Load load{.arrival_rate = Hertz{1 / gap.mean},
                    .service_time = Seconds{service.mean},
                    .servers = d.load.servers,
                    .arrival_scv = markov_arrivals ? 1 : gap.scv,
                    .service_scv = markov_services ? 1 : service.scv};
    waits.push_back(solve(d.model, load).waiting.value);
  }
  if (waits.size() < resamples / 2) return {0, std::numeric_limits<double>::infinity()};
  std::ranges::sort(waits);
  const std::size_t tail = waits.size() / 40;  // 2.5 %
  return {waits[tail], waits[waits.size() - 1 - tail]};
}

}  // namespace sextant::queueing
