// M/M/1: the response time is exponential with mean 1 / (mu - lambda).
#include <cmath>

#include "open_queue.h"
#include "sextant/core/error.h"

namespace sextant::queueing {

QueueResult mm1(const Load& load) {
  check_load(load);
  if (load.servers != 1) throw InputError(at_field("servers"), "M/M/1 has one server", "M/M/c has several");
  QueueResult result = start_result("M/M/1", load);
  if (!result.stable) return result;
  const double rho = result.utilisation;
  const Seconds response = load.service_time / (1 - rho);
  finish_by_little(result, rho * response);
  result.wait_probability = rho;
  result.waiting_quantiles = exponential_waits(rho, response);
  result.response_quantiles = exponential_waits(1, response);
  return result;
}

}  // namespace sextant::queueing
