// An online run as a model of events. Arrivals come from the sorted list of jobs, and ticks and wake-ups from
// the last decision; all else is an event.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "online_jobs.h"
#include "online_losses.h"
#include "online_nodes.h"
#include "sextant/capacity/online.h"
#include "sextant/events/run.h"

namespace sextant::capacity {

class OnlineEngine : public events::EventModel<OnlineEvent> {
 public:
  OnlineEngine(const Workload& workload, const OnlineOptions& options);

  OnlineResult run();

  // What events::run() asks.
  OnlineFollowUps& begin();
  OnlineFollowUps& handle(const events::Event<OnlineEvent>& event);
  OnlineFollowUps& settle(events::Nanos now);
  [[nodiscard]] events::Nanos next_time() const;
  [[nodiscard]] bool stale(const events::Event<OnlineEvent>& event) const;
  [[nodiscard]] std::size_t live() const { return jobs_.size() + losses_.size(); }
  [[nodiscard]] bool goes_on() const;

 private:
  [[nodiscard]] Seconds at(events::Nanos time) const { return Seconds{begin_s_ + events::seconds_of(time)}; }
  [[nodiscard]] events::Nanos when(Seconds time) const { return events::nanos_of(time.value - begin_s_); }
  void take_arrivals(events::Nanos now);
  [[nodiscard]] events::Nanos next_slot(events::Nanos now) const;
  void complete(std::size_t slot, events::Nanos now);
  void lose_node(std::int32_t node, events::Nanos now);
  void decide(events::Nanos now);
  Decision ask_method();
  void carry_out(const Decision& decision, events::Nanos now);
  void refuse(const Decision& decision);
  void stop(std::size_t slot, events::Nanos now);
  void start(std::size_t slot, const Assignment& assignment, events::Nanos now);
  void charge(std::size_t index, Seconds end);
  void note_spent(events::Nanos now);
  void finish(events::Nanos end);

  const Workload& workload_;
  const OnlineOptions& options_;
  double begin_s_;
  Snapshot snapshot_;
  OnlineResult result_;
  LiveJobs jobs_;
  NodeAccounts nodes_;
  NodeLosses losses_;
  std::unique_ptr<Method> method_;
  std::vector<Stay> open_stays_;  // of running jobs, with a history
  std::size_t next_arrival_ = 0;
  events::Nanos tick_ = events::kEndless;
  events::Nanos wake_ = events::kEndless;
  events::Nanos slot_ = events::kEndless;  // the next one, where something waits for it
  std::int64_t running_ = 0;
  std::int64_t idle_decisions_ = 0;  // in a row, with nothing that runs or comes
  bool changed_ = false;             // something happened in this instant
};

}  // namespace sextant::capacity
