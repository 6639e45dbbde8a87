// Points of Sobol's sequence, scrambled: even in every projection, and any number of them.
#include "sextant/explore/sobol.h"

#include "design_points.h"
#include "sextant/explore/configuration_set.h"
#include "sextant/explore/design.h"

namespace sextant::explore::design_sobol {
namespace {

PlannedDesign make(const DesignRequest& request, const Parameters& parameters) {
  PlannedDesign design;
  const SearchSpace& space = request.space;
  const std::size_t wanted = wanted_runs(request, usual_runs(space), design.notes);
  std::optional<std::uint64_t> seed;
  if (parameters.flag("scramble") || space.factors().size() > kSobolDimensions) seed = request.seed;
  const SobolSequence sequence(space.factors().size(), seed);
  ConfigurationSet seen;
  std::size_t skipped = 0;
  // Constraints, or few levels, may leave out most points.
  const std::size_t tries = 1000 * wanted;
  for (std::size_t i = 0; i < tries && design.runs.size() < wanted; ++i) {
    Configuration here = space.at(sequence.point(i));
    if (space.valid(here) && seen.insert(here)) {
      design.runs.push_back({.configuration = std::move(here)});
    } else {
      ++skipped;
    }
  }
  if (skipped > 0) {
    design.notes.push_back(std::to_string(skipped) +
                           " points of the sequence break constraints or repeat a "
                           "configuration and are passed over");
  }
  Rng rng = Rng(request.seed).stream("sobol-rest");
  for (std::size_t i = 0; i < tries && design.runs.size() < wanted; ++i) {
    Configuration drawn = space.draw(rng);
    if (seen.insert(drawn)) design.runs.push_back({.configuration = std::move(drawn)});
  }
  return design;
}

}  // namespace

std::vector<DesignInfo> plugin() {
  return {{{.id = "sobol",
            .summary = "points that cover the space evenly, each pair of factors too (Sobol's sequence)",
            .reference = "Joe and Kuo, Constructing Sobol sequences with better two-dimensional projections, "
                         "SIAM J. Sci. Comput. 30, 2008; Owen, Randomly permuted (t,m,s)-nets, 1995",
            .parameters = {flag_parameter("scramble", "0: the sequence as it is, which starts in the corner",
                                          true)}},
           {},
           make}};
}

}  // namespace sextant::explore::design_sobol
