// A study's trials as runs to analyse.
#pragma once

#include "sextant/ask/analyze.h"
#include "sextant/core/csv.h"

namespace sextant::ask {

// A URL of PostgreSQL, an SQLite file, or a study file, whose store stands beside it.
bool is_study(const std::string& runs);
// A URL of PostgreSQL or an SQLite file.
bool is_study_store(const std::string& runs);

// Fills in what the study knows and the question leaves open. InputError where there is no study, or several
// and none is named.
CsvTable study_runs(AnalyzeQuestion& question, const catalog::Catalog& catalog);

}  // namespace sextant::ask
