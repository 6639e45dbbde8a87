// What the spans of a run say, for people and programs.
#pragma once

#include "sextant/report/result.h"
#include "sextant/spans/analysis.h"

namespace sextant::report {

// Phases first; then the critical path, what-ifs, stragglers and slow iterations.
Result spans_result(const spans::SpanAnalysis& analysis);

}  // namespace sextant::report
