// What the spans of a run say, for people and programs.
#pragma once

#include "sextant/ask/spans.h"
#include "sextant/report/result.h"

namespace sextant::report {

// Phases first; then the critical path, what-ifs, stragglers and slow iterations.
Result spans_result(const spans::SpanAnalysis& analysis);

// Parts of a step first; then ranks, slow steps, operators and kernels.
Result profile_result(const spans::ProfileAnalysis& analysis);

// Whichever it is.
Result spans_result(const ask::SpansAnswer& answer);
// What the analysis wants people to know.
const std::vector<std::string>& spans_warnings(const ask::SpansAnswer& answer);

}  // namespace sextant::report
