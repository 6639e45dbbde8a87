// The plan as clients see it, and the figures of the books for Prometheus.
#pragma once

#include "books.h"
#include "sextant/core/json.h"
#include "sextant/http/metrics.h"

namespace sextant::daemon {

Json plan_answer(const Books& books, Seconds now);
void measure_books(const Books& books, Seconds now, http::Metrics& metrics);
void declare_plan_metrics(http::Metrics& metrics);

}  // namespace sextant::daemon
