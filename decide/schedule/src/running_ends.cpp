#include "running_ends.h"

#include <algorithm>

namespace sextant::schedule {

std::int32_t fastest_with_room(const JobView& job, std::span<const std::int64_t> free) {
  std::int32_t best = -1;
  for (std::size_t t = 0; t < free.size(); ++t) {
    if (job.rate[t] <= 0 || free[t] < job.gpus) continue;
    if (best < 0 || job.rate[t] > job.rate[best]) best = static_cast<std::int32_t>(t);
  }
  return best;
}

void copy_free(const ClusterView& view, std::vector<std::int64_t>& free) {
  free.clear();
  for (const TypeView& type : view.types) free.push_back(type.free);
}

double RunningEnds::estimate_s(const JobView& job, std::size_t type) const {
  if (job.rate[type] <= 0) return std::numeric_limits<double>::infinity();
  return factor_ * job.remaining / job.rate[type];
}

double RunningEnds::end_s(const JobView& job) const {
  if (job.speed <= 0) return std::numeric_limits<double>::infinity();
  return std::max(job.since_s, job.productive_s) + factor_ * job.remaining / job.speed;
}

void RunningEnds::insert(const ExpectedEnd& end, std::int32_t type) {
  std::vector<ExpectedEnd>& ends = ends_[static_cast<std::size_t>(type)];
  ends.insert(std::ranges::upper_bound(ends, end), end);
  places_[static_cast<std::size_t>(end.slot)] = {.type = type, .end = end};
}

void RunningEnds::remove(JobSlot slot) {
  Place& place = places_[static_cast<std::size_t>(slot)];
  if (place.type < 0) return;
  std::vector<ExpectedEnd>& ends = ends_[static_cast<std::size_t>(place.type)];
  ends.erase(std::ranges::lower_bound(ends, place.end));
  place.type = -1;
}

void RunningEnds::update(const ClusterView& view) {
  ends_.resize(view.types.size());
  places_.resize(std::max(places_.size(), view.jobs.size()));
  for (const JobSlot slot : view.ended) remove(slot);
  for (const JobSlot slot : view.lost) remove(slot);
  for (const JobSlot slot : fresh_) {
    const std::int32_t type = places_[static_cast<std::size_t>(slot)].type;
    if (type < 0) continue;
    remove(slot);
    const JobView& job = job_at(view, slot);
    insert({.end_s = end_s(job), .slot = slot, .gpus = job.gpus}, type);
  }
  fresh_.clear();
}

void RunningEnds::start(JobSlot slot, std::int32_t type, const ClusterView& view) {
  const JobView& job = job_at(view, slot);
  const double end = view.now_s + estimate_s(job, static_cast<std::size_t>(type));
  insert({.end_s = end, .slot = slot, .gpus = job.gpus}, type);
  fresh_.push_back(slot);
}

}  // namespace sextant::schedule
