#include "online_jobs.h"

#include <algorithm>
#include <cmath>

namespace sextant::capacity {

LiveJobs::LiveJobs(const Workload& workload, const OnlineOptions& options, Snapshot& snapshot)
    : workload_(workload),
      options_(options),
      snapshot_(snapshot),
      draws_(Rng(options.seed).stream("error")) {}

std::size_t LiveJobs::slot_of(std::int32_t index) const {
  const auto found = std::ranges::lower_bound(live_, index, {}, &LiveJob::index);
  return static_cast<std::size_t>(found - live_.begin());
}

bool LiveJobs::ends_with(std::int32_t index, std::uint64_t ticket) const {
  const std::size_t slot = slot_of(index);
  return slot < live_.size() && live_[slot].index == index && live_[slot].end_ticket == ticket;
}

void LiveJobs::add(std::int32_t index, events::Nanos now) {
  const WorkloadJob& job = workload_.jobs[static_cast<std::size_t>(index)];
  snapshot_.jobs.push_back({.id = job.id,
                            .submit = job.submit,
                            .due = job.due,
                            .tardiness = job.tardiness,
                            .priority = job.priority,
                            .options = job.options,
                            .restart = options_.restart,
                            .nodes = job.nodes});
  const double draw = draws_.stream("job", static_cast<std::uint64_t>(index)).normal();
  live_.push_back({.index = index, .draw = draw, .since = now});
  refresh(live_.size() - 1);
}

void LiveJobs::remove(std::size_t slot) {
  live_.erase(live_.begin() + static_cast<std::ptrdiff_t>(slot));
  snapshot_.jobs.erase(snapshot_.jobs.begin() + static_cast<std::ptrdiff_t>(slot));
}

double LiveJobs::error_of(const LiveJob& job, const JobOption& option) const {
  const double spread = options_.stated_error ? option.spread : options_.error;
  return spread == 0 ? 1 : std::exp(spread * job.draw);
}

void LiveJobs::advance(std::size_t slot, events::Nanos now) {
  LiveJob& job = live_[slot];
  JobState& seen = snapshot_.jobs[slot];
  double span = events::seconds_of(now - job.since);
  job.since = now;
  if (seen.running == kNone || span <= 0) return;
  const double restart = std::min(job.owed, span);
  job.owed -= restart;
  span -= restart;
  const JobOption& whole =
      workload_.jobs[static_cast<std::size_t>(job.index)].options[static_cast<std::size_t>(seen.running)];
  job.done = std::min(1.0, job.done + span / (whole.time.value * error_of(job, whole)));
  refresh(slot);
}

double LiveJobs::left(std::size_t slot) const {
  const LiveJob& job = live_[slot];
  const std::vector<JobOption>& whole = workload_.jobs[static_cast<std::size_t>(job.index)].options;
  const JobOption& option = whole[static_cast<std::size_t>(snapshot_.jobs[slot].running)];
  return job.owed + (1 - job.done) * option.time.value * error_of(job, option);
}

// What the method sees: the stated time until the job has shown how fast it is, then the true one. A restart
// that is owed belongs to the option that runs; of a job that waits, to all.
void LiveJobs::refresh(std::size_t slot) {
  const LiveJob& job = live_[slot];
  JobState& seen = snapshot_.jobs[slot];
  const std::vector<JobOption>& whole = workload_.jobs[static_cast<std::size_t>(job.index)].options;
  for (std::size_t o = 0; o < whole.size(); ++o) {
    const double known = job.done > 0 ? error_of(job, whole[o]) : 1;
    const bool owes = seen.running == kNone || static_cast<std::size_t>(seen.running) == o;
    seen.options[o].time = Seconds{(1 - job.done) * whole[o].time.value * known + (owes ? job.owed : 0)};
    const double stated = options_.stated_error ? whole[o].spread : std::max(whole[o].spread, options_.error);
    seen.options[o].spread = job.done > 0 ? 0 : stated;
  }
}

void LiveJobs::stop(std::size_t slot) {
  JobState& seen = snapshot_.jobs[slot];
  seen.running = kNone;
  seen.shares.clear();
  live_[slot].owed = options_.restart.value;
  live_[slot].end_ticket = 0;
  refresh(slot);
}

void LiveJobs::start(std::size_t slot, const Assignment& assignment, events::Nanos now) {
  JobState& seen = snapshot_.jobs[slot];
  seen.running = assignment.option;
  seen.shares = assignment.shares;
  live_[slot].since = now;
  refresh(slot);
}

}  // namespace sextant::capacity
