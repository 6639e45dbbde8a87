// Decides, on a thread of its own: whenever something changed and the last decision has been carried out, and
// at least once a period. Clients are answered meanwhile; a decision that the books have outrun is made
// again.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

#include "ledger.h"
#include "planning.h"
#include "sextant/capacity/method.h"
#include "sextant/http/metrics.h"

namespace sextant::daemon {

// What is said of the last decision.
struct LastDecision {
  Seconds solve{};
  Dollars cost{};
};

struct PlannerSetup {
  Ledger& ledger;
  http::Metrics& metrics;
  capacity::MethodChoice method;
  capacity::Wishes wishes;
  std::uint64_t seed = 0;
  std::function<void(const std::string&)> say;
};

class Planner {
 public:
  explicit Planner(const PlannerSetup& setup);
  ~Planner();
  Planner(const Planner&) = delete;
  Planner& operator=(const Planner&) = delete;

  [[nodiscard]] LastDecision last() const;

 private:
  void work();
  // When to decide again if nothing happens.
  Seconds decide();

  PlannerSetup setup_;
  std::unique_ptr<capacity::Method> method_;
  mutable std::mutex last_mutex_;
  LastDecision last_;
  std::atomic<bool> ending_ = false;
  std::thread thread_;
};

}  // namespace sextant::daemon
