// Machine types from a table.
#pragma once

#include <vector>

#include "sextant/capacity/catalogue_machine.h"
#include "sextant/core/csv.h"

namespace sextant::capacity {

// vm, gpu, gpus, usd_per_hour, and idle_w, gpu_w, minimum_s, losses_per_hour if there are any. Rows that
// leave out one of gpu, gpus and usd_per_hour are machines of the catalogue, which says whatever else they
// leave out.
std::vector<MachineType> machine_types(const CsvTable& table, const catalog::Catalog& catalog);

}  // namespace sextant::capacity
