// Which rows of the table become the tasks of a round, and what a run leaves behind.
#include <algorithm>
#include <cmath>
#include <string>

#include "gavel_run.h"

namespace sextant {
namespace {

constexpr std::int32_t kMaxIdleTurns = 64;

}  // namespace

void GavelRun::pick() {
  picker_.pick(table_, type_order_, picked_);
  settled_ = aware_ ? picker_.settled() : picker_.settled_in_any_order();
  changed_ = false;
  running_.clear();
  for (const GavelPicked& picked : picked_) {
    const GavelRow& row = table_.rows()[static_cast<std::size_t>(picked.row)];
    // A job that came after the last allocation is picked, and keeps its GPUs from others, but is not placed.
    if (!row.shared && row.ran_on != picked.type) continue;
    const double rate = row.first_rate[static_cast<std::size_t>(picked.type)];
    const double full_steps = std::trunc(rate * options_.round_s);
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
        outcome.start_s = now_;
        outcome.end = JobEnd::unfinished;
      }
      outcome.type = pool;
    }
  }
}

// Nothing runs, nothing arrives, and the shares stay as they are: Gavel would turn for ever. A few turns are
// granted, because the order of types is drawn anew in each.
bool GavelRun::stuck() {
  if (!running_.empty() || arrivals_left() || window_left_ == 0) {
    idle_turns_ = 0;
    return false;
  }
  return ++idle_turns_ > kMaxIdleTurns;
}

void GavelRun::finish_result() {
  result_.horizon_s = now_;
  result_.pools.resize(types_.size());
  for (std::size_t t = 0; t < types_.size(); ++t) {
    PoolUse& use = result_.pools[types_.pool[t]];
    use.productive = busy_[t];
    use.idle = std::max(0.0, static_cast<double>(types_.gpus[t]) * now_ - busy_[t]);
  }
}

RunResult simulate_gavel(const JobSet& jobs, const ClusterSpec& cluster, const GavelOptions& options) {
  if (options.policy.policy == nullptr || options.policy.policy->share == nullptr) {
    throw InputError({}, "Gavel's rounds need a policy that gives shares",
                     "see 'sextant list policies'; others run with --mechanism event");
  }
  if (!(options.round_s > 0) || !(options.reset_s >= 0))
    throw InputError("the round must be longer than 0 s, and the time between allocations not negative");
  return GavelRun(jobs, cluster, options).run();
}

}  // namespace sextant
