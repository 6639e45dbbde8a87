// One process of a federation: the server or a host of clients.
#pragma once

#include "sextant/measure/outcome.h"
#include "sextant/measure/run_folder.h"

namespace sextant::engine {

// Whether the folder is a federation's.
bool is_federation(const measure::RunFolder& folder);
void work_in_federation(const measure::RunFolder& folder, measure::WorkerReport& report);

}  // namespace sextant::engine
