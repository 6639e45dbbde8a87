// Runs that an experiment tracker exported as CSV, as timed steps: the columns of Weights & Biases
// ("config/batch_size", "summary/step_time_ms", "State") and of MLflow ("params.batch_size",
// "metrics.step_time", "status") go by many names, of which the usual ones are known.
#pragma once

#include <string>
#include <vector>

#include "sextant/predict/recipe.h"

namespace sextant::predict {

// How the export becomes a table of cases with `measured_s`. Runs that did not finish, and runs without a
// time, are left out. `mapping` names columns that are not found by themselves: "batch=params.bs",
// "measured_ms=metrics.step". InputError where the time or the network is not found, where two columns could
// be meant, and, at field "map", for a mapping that is no such thing.
DataRecipe run_recipe(const CsvTable& table, const std::vector<std::string>& mapping);

// The table as `read_measured` wants it: as it is if it has the columns already, else mapped. Notes say what
// was taken for what, and how many runs were left out.
CsvTable as_measured(const CsvTable& table, const std::vector<std::string>& mapping,
                     std::vector<std::string>& notes);

}  // namespace sextant::predict
