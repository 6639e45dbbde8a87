#include "sextant/ask/recorded_times.h"

#include <algorithm>
#include <unordered_set>

#include "sextant/stats/quantiles.h"
#include "sextant/stats/summary.h"

namespace sextant::ask {

std::optional<RecordedTimes> recorded_times(const jobs::Trace& trace,
                                            const std::vector<simulate::RefusedJob>& refused,
                                            const simulate::JobWindow& window) {
  if (trace.unit != jobs::WorkUnit::reference_seconds) return std::nullopt;
  std::unordered_set<std::int32_t> left_out;
  for (const simulate::RefusedJob& job : refused) left_out.insert(job.source);
  std::vector<double> jct;
  std::vector<double> wait;
  double first = 0;
  double last = 0;
  std::int64_t place = -1;  // among the jobs that can run, by arrival
  for (std::size_t i = 0; i < trace.jobs.size(); ++i) {
    const jobs::TraceJob& job = trace.jobs[i];
    if (left_out.contains(static_cast<std::int32_t>(i))) continue;
    ++place;
    if (!job.start_s || place < window.first || place >= window.last) continue;
    const double end = *job.start_s + job.work;
    if (jct.empty()) first = job.arrival_s;
    last = std::max(last, end);
    wait.push_back(*job.start_s - job.arrival_s);
    jct.push_back(end - job.arrival_s);
  }
  if (jct.empty()) return std::nullopt;
  RecordedTimes out{.jobs = std::ssize(jct), .mean_jct_s = stats::mean(jct), .makespan_s = last - first};
  out.mean_wait_s = stats::mean(wait);
  std::ranges::sort(jct);
  out.p50_jct_s = stats::sorted_quantile(jct, 0.5);
  out.p99_jct_s = stats::sorted_quantile(jct, 0.99);
  return out;
}

}  // namespace sextant::ask
