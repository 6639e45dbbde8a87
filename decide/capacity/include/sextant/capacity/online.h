// A whole online run: jobs come, nodes are rented and given back, a method decides at every arrival, every
// end, every loss of a node and at the latest after a period, and everything is paid for. It runs on the
// event kernel of base/events, as the simulator of clusters does; between events nothing changes.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "sextant/capacity/method.h"
#include "sextant/capacity/workload.h"

namespace sextant::capacity {

struct OnlineOptions {
  MethodChoice method = {};
  Wishes wishes = {};
  std::uint64_t seed = 0;  // of errors, losses, faults, and of the method
  Seconds slot{};          // decisions are taken at its multiples alone; 0: at once
  bool ticks = true;       // false: decide at arrivals and ends alone, not after every period
  Seconds restart{};       // lost when a running job is stopped, moved or resized, or its node is lost
  // The true time of a job is the stated one times exp(error z), z standard normal, one draw for each job.
  double error = 0;
  bool stated_error = false;             // the spread of each option instead of `error`
  std::vector<std::string> faults = {};  // of nodes, as simulations of clusters have them: "crash:mtbf=30d"
  bool history = false;                  // keep who ran where and what it cost, for pictures
  std::function<bool()> abandon = {};    // true: the run is given up by a RunAbandoned
};

enum class JobFate { completed, refused, unfinished };

struct JobOutcome {
  JobFate fate = JobFate::unfinished;
  Seconds start{std::numeric_limits<double>::quiet_NaN()};
  Seconds end{std::numeric_limits<double>::quiet_NaN()};
  Seconds tardiness{};
  std::int32_t restarts = 0;

  [[nodiscard]] bool met() const { return fate == JobFate::completed && tardiness == Seconds{0}; }
};

// A job on a node, or, with no job, a node that was on.
struct Stay {
  std::int32_t job = kNone;  // in Workload::jobs
  std::int32_t node = kNone;
  std::int32_t type = kNone;
  std::int32_t gpus = 0;
  Seconds begin{};
  Seconds end{};
};

struct SpentPoint {  // since the beginning of the run
  Seconds time{};
  Dollars machines{};
  Dollars tardiness{};
};

struct OnlineResult {
  Dollars machines{};     // rent
  Dollars energy_cost{};  // energy and carbon, where they have a price
  Dollars tardiness_cost{};
  Seconds tardiness{};
  Joules energy{};
  double carbon_kg = 0;
  std::int64_t completed = 0;
  std::int64_t late = 0;  // ended after the due date, or never
  std::int64_t refused = 0;
  std::int64_t unfinished = 0;  // the method left them waiting for ever
  std::int64_t met = 0;         // ended by the due date
  std::int64_t restarts = 0;
  std::int64_t losses = 0;  // of nodes, to faults and of spot machines
  std::int64_t decisions = 0;
  Seconds solve{};          // wall time in the method
  Seconds longest_solve{};  // of one decision
  Seconds end{};
  std::vector<JobOutcome> jobs = {};   // as in the workload
  std::vector<Stay> stays = {};        // of jobs, then of nodes; with a history
  std::vector<SpentPoint> spent = {};  // the same

  [[nodiscard]] Dollars total() const { return machines + energy_cost + tardiness_cost; }
};

OnlineResult run_online(const Workload& workload, const OnlineOptions& options);

}  // namespace sextant::capacity
