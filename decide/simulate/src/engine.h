// A cluster as a model of events: at each of them the jobs concerned are brought up to date; once per instant
// the policy is asked and what it says carried out. Between events, rates are constant.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "abandonment.h"
#include "cluster_state.h"
#include "engine_jobs.h"
#include "engine_outages.h"
#include "run_policy.h"
#include "series.h"
#include "sextant/events/run.h"
#include "sextant/simulate/ledger.h"
#include "sextant/simulate/run.h"

namespace sextant::simulate {

struct EngineParts {
  RunPolicy policy;
  std::vector<std::unique_ptr<FaultProcess>> faults = {};
};

class Engine : public events::EventModel<EventClass> {
 public:
  Engine(const JobSet& jobs, const clusters::Cluster& cluster, const RunOptions& options, EngineParts parts);

  RunResult run();

  // What events::run() asks.
  SimFollowUps& begin();
  SimFollowUps& handle(const SimEvent& event);
  SimFollowUps& settle(Nanos now);
  [[nodiscard]] Nanos next_time() const;
  [[nodiscard]] bool stale(const SimEvent& event) const;
  [[nodiscard]] std::size_t live() const { return static_cast<std::size_t>(running_) + outages_.size(); }
  [[nodiscard]] bool goes_on() const;

 private:
  // engine.cpp: what happens
  void take_arrivals(Nanos now);
  void complete(schedule::JobSlot slot, Nanos now);
  void fail(std::int32_t outage, Nanos now);
  void repair(std::int32_t outage, Nanos now);
  void decide(Nanos now);
  void watch_wakes(Nanos now);
  void finish(Nanos end);

  // engine_decision.cpp: what the policy says
  void apply(Nanos now);
  void stop(schedule::JobSlot slot, Nanos now);
  void start(const schedule::Start& start, Nanos now);
  void start_beside(const schedule::Start& start, Nanos now);
  void begin_stay(schedule::JobSlot slot, std::int32_t type, Nanos now);
  void check_start(const schedule::Start& start, Nanos now) const;
  void crash(schedule::JobSlot slot, Nanos now);
  void leave(schedule::JobSlot slot, Nanos now, char why);  // its GPUs; after advance()
  void set_speed(schedule::JobSlot slot, Nanos now);        // and when it will be done; after advance()
  [[nodiscard]] double rate_of(schedule::JobSlot slot) const;
  [[nodiscard]] double shared_rate(std::int32_t cls, std::int32_t other, std::int32_t type) const;
  [[nodiscard]] CheckpointPace pace_of(std::int32_t nodes) const;
  [[noreturn]] void refuse(const std::string& what, schedule::JobSlot slot, Nanos now) const;

  const JobSet& jobs_;
  const clusters::Cluster& spec_;
  const RunOptions& options_;
  RunClock clock_;
  RunResult result_;
  ActiveJobs active_;
  ClusterState cluster_;
  Outages outages_;
  Ledger ledger_;
  RunSeries series_;
  RunPolicy policy_;
  schedule::Decision decision_;
  std::vector<schedule::JobSlot> arrived_;
  std::vector<schedule::JobSlot> ended_;
  std::vector<schedule::JobSlot> lost_;
  std::size_t next_arrival_ = 0;
  Nanos until_ = kEndless;
  Nanos wake_ = kEndless;
  std::int64_t running_ = 0;
  std::int64_t waiting_ = 0;
  bool changed_ = false;         // something happened in this instant
  std::int64_t idle_wakes_ = 0;  // in a row, without a change
  Abandonment abandonment_{options_.abandon};
};

// Faults from the options, the policy from a mechanism.
RunResult run_cluster(const JobSet& jobs, const clusters::Cluster& cluster, const RunOptions& options,
                      RunPolicy policy);

}  // namespace sextant::simulate
