// The event-driven core: takes what happens next, brings the jobs concerned up to date, asks the policy once
// per instant and carries out what it says. Between events, rates are constant.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "cluster_state.h"
#include "engine_jobs.h"
#include "engine_outages.h"
#include "make_policy.h"
#include "series.h"
#include "sextant/simulate/ledger.h"
#include "sextant/simulate/run.h"

namespace sextant {

// What simulate() makes from the options.
struct EngineParts {
  RunPolicy policy;
  std::vector<std::unique_ptr<FaultProcess>> faults = {};
};

class Engine {
 public:
  Engine(const JobSet& jobs, const ClusterSpec& cluster, const RunOptions& options, EngineParts parts);

  RunResult run();

 private:
  // engine.cpp: the loop
  Nanos next_time();
  [[nodiscard]] bool stale(const SimEvent& event) const;
  [[nodiscard]] bool can_go_on() const;
  void step(Nanos now);
  void take_events(Nanos now);
  void take_arrivals(Nanos now);
  void complete(JobSlot slot, Nanos now);
  void fail(std::int32_t outage, Nanos now);
  void repair(std::int32_t outage, Nanos now);
  void decide(Nanos now);
  void watch_wakes(Nanos now);
  void drop_stale_events();
  void finish();

  // engine_decision.cpp: what the policy says
  void apply(Nanos now);
  void stop(JobSlot slot, Nanos now);
  void start(const Start& start, Nanos now);
  void start_beside(const Start& start, Nanos now);
  void begin_stay(JobSlot slot, std::int32_t type, Nanos now);
  void check_start(const Start& start, Nanos now) const;
  void crash(JobSlot slot, Nanos now);
  void leave(JobSlot slot, Nanos now, char why);  // its GPUs; after advance()
  void set_speed(JobSlot slot, Nanos now);        // and when it will be done; after advance()
  [[nodiscard]] double rate_of(JobSlot slot) const;
  [[nodiscard]] double shared_rate(std::int32_t cls, std::int32_t other, std::int32_t type) const;
  [[nodiscard]] CheckpointPace pace_of(std::int32_t nodes) const;
  [[noreturn]] void refuse(const std::string& what, JobSlot slot, Nanos now) const;

  const JobSet& jobs_;
  const ClusterSpec& spec_;
  const RunOptions& options_;
  RunClock clock_;
  RunResult result_;
  ActiveJobs active_;
  ClusterState cluster_;
  Outages outages_;
  Ledger ledger_;
  RunSeries series_;
  EventQueue queue_;
  RunPolicy policy_;
  Decision decision_;
  std::vector<JobSlot> arrived_;
  std::vector<JobSlot> ended_;
  std::vector<JobSlot> lost_;
  std::size_t next_arrival_ = 0;
  Nanos until_ = kEndless;
  Nanos now_ = 0;
  Nanos wake_ = kEndless;
  std::int64_t running_ = 0;
  std::int64_t waiting_ = 0;
  bool changed_ = false;         // something happened in this instant
  std::int64_t idle_wakes_ = 0;  // in a row, without a change
};

}  // namespace sextant
