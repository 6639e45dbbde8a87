// Groups of ranks: the devices are numbered node by node, consecutive ones make the inner groups, and
// those of equal number in their groups make the outer ones.
#pragma once

#include "sextant/parallel/parallel_strategy.h"

namespace sextant::parallel {

struct Groups {
  collectives::Group inner;
  collectives::Group outer;
};

// `inner` divides the devices. Outer groups cross a node's card together.
Groups split_groups(const jobs::Placement& placement, std::int64_t inner);

// All devices as one group.
collectives::Group whole_group(const jobs::Placement& placement);

// Do all inner groups stand inside nodes?
bool inside_nodes(const jobs::Placement& placement, std::int64_t inner);

// The size of inner groups where none is asked for: the GPUs of the fullest node (ParaDL), or the largest
// number below that divides the devices.
std::int64_t usual_group(const jobs::Placement& placement);

// A parameter where 0 means "the usual".
std::int64_t group_size(std::int64_t value, const jobs::Placement& placement);

std::vector<std::int64_t> divisors(std::int64_t number);

}  // namespace sextant::parallel
