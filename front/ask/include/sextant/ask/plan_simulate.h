// What planning methods make of a stream of jobs, online: workloads x seeds x methods. Times are seconds,
// "360", or as in "10 min".
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sextant/capacity/online_sweep.h"
#include "sextant/catalog/catalog.h"

namespace sextant::ask {

struct PlanSimulateQuestion {
  // The jobs. Tables of jobs, of times (not needed where all jobs are networks) and of machines that may be
  // rented:
  std::optional<std::string> jobs = {};
  std::optional<std::string> times = {};
  std::optional<std::string> machines = {};
  std::vector<std::string> instances = {};  // of the table of jobs; none: all
  // Or jobs with deadlines, throughputs, and machines that are owned:
  std::optional<std::string> trace = {};
  std::optional<std::string> throughputs = {};
  std::optional<std::string> cluster = {};
  // Or drawn from distributions:
  std::optional<std::string> generate = {};
  // Who decides, and by which rules.
  std::vector<std::string> methods = {"sextant"};
  std::optional<std::string> rules = {};      // "andreas"
  std::optional<std::string> admission = {};  // "yes" or "no"; none: yes where the trace has deadlines
  std::string period = "1h";
  std::string slot = "0s";  // decisions are taken at its multiples alone
  std::string restart = "0s";
  std::string cost = "first-end";  // or "makespan", "period"
  double postponement = 2;
  double risk = 0.5;
  std::optional<double> budget = {};  // USD an hour
  std::optional<double> power = {};   // W
  double energy_price = 0;            // USD/kWh
  double carbon_intensity = 0;        // kg/kWh
  double carbon_price = 0;            // USD/kg
  // What goes otherwise than stated.
  std::string error =
      "0";  // standard deviation of ln(true time / stated time), or "stated": as the tables say
  std::vector<std::string> faults = {};
  // The runs.
  std::uint64_t seed = 0;
  std::int64_t seeds = 1;
  std::int64_t threads = 0;  // 0: as many as there are cores
  bool keep_history = false;
};

struct PlanSimulation {
  capacity::OnlineSweepPlan plan = {};
  std::vector<capacity::OnlineSweepRun> runs = {};
  std::vector<std::string> notes = {};     // what times rest on
  std::vector<std::string> warnings = {};  // jobs that never ended, and whether it was stopped
  bool stopped = false;
};

// Reads the files that the question names. InputError for what contradicts itself.
PlanSimulation plan_simulate(const PlanSimulateQuestion& question, const catalog::Catalog& catalog,
                             Progress& progress, const RunStop& stop = {});

}  // namespace sextant::ask
