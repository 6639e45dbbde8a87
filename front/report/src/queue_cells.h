// What the reports on queues share: cells, and the result of each form of an answer.
#pragma once

#include <optional>

#include "sextant/ask/queue.h"
#include "sextant/report/result.h"

namespace sextant::report {

inline constexpr const char* kScvLegend =
    "squared coefficient of variation, the variance over the square of the mean; 1 is exponential, 0 "
    "constant";

Cell unbounded_cell(Seconds time);  // "unbounded" on screen where it is infinite

// Nothing where the model does not know them.
Cell quantile_cell(const std::optional<queueing::TimeQuantiles>& quantiles,
                   Seconds queueing::TimeQuantiles::*which);
Cell waiting_p95_cell(const queueing::QueueResult& result);  // with that mark where it is approximate
Mark approximate_mark();

// A row for each queue, all that is known of it.
Table queues_table(const std::vector<queueing::QueueResult>& results);
std::string sizing_note(const queueing::Sizing& sizing);

Result closed_result(const ask::ClosedQueues& closed);
Result bounds_result(const ask::ClosedBounds& bounds);
Result laws_result(const ask::QueueLaws& laws);
Result records_result(const ask::RecordedQueue& recorded);

}  // namespace sextant::report
