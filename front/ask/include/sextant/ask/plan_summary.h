// What online runs say together: means of each method over workloads and seeds, and how methods compare, in
// pairs of the same workload and seed. Costs of workloads of different sizes are compared by their ratio.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sextant/ask/plan_simulate.h"
#include "sextant/ask/seed_mean.h"
#include "sextant/stats/interval.h"

namespace sextant::ask {

// Over the runs of a method that were done.
struct MethodSummary {
  std::size_t method = 0;  // in the plan
  std::int64_t runs = 0;
  SeedMean total_usd = {};
  SeedMean met = {};  // share of the jobs
  double vm_usd = 0;
  double energy_usd = 0;
  double tardiness_usd = 0;
  double jobs = 0;
  double late = 0;
  double refused = 0;
  double restarts = 0;
  double energy_kwh = 0;
  double carbon_kg = 0;
  double solve_s = 0;          // of a run
  double longest_solve_s = 0;  // of a decision, of all runs
};

// A method against another, over the workloads and seeds that both have.
struct MethodContrast {
  std::size_t method = 0;
  std::size_t against = 0;
  std::int64_t pairs = 0;
  double cost_change = 0;  // geometric mean of the ratios of total costs, less 1; not a number without costs
  double met_change = 0;   // mean of the differences of the shares
  std::optional<stats::Interval> cost_interval = {};  // 95 %, with three pairs or more
  std::optional<stats::Interval> met_interval = {};
};

enum class PlanMeasure { cost, met };

struct PlanSummary {
  PlanMeasure measure =
      PlanMeasure::cost;  // by which methods are ranked: deadlines kept where jobs may be refused
  std::vector<MethodSummary> methods = {};     // those with a run that was done
  std::vector<MethodContrast> contrasts = {};  // each against the first
  std::optional<MethodContrast> verdict = {};  // the best against the runner-up
};
PlanSummary summarize_plans(const PlanSimulation& simulation);

}  // namespace sextant::ask
