#include "sextant_plan.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "greedy_build.h"
#include "outlook_choice.h"
#include "search.h"
#include "sorted_build.h"

namespace sextant::capacity {
namespace {

constexpr int kSearchPasses = 4;  // of local search; later ones find next to nothing
constexpr std::size_t kManyJobs = 60;
constexpr double kNearEnough = 1e-3;  // of the cost: what is so near its bound is not searched on
// Where there are so few, the greedy is worth a try: on drawn instances (mixed) of up to 4 nodes that saves 1
// %, on larger ones nothing.
constexpr std::size_t kFewNodes = 4;
constexpr double kShows = 0.02;  // of a job's time: how fast it is shows by then

// How fast a job is shows soon after it has begun: what was planned by its predicted time is then planned
// again.
Seconds first_look(const CostModel& model, const Decision& decision) {
  const Snapshot& snapshot = model.snapshot();
  Seconds wake = decision.wake;
  for (const Assignment& assignment : decision.run) {
    const JobState& job = snapshot.jobs[static_cast<std::size_t>(assignment.job)];
    const OptionCost& option = model.option(assignment.job, assignment.option);
    if (job.running != kNone || option.spread == 0) continue;
    wake = std::min(wake, snapshot.now + Seconds{kShows * option.time});
  }
  return wake;
}

void finish(Fleet& fleet) {
  fleet.split();
  fleet.shed();
  fleet.improve();
  fleet.split();
}

// Everybody who runs stays where they run. Nothing where that saves no restart.
std::optional<Layout> running_layout(const CostModel& model) {
  Layout layout(model);
  bool saves = false;
  for (std::int32_t job = 0; job < layout.jobs(); ++job) {
    const std::int32_t running = model.snapshot().jobs[static_cast<std::size_t>(job)].running;
    if (running != kNone && layout.place(job, running)) saves = saves || model.restart(job) > 0;
  }
  return saves ? std::optional(std::move(layout)) : std::nullopt;
}

// Other ways to begin than from what each job wants.
std::vector<Layout> other_starts(const CostModel& model) {
  std::vector<Layout> starts;
  if (auto running = running_layout(model)) starts.push_back(*std::move(running));
  if (model.snapshot().nodes.size() <= kFewNodes) starts.push_back(greedy_layout(model));
  return starts;
}

}  // namespace

Decision plan_until_next_event(const CostModel& model, const Caution& caution) {
  const Outlook outlook(model, caution);
  Fleet fleet(outlook, model, next_event(model, outlook));
  choose_plans(model, outlook, fleet);
  finish(fleet);
  for (const Layout& start : other_starts(model)) {
    Fleet other(outlook, model, fleet.until());
    if (!other.take(start)) continue;
    finish(other);
    if (other.value() < fleet.value()) fleet = std::move(other);
  }
  Decision decision = fleet.decision();
  decision.wake = first_look(model, decision);
  return decision;
}

Decision plan_at_once(const CostModel& model, const PlanSearch& search) {
  Layout best = sorted_layout(model);
  local_search(best, kSearchPasses, Stops::where_cheaper);
  // With many jobs there are always some that end together, and the other start is never the better one.
  if (model.snapshot().jobs.size() < kManyJobs) {
    Layout other = greedy_layout(model);
    local_search(other, kSearchPasses, Stops::where_cheaper);
    if (other.cost() < best.cost()) best = std::move(other);
  }
  BoundedLayout patterns = pattern_layout(model, best);
  local_search(patterns.layout, kSearchPasses, Stops::where_cheaper);
  if (patterns.layout.cost() < best.cost()) best = std::move(patterns.layout);
  if (best.cost() <= patterns.bound * (1 + kNearEnough)) return best.decision();
  Rng rng = Rng(search.seed).stream("sextant");
  best = shaken(best, {.rounds = search.rounds, .stops = Stops::where_cheaper}, rng);
  local_search(best, kSearchPasses, Stops::where_cheaper);
  return best.decision();
}

}  // namespace sextant::capacity
