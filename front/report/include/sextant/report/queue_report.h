// Queues: open, by priority, closed, from counts alone, and from recorded jobs. Times in JSON are null where
// a queue grows without bound, and quantiles where the model does not know them.
#pragma once

#include <vector>

#include "sextant/ask/queue.h"
#include "sextant/core/json.h"
#include "sextant/report/table.h"

namespace sextant::report {

// Whatever was asked. Recorded jobs take three tables, of which the last is the answer; all else one.
std::vector<Table> queue_tables(const ask::QueueAnswer& answer);
Json queue_json(const ask::QueueAnswer& answer);

Table queues_table(const std::vector<queueing::QueueResult>& results);
Json to_json(const queueing::QueueResult& result);

Table sizing_table(const std::vector<queueing::Sizing>& sizings);
Json to_json(const queueing::Sizing& sizing);

Table priority_table(const queueing::PriorityResult& result);
Json to_json(const queueing::PriorityResult& result);

// A row per population; residence and number at each station.
Table closed_table(const queueing::ClosedNetwork& network,
                   const std::vector<queueing::ClosedResult>& results);
Json closed_json(const queueing::ClosedNetwork& network, const std::vector<queueing::ClosedResult>& results);

Table laws_table(const std::vector<queueing::Derived>& derived);
Json laws_json(const std::vector<queueing::Derived>& derived);
// Bounds and knee from the demands alone, a row per population.
Table bounds_table(const ask::ClosedBounds& answer);
Json bounds_json(const ask::ClosedBounds& answer);

// Recorded jobs: the model's answer beside the replay; the fitted distributions; the other tests.
Table diagnosis_table(const queueing::Diagnosis& diagnosis);
Table fits_table(const queueing::Diagnosis& diagnosis);
Table tests_table(const queueing::Diagnosis& diagnosis);
Json to_json(const queueing::Diagnosis& diagnosis);

}  // namespace sextant::report
