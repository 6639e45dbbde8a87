// Which random networks a calibration runs, at which batch sizes, and how long one iteration may take: those
// of `nets` for convolutions, and drawn ones of `measure` for all other layers that can be trained.
#pragma once

#include <cstdint>

#include "sextant/core/rng.h"
#include "sextant/nets/cost.h"
#include "sextant/nets/network.h"

namespace sextant::calibrate {

struct CalibrationCandidate {
  std::string net;
  nets::Binding sizes;
  nets::Graph graph;
  double work_s = 0;  // one iteration, at the rates of a modest core
};

// An endless row of candidates, the same for the same seed; every second one is of other layers than
// convolutions over images, whose families take turns.
class CalibrationPlan {
 public:
  explicit CalibrationPlan(std::uint64_t seed) : seed_(seed) {}
  CalibrationCandidate next();

 private:
  std::uint64_t seed_;
  std::uint64_t number_ = 0;
  std::uint64_t images_ = 0;
  std::uint64_t layers_ = 0;
};

// One training iteration in seconds, at 50 GFLOP/s and 8 GB/s.
double modest_work(const nets::Graph& graph, const nets::GraphCost& cost);

}  // namespace sextant::calibrate
