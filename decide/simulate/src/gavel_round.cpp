// Which rows of the table become the tasks of a round, and what a run leaves behind.
#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include "gavel_run.h"

namespace sextant::simulate {
namespace {

constexpr std::int32_t kMaxIdleTurns = 64;

void check_jobs_for_gavel(const JobSet& set, const clusters::Cluster& cluster) {
  double last_s = 0;
  for (std::size_t i = 0; i < set.jobs.size(); ++i) {
    const SimJob& job = set.jobs[i];
    const bool known = job.cls >= 0 && static_cast<std::size_t>(job.cls) < set.classes.size() &&
                       set.classes[static_cast<std::size_t>(job.cls)].rate.size() == cluster.pools.size();
    const bool sane = std::isfinite(job.arrival.value) && job.arrival.value >= last_s &&
                      std::isfinite(job.work) && job.work > 0 && job.gpus > 0;
    if (!known || !sane) throw std::invalid_argument("job " + std::to_string(i) + " is not well formed");
    last_s = job.arrival.value;
  }
}

}  // namespace

void GavelRun::pick() {
  if (changed_) picker_.refresh(table_);
  picker_.pick(table_, type_order_, picked_);
  settled_ = aware_ ? picker_.settled() : picker_.settled_in_any_order();
  changed_ = false;
  running_.clear();
  for (const GavelPicked& picked : picked_) {
    const GavelRow& row = table_.rows()[static_cast<std::size_t>(picked.row)];
    // A job that came after the last allocation is picked, and keeps its GPUs from others, but is not placed.
    if (!row.shared && row.ran_on != picked.type) continue;
    const double rate = row.first_rate[static_cast<std::size_t>(picked.type)];
    const double full_steps = std::trunc(rate * options_.round.value);
    running_.push_back({.full_steps = full_steps,
                        .full_s = full_steps / rate,
                        .rate = rate,
                        .row = picked.row,
                        .first = row.first,
                        .second = row.second,
                        .type = picked.type,
                        .gpus = row.gpus});
  }
  check_capacity();
  note_places();
}

// No GPU twice, no job twice.
void GavelRun::check_capacity() {
  ++picks_;
  std::ranges::fill(used_, 0);
  for (const GavelTask& task : running_) {
    used_[static_cast<std::size_t>(task.type)] += task.gpus;
    for (const std::int32_t job : {task.first, task.second}) {
      if (job < 0) continue;
      const auto j = static_cast<std::size_t>(job);
      if (placed_in_[j] == picks_ || gone_[j] != 0)
        throw ConservationError("job " + std::to_string(job) + " placed twice, or after its end");
      placed_in_[j] = picks_;
      place_[j] = task.type;
    }
  }
  for (std::size_t t = 0; t < used_.size(); ++t) {
    if (used_[t] > types_.gpus[t])
      throw ConservationError("more GPUs of " + std::string(types_.names[t]) + " than there are");
  }
}

void GavelRun::note_places() {
  for (GavelRow& row : table_.rows()) {
    if (row.ran_on < 0) continue;
    for (const std::int32_t job : {row.first, row.second}) {
      if (job < 0) continue;
      const auto j = static_cast<std::size_t>(job);
      if (placed_in_[j] != picks_ || place_[j] != row.ran_on) ++result_.jobs[j].preemptions;
    }
    row.ran_on = -1;
  }
  for (const GavelTask& task : running_) {
    table_.rows()[static_cast<std::size_t>(task.row)].ran_on = task.type;
    for (const std::int32_t job : {task.first, task.second}) {
      if (job < 0) continue;
      JobOutcome& outcome = result_.jobs[static_cast<std::size_t>(job)];
      const auto pool = static_cast<std::int32_t>(types_.pool[static_cast<std::size_t>(task.type)]);
      if (outcome.end == JobEnd::never_started) {
        outcome.start = Seconds{now_};
        outcome.end = JobEnd::unfinished;
      }
      outcome.type = pool;
    }
  }
}

// Time stands still and nothing happens: Gavel would turn for ever, over jobs that cannot be placed or pairs
// too slow for a step in a round. A few turns are granted, since failures and draws of types can end it.
bool GavelRun::stuck() {
  const bool moves = now_ != turn_s_ || result_.events != turn_events_;
  turn_s_ = now_;
  turn_events_ = result_.events;
  idle_turns_ = moves ? 0 : idle_turns_ + 1;
  return idle_turns_ > kMaxIdleTurns;
}

void GavelRun::finish_result() {
  result_.horizon = Seconds{now_};
  result_.pools.resize(types_.size());
  for (std::size_t t = 0; t < types_.size(); ++t) {
    PoolUse& use = result_.pools[types_.pool[t]];
    use.productive = busy_[t];
    use.idle = std::max(0.0, static_cast<double>(types_.gpus[t]) * now_ - busy_[t]);
  }
}

RunResult simulate_gavel(const JobSet& jobs, const clusters::Cluster& cluster, const GavelOptions& options) {
  if (options.policy.policy == nullptr || options.policy.policy->share == nullptr) {
    throw InputError({}, "Gavel's rounds need a policy that gives shares of time",
                     "the names of its policies are isolated, allox, gandiva, fifo_perf and so on");
  }
  if (!(options.round > Seconds{0}) || !std::isfinite(options.round.value) || !(options.reset >= Seconds{0}))
    throw InputError("the round must be longer than 0 s, and the time between allocations not negative");
  check_jobs_for_gavel(jobs, cluster);
  return GavelRun(jobs, cluster, options).run();
}

}  // namespace sextant::simulate
