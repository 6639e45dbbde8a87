// The greedy many times over, with chance in its order and its choices; the cheapest counts.
#include "greedy_build.h"
#include "sextant/capacity/method.h"

namespace sextant::capacity::planning_method_random_greedy {
namespace {

class RandomGreedy final : public Method {
 public:
  explicit RandomGreedy(const MethodSetup& setup)
      : restarts_(setup.parameters.count("restarts")),
        randomness_{.swap = setup.parameters.share("swap"), .theta = setup.parameters.number("theta")},
        seed_(setup.seed) {}

  Decision decide(const Snapshot& snapshot) override {
    const CostModel model(snapshot);
    Rng rng = Rng(seed_).stream("random-greedy");
    Layout best = greedy_layout(model);
    for (std::int64_t i = 0; i < restarts_; ++i) {
      Layout layout = random_layout(model, randomness_, rng);
      if (layout.cost() < best.cost()) best = std::move(layout);
    }
    return best.decision();
  }

 private:
  std::int64_t restarts_;
  Randomness randomness_;
  std::uint64_t seed_;
};

}  // namespace

std::vector<MethodInfo> plugin() {
  return {{{.id = "random-greedy",
            .summary = "the greedy many times over, with chance in order and choice",
            .reference = "Filippini et al., ANDREAS, 2021",
            .parameters = {count_parameter("restarts", "layouts that are drawn",
                                           {.fallback = 200, .low = 1, .high = 1e6}),
                           share_parameter("swap", "chance that neighbours in the order change places",
                                           {.fallback = 0.2, .low = 0, .high = 1}),
                           number_parameter("theta", "an option of rank r has the weight exp(-r/theta)",
                                            {.fallback = 1, .low = 0.01, .high = 100})}},
           {"randomized-greedy"},
           [](const MethodSetup& setup) -> std::unique_ptr<Method> {
             return std::make_unique<RandomGreedy>(setup);
           }}};
}

}  // namespace sextant::capacity::planning_method_random_greedy
