#include "admission.h"

#include "elastic_plan.h"

namespace sextant::capacity {
namespace {

// Of the GPU time until its due date: what a large job must leave to those that will come. Found on two
// traces on clusters from a quarter of their size to the whole, and on draws from them: where there is too
// much to do, up to a third more of the due dates are kept, and hardly fewer where there is not.
constexpr double kReserve = 0.1;

// The jobs at those places, in order, are left out.
Snapshot without(const Snapshot& snapshot, const std::vector<std::int32_t>& jobs) {
  Snapshot rest = snapshot;
  for (auto job = jobs.rbegin(); job != jobs.rend(); ++job) rest.jobs.erase(rest.jobs.begin() + *job);
  return rest;
}

}  // namespace

Decision decide_with_admission(const Snapshot& snapshot, const Planner& planner) {
  if (!snapshot.wishes.admission) return planner(snapshot);
  if (owns_all_nodes(snapshot)) return plan_elastic(snapshot, {.reserve = kReserve});
  const std::vector<std::int32_t> hopeless = hopeless_jobs(snapshot);
  if (hopeless.empty()) return planner(snapshot);
  Decision decision = planner(without(snapshot, hopeless));
  for (Assignment& assignment : decision.run) {
    for (const std::int32_t job : hopeless) assignment.job += job <= assignment.job ? 1 : 0;
  }
  decision.refused = hopeless;
  return decision;
}

}  // namespace sextant::capacity
