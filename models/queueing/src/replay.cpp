#include "sextant/queueing/replay.h"

#include <algorithm>
#include <functional>
#include <queue>

#include "sextant/core/error.h"
#include "sextant/stats/quantiles.h"
#include "sextant/stats/summary.h"

namespace sextant::queueing {
namespace {

constexpr std::size_t kSmallestBatch = 10;

TimeQuantiles quantiles_of(std::vector<double> values) {
  std::ranges::sort(values);
  const auto at = [&](double p) { return Seconds{stats::sorted_quantile(values, p)}; };
  return {at(0.50), at(0.90), at(0.95), at(0.99)};
}

}  // namespace

std::vector<double> fcfs_waits(std::span<const double> arrival_s, std::span<const double> service_s,
                               std::int64_t servers) {
  if (servers < 1) throw InputError("there is no server");
  // When each server is next free; more servers than jobs are never used.
  std::priority_queue<double, std::vector<double>, std::greater<>> free_at;
  const auto most = static_cast<std::size_t>(servers);
  std::vector<double> waits;
  waits.reserve(arrival_s.size());
  for (std::size_t i = 0; i < arrival_s.size(); ++i) {
    double start = arrival_s[i];
    if (free_at.size() == most) {
      start = std::max(start, free_at.top());
      free_at.pop();
    }
    free_at.push(start + service_s[i]);
    waits.push_back(start - arrival_s[i]);
  }
  return waits;
}

std::optional<stats::Interval> batch_means_interval(std::span<const double> values, std::size_t batches) {
  if (values.size() < batches * kSmallestBatch) return std::nullopt;
  std::vector<double> means;
  for (std::size_t k = 0; k < batches; ++k) {
    const std::size_t begin = k * values.size() / batches;
    const std::size_t end = (k + 1) * values.size() / batches;
    means.push_back(stats::mean(values.subspan(begin, end - begin)));
  }
  return stats::mean_interval(means);
}

Replay replay_fcfs(std::span<const double> arrival_s, std::span<const double> service_s,
                   std::int64_t servers) {
  const std::vector<double> waits = fcfs_waits(arrival_s, service_s, servers);
  std::vector<double> responses = waits;
  double end = arrival_s.front();
  for (std::size_t i = 0; i < waits.size(); ++i) {
    responses[i] += service_s[i];
    end = std::max(end, arrival_s[i] + responses[i]);
  }
  Replay replay;
  replay.jobs = waits.size();
  replay.servers = servers;
  const double span = end - arrival_s.front();
  replay.utilisation = span > 0 ? stats::sum(service_s) / (static_cast<double>(servers) * span) : 0;
  replay.waiting = Seconds{stats::mean(waits)};
  replay.response = Seconds{stats::mean(responses)};
  replay.waiting_interval_s = batch_means_interval(waits);
  replay.waiting_quantiles = quantiles_of(waits);
  replay.response_quantiles = quantiles_of(responses);
  return replay;
}

}  // namespace sextant::queueing
