// Queues: open, by priority, closed, from counts alone, and from recorded jobs. Times in JSON are null where
// a queue grows without bound, and quantiles where the model does not know them.
#pragma once

#include "sextant/ask/queue.h"
#include "sextant/report/result.h"

namespace sextant::report {

// Whatever was asked.
Result queue_result(const ask::QueueAnswer& answer);

}  // namespace sextant::report
