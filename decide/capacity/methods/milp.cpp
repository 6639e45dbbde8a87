// The exact program, started from the local search.
#include "exact_program.h"
#include "greedy_build.h"
#include "search.h"
#include "sextant/capacity/method.h"

namespace sextant::capacity::planning_method_milp {
namespace {

constexpr int kStartPasses = 20;

class Milp final : public Method {
 public:
  explicit Milp(const MethodSetup& setup)
      : limits_{.seconds = setup.parameters.seconds("seconds").value, .gap = setup.parameters.share("gap")},
        most_(static_cast<double>(setup.parameters.count("size"))) {}

  Decision decide(const Snapshot& snapshot) override {
    const CostModel model(snapshot);
    Layout layout = greedy_layout(model);
    local_search(layout, kStartPasses);
    Decision start = layout.decision();
    if (snapshot.jobs.empty() || ExactProgram::size(model) > most_) return start;
    return ExactProgram(model).solve(start, limits_);
  }

 private:
  solve::SolveLimits limits_;
  double most_;
};

}  // namespace

std::vector<MethodInfo> plugin() {
  return {
      {{.id = "milp",
        .summary = "mixed-integer program, from the local search; its answer where the program is too large",
        .reference = "Jahani et al., 2019; Filippini et al., 2021; formulation in docs/models",
        .parameters = {seconds_parameter("seconds",
                                         "of search, at most; results may then depend on the machine",
                                         {.fallback = 30, .low = 0.1, .high = 1e6}),
                       share_parameter("gap", "between cost and bound that suffices",
                                       {.fallback = 1e-6, .low = 0, .high = 1}),
                       count_parameter("size", "of programs that are tried: options times nodes",
                                       {.fallback = 20000, .low = 1, .high = 1e9})}},
       {"exact"},
       [](const MethodSetup& setup) -> std::unique_ptr<Method> { return std::make_unique<Milp>(setup); }}};
}

}  // namespace sextant::capacity::planning_method_milp
