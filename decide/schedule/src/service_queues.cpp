#include "service_queues.h"

#include <algorithm>
#include <cmath>

#include "running_ends.h"
#include "sextant/core/error.h"
#include "sextant/core/text.h"

namespace sextant::schedule {

ServiceQueues::ServiceQueues(std::vector<double> limits, double promote)
    : limits_(std::move(limits)), promote_(promote) {
  for (std::size_t i = 1; i < limits_.size(); ++i) {
    if (limits_[i] >= limits_[i - 1]) continue;
    throw InputError("limits of queues must ascend: " + number_text(limits_[i]) + " comes after " +
                     number_text(limits_[i - 1]));
  }
}

double ServiceQueues::forgiven_s(const JobView& job, double now_s) {
  const auto found = forgiven_.find(job.id);
  const double before = found == forgiven_.end() ? 0 : found->second;
  if (promote_ <= 0 || job.runs() || job.stopped_s < 0) return before;
  const double waited = now_s - job.stopped_s;
  const double counted = job.executed_s - before;
  if (counted <= 0 || waited + kSameInstant < promote_ * counted) return before;
  forgiven_[job.id] = job.executed_s;
  return job.executed_s;
}

ServicePlace ServiceQueues::place(const JobView& job, double now_s) {
  const double forgiven = forgiven_s(job, now_s);
  const double executed = job.executed_at(now_s) - forgiven;
  const auto gpus = static_cast<double>(job.gpus);
  // In seconds of execution, so that a demotion is due exactly where the wake-up for it was asked.
  const auto above = [&](double limit) { return limit / gpus > executed + kSameInstant; };
  const auto limit = std::ranges::find_if(limits_, above);
  ServicePlace place{.queue = static_cast<std::int32_t>(limit - limits_.begin()),
                     .service = gpus * executed,
                     .until_s = std::numeric_limits<double>::infinity()};
  if (job.runs()) {
    if (limit != limits_.end()) place.until_s = now_s + (*limit / gpus - executed);
  } else if (promote_ > 0 && executed > 0 && job.stopped_s >= 0) {
    place.until_s = std::max(job.stopped_s + promote_ * executed, now_s + kSameInstant);
  }
  return place;
}

}  // namespace sextant::schedule
