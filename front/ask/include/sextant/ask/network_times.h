// How long networks train on machines that are planned with, as the predictor says: times of jobs, with the
// spread that the predictions' intervals have.
#pragma once

#include <string>
#include <vector>

#include "sextant/capacity/trained_network.h"
#include "sextant/catalog/catalog.h"

namespace sextant::ask {

struct PredictedTimes {
  std::vector<capacity::JobOption> options = {};  // by type, then GPUs
  // Types, by name, on which only a lower bound is known: their times count as known to a factor of four.
  std::vector<std::string> bounded_below = {};
};

// On one GPU of each machine type and on twice as many up to all of it, where the catalogue knows its GPU and
// the memory suffices. InputError at the network's place for one that is unknown, or that fits nowhere.
PredictedTimes network_times(const capacity::TrainedNetwork& network,
                             const std::vector<capacity::MachineType>& types,
                             const catalog::Catalog& catalog);

}  // namespace sextant::ask
