// The greedy, improved by moves until none helps.
#include "greedy_build.h"
#include "search.h"
#include "sextant/capacity/method.h"

namespace sextant::capacity::planning_method_local_search {
namespace {

class LocalSearch final : public Method {
 public:
  explicit LocalSearch(const MethodSetup& setup)
      : passes_(static_cast<int>(setup.parameters.count("passes"))) {}

  Decision decide(const Snapshot& snapshot) override {
    const CostModel model(snapshot);
    Layout layout = greedy_layout(model);
    local_search(layout, passes_);
    return layout.decision();
  }

 private:
  int passes_;
};

}  // namespace

std::vector<MethodInfo> plugin() {
  return {{{.id = "local-search",
            .summary = "the greedy, improved by moves of jobs and changes of machines",
            .reference = "Filippini et al., 2023; moves of our own",
            .parameters = {count_parameter("passes", "over all jobs and nodes, at most",
                                           {.fallback = 20, .low = 1, .high = 1e6})}},
           {},
           [](const MethodSetup& setup) -> std::unique_ptr<Method> {
             return std::make_unique<LocalSearch>(setup);
           }}};
}

}  // namespace sextant::capacity::planning_method_local_search
