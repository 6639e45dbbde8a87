// Spans of a run: those that processes wrote, below one of the driver.
#pragma once

#include "sextant/measure/run_folder.h"
#include "sextant/spans/span.h"

namespace sextant::measure {

// The driver's span: child of the trial's traceparent if it has one, else a trace drawn from the seed, so
// that the same trial has the same ids.
spans::TraceContext driver_context(const Trial& trial);

struct DriverSpan {
  spans::TraceContext context;
  spans::SpanId parent = 0;
  std::int64_t start = 0;  // monotonic
  std::int64_t end = 0;
};
spans::SpanSet gather_spans(const RunFolder& folder, const Trial& trial, const DriverSpan& driver);

}  // namespace sextant::measure
