// Queues: open, by priority, closed, from counts alone, and from recorded jobs. Times in JSON are null where
// a queue grows without bound, and quantiles where the model does not know them.
#pragma once

#include <vector>

#include "sextant/core/json.h"
#include "sextant/queueing/closed_network.h"
#include "sextant/queueing/diagnosis.h"
#include "sextant/queueing/open_queue.h"
#include "sextant/queueing/operational_laws.h"
#include "sextant/queueing/priority.h"
#include "sextant/queueing/sizing.h"
#include "sextant/report/table.h"

namespace sextant {

Table queues_table(const std::vector<QueueResult>& results);
Json to_json(const QueueResult& result);

Table sizing_table(const std::vector<Sizing>& sizings);
Json to_json(const Sizing& sizing);

// "utilisation 1.25 is not below 1 (M/M/1, 1 server); 2 servers would keep up".
std::string overload_text(const QueueResult& result);

Table priority_table(const PriorityResult& result);
Json to_json(const PriorityResult& result);

// A row per population; residence and number at each station.
Table closed_table(const ClosedNetwork& network, const std::vector<ClosedResult>& results);
Json closed_json(const ClosedNetwork& network, const std::vector<ClosedResult>& results);

Table laws_table(const std::vector<Derived>& derived);
Json laws_json(const std::vector<Derived>& derived);
// Bounds and knee from the demands alone, a row per population.
Table bounds_table(const ClosedNetwork& network, const std::vector<std::int64_t>& populations);
Json bounds_json(const ClosedNetwork& network, const std::vector<std::int64_t>& populations);

// Recorded jobs: the model's answer beside the replay; the fitted distributions; the other tests.
Table diagnosis_table(const Diagnosis& diagnosis);
Table fits_table(const Diagnosis& diagnosis);
Table tests_table(const Diagnosis& diagnosis);
Json to_json(const Diagnosis& diagnosis);

}  // namespace sextant
