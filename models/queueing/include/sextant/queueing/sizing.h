// How many servers are enough: the least number at which every target is met. All targets fall with more
// servers, so the number is found by bisection.
#pragma once

#include <optional>
#include <string>

#include "sextant/queueing/open_queue.h"

namespace sextant::queueing {

struct WaitTargets {
  std::optional<Seconds> mean_wait = {};
  std::optional<Seconds> p95_wait = {};  // 95 % of the jobs wait at most this long
  std::optional<Seconds> mean_response = {};
  std::optional<Seconds> p95_response = {};  // M/M/c only: other models do not know it

  [[nodiscard]] bool any() const { return mean_wait || p95_wait || mean_response || p95_response; }
};

struct Sizing {
  QueueResult result;         // at the least number of servers, or at the limit
  bool feasible = true;       // all targets are met
  std::string tightest = {};  // what one server less would break, or what the limit does not reach
};

// Model mmc or ggc; load.servers is not read. InputError for another model, and for a target that is
// negative, not finite, or not known in the model.
Sizing least_servers(QueueModel model, const Load& load, const WaitTargets& targets, std::int64_t limit);

}  // namespace sextant::queueing
