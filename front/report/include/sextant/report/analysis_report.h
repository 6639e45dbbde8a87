// An analysis of runs as tables, one per question, and as JSON ("sextant.analysis/1"). "No evidence" is said
// wherever p is not below the level; a large p is never called a finding.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sextant/analysis/analysis.h"
#include "sextant/core/json.h"
#include "sextant/report/table.h"

namespace sextant::report {

struct AnalysisSection {
  std::string id;     // "anova", "pairs"
  std::string title;  // over the table on screen
  Table table;
};

// Every section that can appear, in their order.
std::vector<std::string> analysis_section_ids();
// Those that this analysis has something for. `all`: rows that say little (pairs without evidence, transfer
// between many workloads) are kept too.
std::vector<AnalysisSection> analysis_sections(const analysis::Analysis& analysis, bool all = false);
Json to_json(const analysis::Analysis& analysis);

}  // namespace sextant::report
