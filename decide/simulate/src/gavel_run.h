// The main loop of Gavel's simulator. A round lasts until the last of its jobs has done its steps; jobs that
// end inside a round keep their GPUs until then, and jobs that arrive wait for it.
#pragma once

#include <cstdint>
#include <vector>

#include "abandonment.h"
#include "gavel_pick.h"
#include "gavel_shares.h"
#include "gavel_table.h"
#include "sextant/core/python_random.h"
#include "sextant/simulate/gavel.h"

namespace sextant::simulate {

// A job, or a pair on the same GPUs, in the round at hand.
struct GavelTask {
  double steps = 0;
  double full_steps = 0;  // that a round holds, of a job alone
  double full_s = 0;      // how long they take
  double rate = 0;
  double partner_steps = 0;
  std::int32_t row = 0;
  std::int32_t first = 0;
  std::int32_t second = -1;
  std::int32_t type = 0;
  std::int32_t gpus = 1;
};

// When a task is done: the later one of a pair. Apart from the tasks, to be sorted every round.
struct GavelFinish {
  double time_s = 0;
  std::int32_t first = 0;  // job
  std::int32_t task = 0;
};

class GavelRun {
 public:
  GavelRun(const JobSet& jobs, const clusters::Cluster& cluster, const GavelOptions& options);
  RunResult run();

 private:
  [[nodiscard]] bool arrivals_left() const { return next_ < jobs_.jobs.size(); }
  void advance();
  void close_round();
  void credit(const GavelTask& task, double finish_s, double executed_s);
  bool progress(std::int32_t job, double steps, double finish_s, double executed_s);
  void fail(const GavelTask& task);
  void drop_gone_tasks();
  void leave(std::int32_t job);
  void admit();
  void allocate_if_due();
  void open_round();
  void pick();
  void check_capacity();
  void note_places();
  double start(GavelTask& task);
  double start_pair(GavelTask& task, const GavelRow& row);
  void sort_finishes(bool fresh);
  [[nodiscard]] bool stuck();
  void finish_result();

  const JobSet& jobs_;
  const GavelOptions& options_;
  GavelTypes types_;
  GavelTable table_;
  GavelShares shares_;
  GavelPicker picker_;
  PythonRandom shuffler_;
  std::vector<std::size_t> type_order_;
  bool aware_;
  bool takes_idle_;

  double now_ = 0;
  double round_begin_ = 0;
  double round_end_ = 0;
  bool any_round_ = false;
  double last_reset_ = 0;
  bool need_allocation_ = true;
  bool changed_ = true;   // rows or shares, since the last pick
  bool settled_ = false;  // the last pick holds until then
  bool left_ = false;     // somebody has, since rows were last removed
  std::size_t next_ = 0;  // to arrive
  std::int64_t window_begin_ = 0;
  std::int64_t window_end_ = 0;
  std::int64_t window_left_ = 0;  // jobs
  std::int32_t idle_turns_ = 0;   // in a row, at turn_s_
  double turn_s_ = -1;
  std::uint64_t turn_events_ = 0;

  std::vector<GavelTask> running_ = {};     // as picked
  std::vector<GavelFinish> finishes_ = {};  // of running_: latest first, then by job
  std::vector<GavelPicked> picked_ = {};
  std::vector<double> remaining_ = {};  // steps, by job
  std::vector<std::int8_t> failures_ = {};
  std::vector<char> gone_ = {};
  std::vector<double> busy_ = {};  // GPU-seconds by type
  std::vector<std::int64_t> used_ = {};
  std::vector<std::uint64_t> placed_in_ = {};  // by job: the pick that last placed it
  std::vector<std::int32_t> place_ = {};       // by job: the type it was placed on then
  std::uint64_t picks_ = 0;
  RunResult result_ = {};
  Abandonment abandonment_{options_.abandon};
};

}  // namespace sextant::simulate
