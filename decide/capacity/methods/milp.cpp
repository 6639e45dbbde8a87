// The exact program, started from the best that other methods find, so that it is never worse.
#include <algorithm>
#include <utility>

#include "exact_program.h"
#include "greedy_build.h"
#include "search.h"
#include "sextant/capacity/method.h"
#include "sextant_plan.h"

namespace sextant::capacity::planning_method_milp {
namespace {

constexpr const char* kId = "milp";
constexpr int kStartPasses = 20;

enum class SolverWord { automatic, cbc, highs };

solve::Solver solver_of(SolverWord word) {
  const bool highs = word == SolverWord::highs || (word == SolverWord::automatic && solve::highs_installed());
  return highs ? solve::Solver::highs : solve::Solver::clp;
}

class Milp final : public Method {
 public:
  explicit Milp(const MethodSetup& setup)
      : limits_{.seconds = setup.parameters.seconds("seconds").value, .gap = setup.parameters.share("gap")},
        most_(static_cast<double>(setup.parameters.count("size"))),
        solver_(setup.parameters.one_of<SolverWord>("solver")),
        seed_(setup.seed) {}

  Decision decide(const Snapshot& snapshot) override {
    const CostModel model(snapshot);
    const bool tried = ExactProgram::size(model) <= most_;
    Decision best = start(model, tried);
    if (snapshot.jobs.empty()) return best;
    // What the program proves of large instances is little; that nodes are few and shared says more.
    const double bound = bound_of(snapshot).value;
    const bool proven = cost_of(snapshot, best).total().value <= bound * (1 + limits_.gap);
    if (!proven && tried) best = ExactProgram(model, solver_of(solver_)).solve(best, limits_);
    best.bound = std::max(best.bound.value_or(0), bound);
    return best;
  }

 private:
  // Of large instances only what is quick: the local search and `sextant`.
  [[nodiscard]] Decision start(const CostModel& model, bool ask_all) const {
    Layout layout = greedy_layout(model);
    local_search(layout, kStartPasses);
    const Decision searched = layout.decision();
    const Snapshot& snapshot = model.snapshot();
    Decision best = searched;
    const auto consider = [&](Decision other) {
      if (!other.refused.empty() || cost_of(snapshot, other).total() >= cost_of(snapshot, best).total())
        return;
      best = std::move(other);
      best.wake = searched.wake;
    };
    consider(snapshot.wishes.cost == NodeCost::first_end ? plan_until_next_event(model, {})
                                                         : plan_at_once(model, {.seed = seed_}));
    if (!ask_all) return best;
    for (const MethodInfo& method : methods().all()) {
      if (method.id == kId) continue;
      const Parameters usual = parse_method(method.id).parameters;
      consider(method.make({.parameters = usual, .seed = seed_})->decide(snapshot));
    }
    return best;
  }

  solve::SolveLimits limits_;
  double most_;
  SolverWord solver_;
  std::uint64_t seed_;
};

}  // namespace

std::vector<MethodInfo> plugin() {
  return {
      {{.id = kId,
        .summary =
            "mixed-integer program, from the best heuristic; its answer where the program is too large",
        .reference = "Jahani et al., 2019; Filippini et al., 2021; formulation in docs/models",
        .parameters = {seconds_parameter("seconds",
                                         "of search, at most; results may then depend on the machine",
                                         {.fallback = 30, .low = 0.1, .high = 1e6}),
                       share_parameter("gap", "between cost and bound that suffices",
                                       {.fallback = 1e-6, .low = 0, .high = 1}),
                       count_parameter("size", "of programs that are tried: options times nodes",
                                       {.fallback = 20000, .low = 1, .high = 1e9}),
                       word_parameter("solver", "cbc, highs, or auto: highs where it is installed",
                                      {"auto", "cbc", "highs"}, "auto")}},
       {"exact"},
       [](const MethodSetup& setup) -> std::unique_ptr<Method> { return std::make_unique<Milp>(setup); }}};
}

}  // namespace sextant::capacity::planning_method_milp
