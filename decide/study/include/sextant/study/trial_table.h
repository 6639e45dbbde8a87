// A study's trials as a table of runs, as analyses take them.
#pragma once

#include <string>
#include <vector>

#include "sextant/core/csv.h"
#include "sextant/study/study_store.h"

namespace sextant::study {

// Columns: trial, the factors, metrics, cost, seconds, completed (0: failed or timed out); trials that still
// run are left out, and metrics that are called as another column is. `name` stands in errors.
CsvTable trial_table(const std::vector<StoredTrial>& trials, const std::vector<std::string>& factors,
                     const std::string& name);

}  // namespace sextant::study
