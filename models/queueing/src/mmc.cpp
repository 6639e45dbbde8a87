// M/M/c (Erlang 1917). A job waits with probability C, and then for an exponential time with mean
// 1 / (c mu - lambda); its response is that plus an exponential service.
#include <algorithm>
#include <cmath>

#include "open_queue.h"

namespace sextant::queueing {
namespace {

// P(A + B > t) for independent exponentials of rates a <= b: e^-at (1 + a (1 - e^-(b-a)t) / (b-a)), written
// so that equal rates (Erlang-2) are no special case and nothing overflows.
double sum_exceeds(double t, double rate1, double rate2) {
  const double a = std::min(rate1, rate2);
  const double x = (std::max(rate1, rate2) - a) * t;
  const double mean_decay = x < 1e-12 ? 1 : -std::expm1(-x) / x;
  return std::exp(-a * t) * (1 + a * t * mean_decay);
}

struct Response {
  double waits;       // probability
  double wait_rate;   // of those that wait, 1/s
  double serve_rate;  // 1/s

  [[nodiscard]] double exceeds(double t) const {
    return (1 - waits) * std::exp(-serve_rate * t) + waits * sum_exceeds(t, wait_rate, serve_rate);
  }
};

// By bisection: exceeds() falls from 1 to 0.
Seconds quantile(const Response& response, double p) {
  const double slower = std::min(response.wait_rate, response.serve_rate);
  double low = 0;
  double high = 1 / slower;
  while (response.exceeds(high) > 1 - p) high *= 2;
  for (int i = 0; i < 100 && high - low > 1e-15 * high; ++i) {
    const double middle = low + (high - low) / 2;
    (response.exceeds(middle) > 1 - p ? low : high) = middle;
  }
  return Seconds{low + (high - low) / 2};
}

}  // namespace

double erlang_b(std::int64_t servers, double offered) {
  double blocked = 1;
  for (std::int64_t i = 1; i <= servers; ++i) {
    blocked = offered * blocked / (static_cast<double>(i) + offered * blocked);
  }
  return blocked;
}

double erlang_c(std::int64_t servers, double offered) {
  const auto c = static_cast<double>(servers);
  const double blocked = erlang_b(servers, offered);
  return c * blocked / (c - offered * (1 - blocked));
}

QueueResult mmc(const Load& load) {
  check_load(load);
  QueueResult result = start_result("M/M/c", load);
  if (!result.stable) return result;
  const double serve_rate = 1 / load.service_time.value;
  const double spare = (static_cast<double>(load.servers) - load.offered()) * serve_rate;  // c mu - lambda
  result.wait_probability = erlang_c(load.servers, load.offered());
  finish_by_little(result, Seconds{result.wait_probability / spare});
  result.waiting_quantiles = exponential_waits(result.wait_probability, Seconds{1 / spare});
  const Response response{result.wait_probability, spare, serve_rate};
  result.response_quantiles = TimeQuantiles{quantile(response, 0.50), quantile(response, 0.90),
                                            quantile(response, 0.95), quantile(response, 0.99)};
  return result;
}

}  // namespace sextant::queueing
