// Independent draws: the baseline that other designs are compared with.
#include "design_points.h"
#include "sextant/explore/configuration_set.h"
#include "sextant/explore/design.h"

namespace sextant::explore::design_random {
namespace {

PlannedDesign make(const DesignRequest& request, const Parameters& /*parameters*/) {
  PlannedDesign design;
  const std::size_t wanted = wanted_runs(request, usual_runs(request.space), design.notes);
  Rng rng = Rng(request.seed).stream("random-design");
  if (std::optional<std::vector<Configuration>> all = request.space.all(4 * wanted)) {
    // Few configurations: without replacement.
    while (design.runs.size() < wanted) {
      const std::size_t i = rng.below(all->size());
      std::swap((*all)[i], all->back());
      design.runs.push_back({.configuration = std::move(all->back())});
      all->pop_back();
    }
    return design;
  }
  ConfigurationSet seen;
  for (std::size_t i = 0; i < 1000 * wanted && design.runs.size() < wanted; ++i) {
    Configuration drawn = request.space.draw(rng);
    if (seen.insert(drawn)) design.runs.push_back({.configuration = std::move(drawn)});
  }
  return design;
}

}  // namespace

std::vector<DesignInfo> plugin() {
  return {
      {{.id = "random",
        .summary = "configurations drawn at random, none twice",
        .reference = "Bergstra and Bengio, Random search for hyper-parameter optimization, JMLR 13, 2012"},
       {},
       make}};
}

}  // namespace sextant::explore::design_random
