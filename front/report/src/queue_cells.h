// Cells that the reports on queues share.
#pragma once

#include <optional>

#include "sextant/core/json.h"
#include "sextant/queueing/open_queue.h"
#include "sextant/report/table.h"

namespace sextant::report {

Cell unbounded_cell(Seconds time);  // "unbounded" on screen where it is infinite

Json quantiles_json(const std::optional<queueing::TimeQuantiles>& quantiles);

}  // namespace sextant::report
