// Jobs by pressure, each as cheap as its due date allows.
#include "greedy_build.h"
#include "sextant/capacity/method.h"

namespace sextant::capacity::planning_method_greedy {
namespace {

class Greedy final : public Method {
 public:
  Decision decide(const Snapshot& snapshot) override {
    const CostModel model(snapshot);
    return greedy_layout(model).decision();
  }
};

}  // namespace

std::vector<MethodInfo> plugin() {
  return {{{.id = "greedy",
            .summary = "most pressed jobs first, each as cheap as its due date allows",
            .reference = "Filippini et al., ANDREAS, 2021"},
           {},
           [](const MethodSetup&) -> std::unique_ptr<Method> { return std::make_unique<Greedy>(); }}};
}

}  // namespace sextant::capacity::planning_method_greedy
