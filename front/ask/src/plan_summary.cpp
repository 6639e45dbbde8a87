#include "sextant/ask/plan_summary.h"

#include <algorithm>
#include <cmath>

#include "seed_values.h"
#include "sextant/core/infinity.h"
#include "sextant/stats/hypothesis.h"

namespace sextant::ask {
namespace {

using capacity::OnlineSweepRun;
using PlanRuns = std::vector<const OnlineSweepRun*>;  // of one method, in the order of workloads and seeds

constexpr double kJoulesOfKwh = 3.6e6;
constexpr std::size_t kFewestRuns = 3;  // that an interval is worth showing of

double met_share(const OnlineSweepRun& run) {
  const auto jobs = static_cast<double>(run.result.jobs.size());
  return jobs == 0 ? 1 : static_cast<double>(run.result.met) / jobs;
}

MethodSummary summarize_method(const PlanRuns& runs) {
  using Run = const OnlineSweepRun&;
  const OverSeeds over(runs, kFewestRuns);
  MethodSummary summary{.method = runs.front()->method,
                        .runs = static_cast<std::int64_t>(runs.size()),
                        .total_usd = over.interval([](Run r) { return r.result.total().value; }),
                        .met = over.interval(met_share),
                        .vm_usd = over.mean([](Run r) { return r.result.machines.value; }),
                        .energy_usd = over.mean([](Run r) { return r.result.energy_cost.value; }),
                        .tardiness_usd = over.mean([](Run r) { return r.result.tardiness_cost.value; }),
                        .jobs = over.mean([](Run r) { return r.result.jobs.size(); }),
                        .late = over.mean([](Run r) { return r.result.late; }),
                        .refused = over.mean([](Run r) { return r.result.refused; }),
                        .restarts = over.mean([](Run r) { return r.result.restarts; }),
                        .energy_kwh = over.mean([](Run r) { return r.result.energy.value / kJoulesOfKwh; }),
                        .carbon_kg = over.mean([](Run r) { return r.result.carbon_kg; }),
                        .solve_s = over.mean([](Run r) { return r.result.solve.value; })};
  for (const OnlineSweepRun* run : runs) {
    summary.longest_solve_s = std::max(summary.longest_solve_s, run->result.longest_solve.value);
  }
  return summary;
}

struct PairedMean {
  double mean = 0;
  std::optional<stats::Interval> interval = {};
};

PairedMean paired(const std::vector<double>& first, const std::vector<double>& second) {
  if (first.size() < kFewestRuns) {
    double sum = 0;
    for (std::size_t i = 0; i < first.size(); ++i) sum += first[i] - second[i];
    return {.mean = sum / static_cast<double>(first.size())};
  }
  const stats::TTest test = stats::paired_t_test(first, second, 0.95);
  return {.mean = test.difference, .interval = test.interval};
}

// The runs of the same workload and seed that both have.
std::optional<MethodContrast> contrast_of(const PlanRuns& first, const PlanRuns& second) {
  std::vector<double> first_cost, second_cost, first_met, second_met;
  bool priced = true;
  for (const OnlineSweepRun* a : first) {
    const auto b = std::ranges::find_if(second, [a](const OnlineSweepRun* run) {
      return run->workload == a->workload && run->seed == a->seed;
    });
    if (b == second.end()) continue;
    first_met.push_back(met_share(*a));
    second_met.push_back(met_share(**b));
    priced = priced && a->result.total() > Dollars{0} && (*b)->result.total() > Dollars{0};
    first_cost.push_back(std::log(a->result.total().value));
    second_cost.push_back(std::log((*b)->result.total().value));
  }
  if (first_met.empty()) return std::nullopt;
  MethodContrast contrast{.method = first.front()->method,
                          .against = second.front()->method,
                          .pairs = static_cast<std::int64_t>(first_met.size()),
                          .cost_change = kNan};
  const PairedMean met = paired(first_met, second_met);
  contrast.met_change = met.mean;
  contrast.met_interval = met.interval;
  if (!priced) return contrast;
  const PairedMean cost = paired(first_cost, second_cost);
  contrast.cost_change = std::expm1(cost.mean);
  if (cost.interval) {
    contrast.cost_interval =
        stats::Interval{.low = std::expm1(cost.interval->low), .high = std::expm1(cost.interval->high)};
  }
  return contrast;
}

// The best against the runner-up.
std::optional<MethodContrast> best_of(const std::vector<PlanRuns>& methods, const PlanSummary& summary) {
  if (methods.size() < 2) return std::nullopt;
  std::vector<std::size_t> order(methods.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::ranges::stable_sort(order, {}, [&](std::size_t i) {
    const MethodSummary& method = summary.methods[i];
    return summary.measure == PlanMeasure::met ? -method.met.mean : method.total_usd.mean;
  });
  return contrast_of(methods[order[0]], methods[order[1]]);
}

}  // namespace

PlanSummary summarize_plans(const PlanSimulation& simulation) {
  PlanSummary summary;
  if (simulation.plan.run.wishes.admission) summary.measure = PlanMeasure::met;
  std::vector<PlanRuns> methods(simulation.plan.methods.size());
  for (const OnlineSweepRun& run : simulation.runs) {
    if (run.done) methods[run.method].push_back(&run);
  }
  std::erase_if(methods, [](const PlanRuns& runs) { return runs.empty(); });
  for (const PlanRuns& runs : methods) summary.methods.push_back(summarize_method(runs));
  for (std::size_t i = 1; i < methods.size(); ++i) {
    if (auto contrast = contrast_of(methods[i], methods[0])) summary.contrasts.push_back(*contrast);
  }
  summary.verdict = best_of(methods, summary);
  return summary;
}

}  // namespace sextant::ask
