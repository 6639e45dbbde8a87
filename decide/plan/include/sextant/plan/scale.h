// Scaling to a deadline: how many machines of a type keep a growing job within the same time, and from where
// on more of them stop paying.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sextant/plan/offers.h"

namespace sextant::plan {

struct ScaleRequest {
  std::string machine;                // id in the catalogue
  std::vector<std::int64_t> samples;  // sizes of the data set
  std::optional<Seconds> deadline = {};
  std::int64_t most = 64;         // machines to look at
  double least_efficiency = 0.5;  // of machines that pay
};

// One number of machines.
struct ScalePoint {
  Offer offer;
  double speedup = 1;     // over one machine, or over the fewest that hold the job
  double efficiency = 1;  // of that: speed-up over machines
  double marginal = 1;    // what one machine more than the point before adds to the speed-up
};

// One size of the data set.
struct ScaleCurve {
  std::int64_t samples = 0;
  std::vector<ScalePoint> points;               // by number of machines
  std::optional<std::size_t> enough = {};       // first point that keeps the deadline
  std::optional<std::size_t> last_paying = {};  // last before the marginal gain falls below least_efficiency
  std::size_t fastest = 0;
};

struct ScaleAnswer {
  std::vector<ScaleCurve> curves;
  std::vector<Refusal> refusals;  // numbers of machines that were impossible
};

// The prices of the market and its strategies apply. Curves are empty where no number of machines is
// possible.
ScaleAnswer scale(Training training, Market market, const ScaleRequest& request, Progress& progress);

}  // namespace sextant::plan
