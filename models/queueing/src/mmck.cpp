// M/M/c/K: a birth-death chain on 0..K. Its weights are summed from the mode of the chain outwards, so that
// neither a long queue nor a heavy load overflows.
#include <algorithm>
#include <cmath>

#include "open_queue.h"
#include "sextant/core/error.h"

namespace sextant::queueing {
namespace {

constexpr std::int64_t kLargestCapacity = 10'000'000;

std::int64_t checked_capacity(const Load& load) {
  if (!load.capacity)
    throw InputError(at_field("capacity"), "M/M/c/K needs a capacity: how many jobs fit in the system?");
  if (*load.capacity < load.servers || *load.capacity > kLargestCapacity) {
    throw InputError(at_field("capacity"), "capacity " + std::to_string(*load.capacity) +
                                               " is not from the " + std::to_string(load.servers) +
                                               " servers to " + std::to_string(kLargestCapacity));
  }
  return *load.capacity;
}

struct Chain {
  double total = 0;
  double in_system = 0;
  double in_queue = 0;
  double waiting_states = 0;  // states from c to K - 1: who comes then waits
  double full = 0;
};

Chain sum_chain(const Load& load, std::int64_t capacity) {
  const double a = load.offered();
  const auto c = static_cast<double>(load.servers);
  // The largest weight: the last state that more jobs enter than leave.
  const std::int64_t mode = a >= c ? capacity : static_cast<std::int64_t>(a);
  Chain chain;
  const auto add = [&](std::int64_t n, double weight) {
    const auto jobs = static_cast<double>(n);
    chain.total += weight;
    chain.in_system += jobs * weight;
    chain.in_queue += std::max(jobs - c, 0.0) * weight;
    if (n >= load.servers && n < capacity) chain.waiting_states += weight;
    if (n == capacity) chain.full += weight;
  };
  add(mode, 1);
  double weight = 1;
  for (std::int64_t n = mode + 1; n <= capacity; ++n) {
    add(n, weight *= a / std::min(static_cast<double>(n), c));
  }
  weight = 1;
  for (std::int64_t n = mode; n > 0; --n) {
    add(n - 1, weight *= std::min(static_cast<double>(n), c) / a);
  }
  return chain;
}

}  // namespace

QueueResult mmck(const Load& load) {
  check_load(load);
  const std::int64_t capacity = checked_capacity(load);
  QueueResult result;
  result.model = "M/M/c/K";
  result.load = load;
  const Chain chain = sum_chain(load, capacity);
  result.loss = chain.full / chain.total;
  const double admitted = (chain.total - chain.full) / chain.total;
  result.wait_probability = chain.waiting_states / (chain.total - chain.full);
  result.in_system = chain.in_system / chain.total;
  result.in_queue = chain.in_queue / chain.total;
  // Busy servers over service time rather than lambda (1 - loss), which loses its digits near loss 1.
  const double busy = result.in_system - result.in_queue;
  result.throughput = admitted > 0.5 ? admitted * load.arrival_rate : Hertz{busy / load.service_time.value};
  result.utilisation = busy / static_cast<double>(load.servers);
  result.response = Seconds{result.in_system / result.throughput.value};
  result.waiting = Seconds{result.in_queue / result.throughput.value};
  return result;
}

}  // namespace sextant::queueing
