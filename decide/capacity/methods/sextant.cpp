// Our own: every job has what is cheapest for it until the next event and after it, if all can be decided
// again then; nodes are shared accordingly, and GPUs that would idle are given where they help most.
#include "outlook_choice.h"
#include "sextant/capacity/method.h"

namespace sextant::capacity::planning_method_sextant {
namespace {

class Sextant final : public Method {
 public:
  Decision decide(const Snapshot& snapshot) override {
    const CostModel model(snapshot);
    const Outlook outlook(model);
    Fleet fleet(outlook, model, next_event(model, outlook));
    choose_plans(model, outlook, fleet);
    fleet.split();
    fleet.shed();
    fleet.improve();
    fleet.split();
    return fleet.decision();
  }
};

}  // namespace

std::vector<MethodInfo> plugin() {
  return {{{.id = "sextant",
            .summary = "what is cheapest until the next event and after it, each job by its due date",
            .reference = "ours; see docs/models/capacity-planning.md"},
           {},
           [](const MethodSetup&) -> std::unique_ptr<Method> { return std::make_unique<Sextant>(); }}};
}

}  // namespace sextant::capacity::planning_method_sextant
