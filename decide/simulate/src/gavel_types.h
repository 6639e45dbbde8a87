// Types of a cluster in the two orders that Gavel uses: by name wherever a policy sees them (rows of numbers
// are added up in that order, and ties go to the first), and fastest first where a round is filled.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "sextant/clusters/cluster.h"

namespace sextant::simulate {

struct GavelTypes {
  std::vector<std::size_t> pool = {};        // in clusters::Cluster::pools, of each type by name
  std::vector<std::string_view> names = {};  // ascending
  std::vector<std::int64_t> gpus = {};
  std::vector<std::size_t> fastest_first = {};  // v100, p100, k80, then the rest as the cluster names them

  [[nodiscard]] std::size_t size() const { return pool.size(); }
};

GavelTypes gavel_types(const clusters::Cluster& cluster);

}  // namespace sextant::simulate
