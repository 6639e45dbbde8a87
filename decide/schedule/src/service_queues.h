// Queues by attained service (GPU-seconds), as in Tiresias (Gu et al., NSDI'19): a job sinks when its service
// reaches the limit of its queue, and may rise to the first again when it has waited long for what it had.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "sextant/schedule/ranked.h"

namespace sextant::schedule {

struct ServicePlace {
  std::int32_t queue = 0;
  double service = 0;  // GPU-seconds that count, since the last promotion
  double until_s = 0;  // when the queue changes if nothing happens to the job
};

class ServiceQueues {
 public:
  // Limits ascend, in GPU-seconds, otherwise InputError. `promote` times its executed time is how long a job
  // waits before it rises; 0: never.
  ServiceQueues(std::vector<double> limits, double promote);

  ServicePlace place(const JobView& job, double now_s);

 private:
  double forgiven_s(const JobView& job, double now_s);

  std::vector<double> limits_;
  double promote_;
  std::unordered_map<std::int64_t, double> forgiven_;  // by id: executed time at its last promotion
};

}  // namespace sextant::schedule
