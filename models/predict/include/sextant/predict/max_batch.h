// The largest batch whose step fits a memory. Memory never shrinks with the batch, so doubling brackets
// the answer and bisection finds it, on the real count of the graph at every size.
#pragma once

#include <cstdint>
#include <functional>
#include <map>

#include "sextant/core/units.h"
#include "sextant/jobs/job.h"
#include "sextant/nets/network.h"

namespace sextant::predict {

// 0: not even a batch of 1 fits. `need` is asked for sizes from 1 on.
std::int64_t largest_fitting(const std::function<Bytes(std::int64_t)>& need, Bytes available);

// Memory of a job's step by batch size; each size is counted once, whatever the number of devices.
class BatchMemory {
 public:
  BatchMemory(const nets::Network& network, const jobs::Job& job) : network_(network), job_(job) {}

  Bytes need(std::int64_t batch);
  std::int64_t max_batch(Bytes available);

 private:
  const nets::Network& network_;
  jobs::Job job_;
  std::map<std::int64_t, Bytes> known_;
};

}  // namespace sextant::predict
