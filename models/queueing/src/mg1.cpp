// M/G/1: mean waiting time by Pollaczek (1930) and Khinchine (1932), exact for any service time.
// Quantiles of waiting are approximate: exponential for those that wait, with the exact mean.
#include "open_queue.h"
#include "sextant/core/error.h"

namespace sextant::queueing {

QueueResult mg1(const Load& load) {
  check_load(load);
  if (load.servers != 1) throw InputError(at_field("servers"), "M/G/1 has one server", "G/G/c has several");
  QueueResult result = start_result("M/G/1", load);
  if (!result.stable) return result;
  const double rho = result.utilisation;
  const Seconds of_those_that_wait = load.service_time * ((1 + load.service_scv) / (2 * (1 - rho)));
  finish_by_little(result, rho * of_those_that_wait);
  result.wait_probability = rho;
  result.waiting_quantiles = exponential_waits(rho, of_those_that_wait);
  result.quantiles_standing = Standing::approximate;
  return result;
}

}  // namespace sextant::queueing
