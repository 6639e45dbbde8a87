// The dispatcher behind make_ranked(): buckets of waiting and running jobs, and who goes next.
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "ranked_heap.h"
#include "sextant/schedule/ranked.h"

namespace sextant::schedule {

// Waiting jobs that ask for the same: whether one fits is whether any does.
struct WaitingBucket {
  std::int32_t gpus = 1;
  std::uint64_t types = 0;  // a bit for each type where they can run
  double slope = 0;
  bool failed = false;  // in this instant
  RankHeap<false> jobs = {};
};

// Running jobs of one type with the same number of GPUs, the worst first.
struct RunningBucket {
  std::int32_t gpus = 1;
  double slope = 0;
  RankHeap<true> jobs = {};
};

class RankedQueue final : public QueuePolicy {
 public:
  RankedQueue(std::unique_ptr<RankRule> rule, const RankedOptions& options)
      : rule_(std::move(rule)), options_(options) {}

  void decide(const ClusterView& view, Decision& out) override;

 private:
  using Timers = RankHeap<false>;
  enum class Stage : std::uint8_t { absent, waiting, started, running };
  struct Place {
    Stage stage = Stage::absent;
    std::int32_t bucket = -1;
    Timers* timers = nullptr;  // that it stands in
    double pace = 1;           // when it last ran, relative to one node
  };
  struct Victim {
    RankKey key = {};
    RankKey now = {};  // with its value at this instant
    std::int32_t bucket = 0;
    std::int32_t gpus = 0;
  };
  // A waiting job that wants GPUs of a type.
  struct Challenge {
    RankKey rank = {};  // if it ran there, with its value at this instant
    std::int32_t type = 0;
    std::int64_t missing = 0;  // GPUs
  };

  // ranked_queue.cpp: the books
  void take_changes(const ClusterView& view);
  void renew_ranks(Timers& timers, const ClusterView& view);
  void enter_waiting(JobSlot slot, const ClusterView& view);
  void enter_waiting(JobSlot slot, const Rank& rank, const ClusterView& view);
  void enter_running(JobSlot slot, const ClusterView& view);
  void withdraw(JobSlot slot);
  [[nodiscard]] std::int32_t waiting_bucket(const JobView& job, std::size_t types);
  [[nodiscard]] std::int32_t running_bucket(const JobView& job);
  void set_timer(JobSlot slot, const Rank& rank, Timers& timers, double now_s);
  void clear_timer(JobSlot slot);
  [[nodiscard]] double wake(const ClusterView& view) const;

  // ranked_dispatch.cpp: who goes next
  void dispatch(const ClusterView& view, Decision& out);
  [[nodiscard]] std::int32_t best_bucket(double now_s) const;
  [[nodiscard]] std::int32_t type_with_room(const JobView& job) const;
  std::int32_t take_from_others(std::int32_t bucket, const ClusterView& view, Decision& out);
  [[nodiscard]] std::int32_t worst_on(std::int32_t type, double now_s) const;
  [[nodiscard]] bool others_suffice(const Challenge& challenge, double now_s) const;
  void choose_victims(const Challenge& challenge, double now_s);
  void stop_victims(std::int32_t type, const ClusterView& view, Decision& out);
  void start(JobSlot slot, std::int32_t type, const ClusterView& view, Decision& out);

  // ranked_moves.cpp: who leaves a slow type
  [[nodiscard]] bool may_move(const ClusterView& view) const;
  bool move_up(const ClusterView& view, Decision& out);
  [[nodiscard]] JobSlot best_mover(std::int32_t type, const ClusterView& view);

  std::unique_ptr<RankRule> rule_;
  RankedOptions options_;
  std::vector<WaitingBucket> waiting_;
  std::unordered_map<std::uint64_t, std::vector<std::int32_t>> waiting_by_types_;
  std::vector<RunningBucket> running_;
  std::vector<std::vector<std::int32_t>> running_by_type_;  // buckets of a type
  std::vector<Place> places_;                               // by slot
  HeapPlaces heap_places_;
  HeapPlaces timer_places_;
  Timers waiting_timers_;         // when ranks must be asked for again
  Timers running_timers_;         // the same; only looked at when somebody wants what they hold
  std::vector<JobSlot> started_;  // in the last decision: their speed shows only in the next view
  std::vector<std::int64_t> free_;
  std::vector<Victim> victims_;
  std::vector<std::int32_t> order_;
  std::size_t waiting_jobs_ = 0;
  double move_wake_s_ = 0;  // when somebody may move who has not yet run long enough
};

}  // namespace sextant::schedule
