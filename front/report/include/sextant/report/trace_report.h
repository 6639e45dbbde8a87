// Traces of jobs, summarized: a row a file, and below it what a row cannot hold.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sextant/jobs/trace_summary.h"
#include "sextant/report/result.h"

namespace sextant::report {

// `gpus`: size of the cluster whose offered load is asked for.
Result traces_result(const std::vector<jobs::TraceSummary>& summaries, std::optional<std::int64_t> gpus);

}  // namespace sextant::report
