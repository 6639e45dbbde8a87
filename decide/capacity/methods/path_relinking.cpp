// Good layouts from chance and local search, and the paths between them.
#include "greedy_build.h"
#include "search.h"
#include "sextant/capacity/method.h"

namespace sextant::capacity::planning_method_path_relinking {
namespace {

class PathRelinking final : public Method {
 public:
  explicit PathRelinking(const MethodSetup& setup)
      : restarts_(setup.parameters.count("restarts")),
        elite_(static_cast<std::size_t>(setup.parameters.count("elite"))),
        passes_(static_cast<int>(setup.parameters.count("passes"))),
        seed_(setup.seed) {}

  Decision decide(const Snapshot& snapshot) override {
    const CostModel model(snapshot);
    Rng rng = Rng(seed_).stream("path-relinking");
    Elite drawn(elite_);
    drawn.add(greedy_layout(model));
    for (std::int64_t i = 0; i < restarts_; ++i) drawn.add(random_layout(model, {}, rng));
    Elite elite(elite_);
    for (Layout layout : drawn.all()) {
      local_search(layout, passes_);
      elite.add(layout);
    }
    const std::vector<Layout> ends = elite.all();
    for (const Layout& source : ends) {
      for (const Layout& guide : ends) {
        if (&source == &guide) continue;
        Layout between = relink(source, guide);
        local_search(between, passes_);
        elite.add(between);
      }
    }
    return elite.best().decision();
  }

 private:
  std::int64_t restarts_;
  std::size_t elite_;
  int passes_;
  std::uint64_t seed_;
};

}  // namespace

std::vector<MethodInfo> plugin() {
  return {{{.id = "path-relinking",
            .summary = "good layouts from chance and local search, and the paths between them",
            .reference = "Filippini et al., IEEE TSC, 2023",
            .parameters = {count_parameter("restarts", "layouts that are drawn",
                                           {.fallback = 50, .low = 1, .high = 1e6}),
                           count_parameter("elite", "layouts that are kept and joined by paths",
                                           {.fallback = 5, .low = 2, .high = 100}),
                           count_parameter("passes", "of each local search, at most",
                                           {.fallback = 10, .low = 1, .high = 1e6})}},
           {},
           [](const MethodSetup& setup) -> std::unique_ptr<Method> {
             return std::make_unique<PathRelinking>(setup);
           }}};
}

}  // namespace sextant::capacity::planning_method_path_relinking
