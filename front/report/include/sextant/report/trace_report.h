// Traces of jobs, summarized: a row a file, and below it what a row cannot hold.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sextant/core/json.h"
#include "sextant/jobs/trace_summary.h"
#include "sextant/report/table.h"

namespace sextant::report {

// `gpus`: size of the cluster whose offered load is asked for.
Table traces_table(const std::vector<jobs::TraceSummary>& summaries, std::optional<std::int64_t> gpus);
Json to_json(const jobs::TraceSummary& summary, std::optional<std::int64_t> gpus);

}  // namespace sextant::report
