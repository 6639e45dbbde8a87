// A machine type as planners have it, from what the catalogue knows.
#pragma once

#include <optional>

#include "sextant/capacity/snapshot.h"
#include "sextant/catalog/catalog.h"

namespace sextant::capacity {

// GPUs (none: it has no whole one), the shortest time that is paid, and power: as the catalogue states it,
// else that of its GPUs, of which an idle one draws the share that simulations of clusters assume. Without a
// price.
MachineType catalogue_machine(const catalog::Machine& machine, const catalog::Catalog& catalog);
// Of an hour; nothing where the catalogue has none.
std::optional<Dollars> catalogue_price(const catalog::Machine& machine);

}  // namespace sextant::capacity
