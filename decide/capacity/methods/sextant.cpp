// Our own. Online (nodes are paid until the next event) every job has what is cheapest for it until the next
// event and after it, if all can be decided again then; nodes are shared accordingly, and GPUs that would
// idle are given where they help most. For a plan that is made once (nodes are paid until their last job
// ends, or for a period) jobs that end together share nodes, and the layout is improved by search.
#include "admission.h"
#include "greedy_build.h"
#include "outlook_choice.h"
#include "search.h"
#include "sextant/capacity/method.h"
#include "sorted_build.h"

namespace sextant::capacity::planning_method_sextant {
namespace {

constexpr int kPasses = 4;  // of local search; later ones find next to nothing
constexpr std::size_t kManyJobs = 60;

Decision until_next_event(const CostModel& model) {
  const Outlook outlook(model);
  Fleet fleet(outlook, model, next_event(model, outlook));
  choose_plans(model, outlook, fleet);
  fleet.split();
  fleet.shed();
  fleet.improve();
  fleet.split();
  return fleet.decision();
}

class Sextant final : public Method {
 public:
  explicit Sextant(const MethodSetup& setup)
      : rounds_(static_cast<int>(setup.parameters.count("rounds"))), seed_(setup.seed) {}

  Decision decide(const Snapshot& snapshot) override {
    return decide_with_admission(snapshot, [this](const Snapshot& admitted) { return plan(admitted); });
  }

 private:
  [[nodiscard]] Decision plan(const Snapshot& snapshot) const {
    const CostModel model(snapshot);
    if (snapshot.wishes.cost == NodeCost::first_end) return until_next_event(model);
    Decision decision = at_once(model);
    // Where waiting is cheapest for all, somebody works all the same.
    return decision.run.empty() ? until_next_event(model) : decision;
  }

  [[nodiscard]] Decision at_once(const CostModel& model) const {
    Layout best = sorted_layout(model);
    local_search(best, kPasses, Stops::where_cheaper);
    // With many jobs there are always some that end together, and the other start is never the better one.
    if (model.snapshot().jobs.size() < kManyJobs) {
      Layout other = greedy_layout(model);
      local_search(other, kPasses, Stops::where_cheaper);
      if (other.cost() < best.cost()) best = std::move(other);
    }
    Rng rng = Rng(seed_).stream("sextant");
    best = shaken(best, {.rounds = rounds_, .stops = Stops::where_cheaper}, rng);
    local_search(best, kPasses, Stops::where_cheaper);
    return best.decision();
  }

  int rounds_;
  std::uint64_t seed_;
};

}  // namespace

std::vector<MethodInfo> plugin() {
  return {
      {{.id = "sextant",
        .summary = "what is cheapest until the next event and after it, each job by its due date",
        .reference = "ours; see docs/models/capacity-planning.md",
        .parameters = {count_parameter("rounds", "of search, for a plan that is made once",
                                       {.fallback = 3000, .low = 0, .high = 1e9})}},
       {},
       [](const MethodSetup& setup) -> std::unique_ptr<Method> { return std::make_unique<Sextant>(setup); }}};
}

}  // namespace sextant::capacity::planning_method_sextant
