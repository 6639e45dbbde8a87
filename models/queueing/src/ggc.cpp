// G/G/c by Allen and Cunneen: the waiting time of M/M/c times the mean of both scvs. Exact for M/M/c and
// M/G/1; with one server it is Kingman's heavy-traffic formula, and with Poisson arrivals Lee and Longton's.
#include "open_queue.h"

namespace sextant::queueing {

QueueResult ggc(const Load& load) {
  check_load(load);
  QueueResult result = start_result(load.servers == 1 ? "G/G/1" : "G/G/c", load);
  result.standing = Standing::approximate;  // an scv of 1 alone does not make arrivals Poisson
  if (!result.stable) return result;
  const double variability = (load.arrival_scv + load.service_scv) / 2;
  const double spare_servers = static_cast<double>(load.servers) - load.offered();
  const Seconds of_those_that_wait = load.service_time * (variability / spare_servers);
  result.wait_probability = erlang_c(load.servers, load.offered());
  finish_by_little(result, result.wait_probability * of_those_that_wait);
  result.waiting_quantiles = exponential_waits(result.wait_probability, of_those_that_wait);
  result.quantiles_standing = Standing::approximate;
  return result;
}

}  // namespace sextant::queueing
