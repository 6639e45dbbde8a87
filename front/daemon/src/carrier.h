// Carries steps out, one after another on a thread of its own, and tells the ledger what became of each;
// watches jobs that run. What was intended before the daemon last ended is looked for before it is done
// again.
#pragma once

#include <atomic>
#include <functional>
#include <set>
#include <thread>

#include "executor.h"
#include "sextant/http/metrics.h"

namespace sextant::daemon {

struct CarrierSetup {
  Ledger& ledger;
  Executor& executor;
  http::Metrics& metrics;
  bool dry_run = false;  // steps are shown, and taken as done
  std::function<void(const std::string&)> say;
};

class Carrier {
 public:
  explicit Carrier(const CarrierSetup& setup);
  ~Carrier();  // after the step in hand
  Carrier(const Carrier&) = delete;
  Carrier& operator=(const Carrier&) = delete;

 private:
  void work();
  bool carry_next();
  void watch();
  [[nodiscard]] StepOutcome outcome_of(const Task& task);

  CarrierSetup setup_;
  std::set<std::int64_t> doubtful_;  // steps from before this daemon: look first
  std::atomic<bool> ending_ = false;
  std::thread thread_;
};

}  // namespace sextant::daemon
