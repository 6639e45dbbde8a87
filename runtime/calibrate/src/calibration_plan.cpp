#include "calibration_plan.h"

#include <array>

#include "sextant/measure/drawn_network.h"
#include "sextant/nets/random_network.h"
#include "sextant/nets/single_values.h"

namespace sextant::calibrate {
namespace {

constexpr double kRate = 5e10;       // FLOP/s
constexpr double kBandwidth = 8e9;   // B/s
constexpr double kCall = 3e-5;       // s, of an operator in both directions
constexpr double kUpdateBytes = 28;  // of a parameter: gradient written, then five passes, and a reserve
// Small batches are what a processor trains with, and where efficiency varies most.
constexpr std::array<std::int64_t, 13> kBatches = {1, 1, 2, 2, 3, 4, 4, 6, 8, 8, 12, 16, 16};
constexpr std::uint64_t kNetworksOfSeed = 1000000;

}  // namespace

double modest_work(const nets::Graph& graph, const nets::GraphCost& cost) {
  const double arithmetic = (cost.total.forward + cost.total.backward).value / kRate;
  const double traffic = (cost.total.forward_bytes + cost.total.backward_bytes).value / kBandwidth;
  return arithmetic + traffic + kUpdateBytes * static_cast<double>(cost.total.parameters) / kBandwidth +
         kCall * static_cast<double>(graph.nodes.size());
}

CalibrationCandidate CalibrationPlan::next() {
  const bool layers = number_ % 2 == 1;
  const std::uint64_t first = seed_ * kNetworksOfSeed;
  Rng batches = Rng(seed_).stream("calibration-batch", number_);
  ++number_;
  const nets::Network network =
      layers ? measure::drawn_network(first + layers_++) : nets::random_network(first + images_++);
  CalibrationCandidate c{
      .net = network.id, .sizes = {.batch = kBatches.at(batches.below(kBatches.size()))}, .graph = {}};
  c.graph = build(network, c.sizes);
  if (nets::single_value_norm(c.graph) != nullptr) {  // of one image, where maps have shrunk to a point
    c.sizes.batch = 2;
    c.graph = build(network, c.sizes);
  }
  c.work_s = modest_work(c.graph, cost(c.graph));
  return c;
}

}  // namespace sextant::calibrate
