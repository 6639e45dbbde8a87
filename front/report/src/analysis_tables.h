// The larger tables of an analysis of runs, and what they are part of.
#pragma once

#include "sextant/analysis/analysis.h"
#include "sextant/report/result.h"

namespace sextant::report {

// What answers one question: the section that files have, and where a screen shows something else, that.
struct AnalysisPart {
  std::string id;  // "anova", "pairs": its key, and how people name it
  std::vector<Section> sections;
};

// Shown where there is something in it.
AnalysisPart whole_part(const std::string& id, const std::string& title, Table table);

// `all`: rows that say little (pairs without evidence, transfer between many workloads) are shown too.
AnalysisPart interactions_part(const analysis::Analysis& analysis, bool all);
AnalysisPart pairs_part(const analysis::Analysis& analysis, bool all);
AnalysisPart transfer_part(const analysis::Analysis& analysis, bool all);
AnalysisPart scaling_part(const analysis::Analysis& analysis, bool all);

}  // namespace sextant::report
