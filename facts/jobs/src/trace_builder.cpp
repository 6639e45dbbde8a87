#include "trace_builder.h"

#include <algorithm>

#include "sextant/core/text.h"

namespace sextant::jobs {

std::int32_t NameIndex::operator()(std::string_view name) {
  const auto found = places_.find(name);
  if (found != places_.end()) return found->second;
  const auto place = static_cast<std::int32_t>(names_.size());
  names_.emplace_back(name);
  places_.emplace(names_.back(), place);
  return place;
}

TraceBuilder::TraceBuilder(const std::string& file, std::string format, WorkUnit unit)
    : trace_{.source = file, .format = std::move(format), .unit = unit} {}

void TraceBuilder::throw_unordered(double arrival_s, const SourcePos& at) const {
  throw InputError(at,
                   "this job arrives at " + number_text(arrival_s) + " s, after one that arrives at " +
                       number_text(latest_) + " s",
                   "jobs stand in the order of their arrivals");
}

void TraceBuilder::sort_from_zero() {
  if (trace_.jobs.empty()) return;
  std::ranges::stable_sort(trace_.jobs, {}, &TraceJob::arrival_s);
  const double first = trace_.jobs.front().arrival_s;
  for (TraceJob& job : trace_.jobs) {
    job.arrival_s -= first;
    if (job.start_s) *job.start_s -= first;
  }
}

Trace TraceBuilder::take() {
  trace_.models = model.take();
  trace_.users = user.take();
  return std::move(trace_);
}

std::string_view first_line(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  const auto begin = text.find_first_not_of("\r\n");
  if (begin == std::string_view::npos) return {};
  text.remove_prefix(begin);
  return text.substr(0, text.find_first_of("\r\n"));
}

}  // namespace sextant::jobs
