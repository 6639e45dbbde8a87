// An analysis of runs: one table per question. "No evidence" is said wherever p is not below the level; a
// large p is never called a finding.
#pragma once

#include <string>
#include <vector>

#include "sextant/analysis/analysis.h"
#include "sextant/report/result.h"

namespace sextant::report {

// Every question that can be answered, in their order: keys of sections.
std::vector<std::string> analysis_section_ids();

// What people want to see; files have all of it.
struct AnalysisView {
  std::vector<std::string> show = {};  // ids; empty: whatever there is. The first is the answer
  bool all = false;                    // rows that say little, too; so it is where `show` names sections
};
Result analysis_result(const analysis::Analysis& analysis, const AnalysisView& view = {});

}  // namespace sextant::report
