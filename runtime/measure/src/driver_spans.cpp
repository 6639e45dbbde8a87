#include "sextant/measure/driver_spans.h"

#include "sextant/core/csv.h"
#include "sextant/core/rng.h"
#include "sextant/measure/clock.h"

namespace sextant::measure {

spans::TraceContext driver_context(const Trial& trial) {
  Rng rng = Rng(trial.seed).stream("trace");
  spans::TraceContext context;
  context.trace.high = rng.bits();
  context.trace.low = rng.bits();
  context.span = rng.bits() | 1;  // 0 is no span
  if (!trial.traceparent.empty()) context.trace = spans::parse_traceparent(trial.traceparent).trace;
  return context;
}

spans::SpanSet gather_spans(const RunFolder& folder, const Trial& trial, const DriverSpan& driver) {
  const std::int64_t ranks = rank_count(trial);
  spans::SpanSet all{.trace = driver.context.trace, .processes = {{ranks, "driver"}}};
  all.spans.push_back({.id = driver.context.span,
                       .parent = driver.parent,
                       .name = "trial",
                       .process = ranks,
                       .start_ns = unix_ns(driver.start),
                       .end_ns = unix_ns(driver.end),
                       .attributes = {{"net", trial.job.net}, {"strategy", trial.strategy}}});
  for (std::int64_t rank = 0; rank < ranks; ++rank) {
    const auto path = folder.spans_file(rank);
    if (!std::filesystem::exists(path)) continue;
    spans::SpanSet set = spans::read_spans(read_text_file(path.string()), path.string());
    all.processes.merge(set.processes);
    all.threads.merge(set.threads);
    for (spans::Span& span : set.spans) all.spans.push_back(std::move(span));
  }
  return all;
}

}  // namespace sextant::measure
