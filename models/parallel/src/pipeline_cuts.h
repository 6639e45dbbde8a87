// Where a pipeline may be cut. The cuts depend on the network alone, on its work, its elements and its
// layers, and neither on the device nor on the links: the best of them can then only get faster with a faster
// device or link.
#pragma once

#include <memory>
#include <vector>

#include "sextant/parallel/workload.h"

namespace sextant::parallel {

using Cuts = std::vector<std::size_t>;  // the first layer of each run

// Elements of one sample that cross a cut behind the layer.
double crossing(const LayerLoad& layer);

// Runs that balance work, traffic and layers in several proportions, and ones that few elements cross though
// they balance less. A network without stated work is balanced by the time of `samples`.
std::shared_ptr<const std::vector<Cuts>> candidate_cuts(const Workload& load, std::size_t runs,
                                                        double samples);

}  // namespace sextant::parallel
