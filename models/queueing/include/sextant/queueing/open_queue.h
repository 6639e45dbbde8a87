// Open queues: jobs arrive from outside, wait for one of c servers in order of arrival, and leave.
// M/M/1, M/M/c (Erlang), M/M/c/K, M/G/1 (Pollaczek-Khinchine) and G/G/c (Allen-Cunneen; with one server
// Kingman's formula). A queue that is offered more than it can serve is a result, with infinite times.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "sextant/core/units.h"

namespace sextant::queueing {

enum class QueueModel { mm1, mmc, mmck, mg1, ggc };

// scv: squared coefficient of variation, variance over squared mean; 1 for an exponential, 0 for a constant.
struct Load {
  Hertz arrival_rate;
  Seconds service_time;  // mean, on one server
  std::int64_t servers = 1;
  double arrival_scv = 1;  // of the times between arrivals
  double service_scv = 1;
  std::optional<std::int64_t> capacity = {};  // M/M/c/K: jobs that find K in the system are turned away

  [[nodiscard]] double offered() const { return arrival_rate.value * service_time.value; }  // busy servers
};

struct TimeQuantiles {
  Seconds p50;
  Seconds p90;
  Seconds p95;
  Seconds p99;
};

enum class Standing { exact, approximate };
std::string to_string(Standing standing);

struct QueueResult {
  std::string model;  // "M/M/c"
  Standing standing = Standing::exact;
  Load load;
  bool stable = true;
  // When not stable: the least number that is. Nothing where even 10^9 would not do.
  std::optional<std::int64_t> stable_servers = {};
  double utilisation = 0;       // of each server; what is asked of it, and above 1 when not stable
  Hertz throughput;             // of jobs served
  double loss = 0;              // share of the jobs turned away
  double wait_probability = 0;  // of a job that is let in
  double in_system = 0;         // mean number; infinite, as the times, when not stable
  double in_queue = 0;
  Seconds response;  // mean, waiting and service
  Seconds waiting;   // mean
  std::optional<TimeQuantiles> response_quantiles = {};
  std::optional<TimeQuantiles> waiting_quantiles = {};
  Standing quantiles_standing = Standing::exact;
};

// InputError: a rate or time that is not from 1e-250 to 1e250, an scv that is not from 0 to 10^6; no server;
// several servers for a model of one; M/M/c/K without a capacity of at least c.
QueueResult solve(QueueModel model, const Load& load);

QueueResult mm1(const Load& load);
QueueResult mmc(const Load& load);
QueueResult mmck(const Load& load);
QueueResult mg1(const Load& load);
QueueResult ggc(const Load& load);

// Erlang's formulas for a = offered load: the share of jobs lost by c servers without a queue, and the
// share that waits with one (a < c).
double erlang_b(std::int64_t servers, double offered);
double erlang_c(std::int64_t servers, double offered);

// Least number of servers that keeps up with the load, up to 10^9.
std::optional<std::int64_t> stable_servers(double offered);

}  // namespace sextant::queueing
