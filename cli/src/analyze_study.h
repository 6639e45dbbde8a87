// A study's trials as a table of runs: what `analyze` takes besides CSV.
#pragma once

#include "analyze_args.h"
#include "sextant/cli/io.h"
#include "sextant/core/csv.h"

namespace sextant {

// A URL of PostgreSQL, an SQLite file, or a study file, whose store stands beside it.
bool is_study_store(const std::string& input);

// Columns: trial, the factors, metrics, cost, seconds, completed (0: failed or timed out); trials that still
// run are left out. Fills in what the study knows and `args` leaves open: factors, the response and which way
// is better, and that rows with completed=0 are censored. InputError where there is no study, or several and
// no --study.
CsvTable study_runs(AnalyzeArgs& args, const Io& io, const Globals& globals);

}  // namespace sextant
