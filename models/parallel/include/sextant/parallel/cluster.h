// The links between the devices of a job, looked up in the catalogue: from the machine type where it is
// named, else from the kind of GPU and the network.
#pragma once

#include <string>
#include <vector>

#include "sextant/catalog/catalog.h"
#include "sextant/collectives/collective.h"
#include "sextant/jobs/layout.h"

namespace sextant::parallel {

struct ClusterLinks {
  collectives::Fabric fabric;
  std::vector<std::string> assumptions = {};  // what nobody said and was taken from elsewhere
};

// InputError where several nodes have no network, or a link is unknown.
ClusterLinks cluster_links(const catalog::Catalog& catalog, const catalog::Gpu& gpu,
                           const jobs::Layout& layout);

}  // namespace sextant::parallel
