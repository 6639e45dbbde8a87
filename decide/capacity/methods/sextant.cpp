// Our own: src/sextant_plan.h says how.
#include "admission.h"
#include "sextant/capacity/method.h"
#include "sextant_plan.h"

namespace sextant::capacity::planning_method_sextant {
namespace {

// Found on drawn instances (mixed) of 2, 4 and 8 nodes, with and without errors and restarts, where 0.2 and
// 0.6 cost up to 3 % more and 0 up to 14 %.
constexpr double kMargin = 0.4;
// The same of 1 to 4 nodes; 0, 0.25, 1, 2 and 4 were tried.
constexpr double kHesitation = 0.5;

class Sextant final : public Method {
 public:
  explicit Sextant(const MethodSetup& setup)
      : rounds_(static_cast<int>(setup.parameters.count("rounds"))),
        caution_{.margin = setup.parameters.share("margin"),
                 .hesitation = setup.parameters.number("hesitation")},
        seed_(setup.seed) {}

  Decision decide(const Snapshot& snapshot) override {
    return decide_with_admission(snapshot, [this](const Snapshot& admitted) { return plan(admitted); });
  }

 private:
  [[nodiscard]] Decision plan(const Snapshot& snapshot) const {
    const CostModel model(snapshot);
    if (snapshot.wishes.cost == NodeCost::first_end) return plan_until_next_event(model, caution_);
    Decision decision = plan_at_once(model, {.rounds = rounds_, .seed = seed_});
    // Where waiting is cheapest for all, somebody works all the same.
    return decision.run.empty() ? plan_until_next_event(model, caution_) : decision;
  }

  int rounds_;
  Caution caution_;
  std::uint64_t seed_;
};

}  // namespace

std::vector<MethodInfo> plugin() {
  return {
      {{.id = "sextant",
        .summary = "what is cheapest until the next event and after it, each job by its due date",
        .reference = "ours; see docs/models/capacity-planning.md",
        .parameters = {count_parameter("rounds", "of search, for a plan that is made once",
                                       {.fallback = 3000, .low = 0, .high = 1e9}),
                       share_parameter("margin", "of the time that a job could still wait: what it keeps",
                                       {.fallback = kMargin, .low = 0, .high = 1}),
                       number_parameter("hesitation", "before a restart, in times of what it costs",
                                        {.fallback = kHesitation, .low = 0, .high = 1000})}},
       {},
       [](const MethodSetup& setup) -> std::unique_ptr<Method> { return std::make_unique<Sextant>(setup); }}};
}

}  // namespace sextant::capacity::planning_method_sextant
