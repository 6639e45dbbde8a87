// Recorded jobs sent through c servers in order of arrival (Kiefer, Wolfowitz 1955; with one server Lindley's
// recursion). No assumption about distributions: what these jobs would have waited.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sextant/queueing/open_queue.h"
#include "sextant/stats/interval.h"

namespace sextant::queueing {

// Of each job, in seconds. Arrival times ascend; as many services. At least one server.
std::vector<double> fcfs_waits(std::span<const double> arrival_s, std::span<const double> service_s,
                               std::int64_t servers);

struct Replay {
  std::size_t jobs = 0;
  std::int64_t servers = 1;
  double utilisation = 0;  // service time over servers * time until the last job has left
  Seconds waiting;         // means
  Seconds response;
  std::optional<stats::Interval> waiting_interval_s = {};  // 95 %, from 20 batches of at least 10 jobs
  TimeQuantiles waiting_quantiles;
  TimeQuantiles response_quantiles;
};

// The system starts empty. At least one job.
Replay replay_fcfs(std::span<const double> arrival_s, std::span<const double> service_s,
                   std::int64_t servers);

// Student's interval from the means of consecutive batches, which are nearly independent where neighbours
// are not. Nothing for fewer than 10 values a batch.
std::optional<stats::Interval> batch_means_interval(std::span<const double> values, std::size_t batches = 20);

}  // namespace sextant::queueing
