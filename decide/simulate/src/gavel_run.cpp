#include "gavel_run.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace sextant::simulate {
namespace {

constexpr std::int8_t kMaxFailures = 5;  // in a row; then Gavel drops the job

constexpr std::uint64_t kShufflerSeed = 5;  // added to the seed of the run

bool packs(const GavelOptions& options) {
  if (options.policy.policy->packs) return true;
  if (options.replay == nullptr) return false;
  return std::ranges::any_of(*options.replay, [](const RecordedAllocation& record) {
    return std::ranges::any_of(record.shares, [](const RecordedShare& s) { return s.second >= 0; });
  });
}

// Gavel splits the steps of a gang evenly, in whole numbers; a GPU without a step fails.
bool steps_reach_all(double steps, std::int32_t gpus) {
  return steps > 0 && steps >= gpus;
}

}  // namespace

GavelRun::GavelRun(const JobSet& jobs, const clusters::Cluster& cluster, const GavelOptions& options)
    : jobs_(jobs),
      options_(options),
      types_(gavel_types(cluster)),
      table_(jobs, types_, packs(options), options.round),
      shares_(jobs, cluster, types_, options),
      picker_(types_, jobs.jobs.size(), options.policy.policy->takes_idle),
      shuffler_(options.seed + kShufflerSeed),
      type_order_(types_.fastest_first),
      aware_(options.policy.policy->aware),
      takes_idle_(options.policy.policy->takes_idle) {
  const std::size_t count = jobs.jobs.size();
  remaining_.reserve(count);
  for (const SimJob& job : jobs.jobs) remaining_.push_back(std::ceil(job.work));
  failures_.assign(count, 0);
  gone_.assign(count, 0);
  placed_in_.assign(count, 0);
  place_.assign(count, -1);
  busy_.assign(types_.size(), 0.0);
  used_.assign(types_.size(), 0);
  result_.jobs.resize(count);
  const auto all = static_cast<std::int64_t>(count);
  const bool whole = options.window_begin == 0 && options.window_end == 0;
  window_begin_ = whole ? 0 : std::clamp<std::int64_t>(options.window_begin, 0, all);
  window_end_ = whole ? all : std::clamp<std::int64_t>(options.window_end, window_begin_, all);
  window_left_ = window_end_ - window_begin_;
}

RunResult GavelRun::run() {
  if (!jobs_.jobs.empty()) now_ = jobs_.jobs.front().arrival.value;
  result_.begin = Seconds{now_};
  while (window_left_ > 0) {
    abandonment_.check(table_.jobs_active());
    if (!arrivals_left() && finishes_.empty()) last_reset_ = 0;
    advance();
    close_round();
    admit();
    allocate_if_due();
    open_round();
    if (stuck()) break;
  }
  finish_result();
  return std::move(result_);
}

void GavelRun::advance() {
  if (!finishes_.empty() && finishes_.front().time_s > 0) {
    if (any_round_) round_begin_ = round_end_;
    round_end_ = now_ = finishes_.front().time_s;
    any_round_ = true;
  } else if (arrivals_left()) {
    now_ = jobs_.jobs[next_].arrival.value;
  }
}

void GavelRun::close_round() {
  for (const GavelFinish& finish : finishes_) {
    const GavelTask& task = running_[static_cast<std::size_t>(finish.task)];
    // After an idle gap this counts the gap too, and in the first round everything since 0.
    const double executed_s = finish.time_s - round_begin_;
    const bool done = executed_s > 0 && steps_reach_all(task.steps, task.gpus) &&
                      (task.second < 0 || steps_reach_all(task.partner_steps, task.gpus));
    if (done)
      credit(task, finish.time_s, executed_s);
    else
      fail(task);
  }
  if (!left_) return;
  table_.remove(gone_);
  left_ = false;
  need_allocation_ = true;
  if (settled_ && !takes_idle_)
    drop_gone_tasks();
  else
    changed_ = true;
}

// Nobody can take the place of those that left: the others have theirs, and new ones need shares first.
void GavelRun::drop_gone_tasks() {
  std::erase_if(finishes_, [&](const GavelFinish& finish) {
    return gone_[static_cast<std::size_t>(finish.first)] != 0;
  });
  for (const GavelFinish& finish : finishes_)
    running_[static_cast<std::size_t>(finish.task)].row = table_.row_of(finish.first);
}

void GavelRun::credit(const GavelTask& task, double finish_s, double executed_s) {
  const auto type = static_cast<std::size_t>(task.type);
  table_.time(static_cast<std::size_t>(task.row), type) += executed_s;
  table_.worker_time(type) += executed_s;
  busy_[type] += executed_s * task.gpus;
  if (progress(task.first, task.steps, finish_s, executed_s)) leave(task.first);
  if (task.second < 0)
    failures_[static_cast<std::size_t>(task.first)] = 0;
  else if (progress(task.second, task.partner_steps, finish_s, executed_s))
    leave(task.second);
}

// Whether that was all of the job's work.
bool GavelRun::progress(std::int32_t job, double steps, double finish_s, double executed_s) {
  const auto j = static_cast<std::size_t>(job);
  JobOutcome& outcome = result_.jobs[j];
  outcome.executed += Seconds{executed_s};
  remaining_[j] -= steps;
  if (remaining_[j] > 0) return false;
  if (remaining_[j] < 0)
    throw ConservationError("job " + std::to_string(job) + " did more steps than it has");
  outcome.completion = Seconds{finish_s};
  outcome.end = JobEnd::completed;
  return true;
}

void GavelRun::fail(const GavelTask& task) {
  need_allocation_ = true;
  if (task.second >= 0) return;
  const auto j = static_cast<std::size_t>(task.first);
  if (++failures_[j] >= kMaxFailures) leave(task.first);
}

void GavelRun::leave(std::int32_t job) {
  gone_[static_cast<std::size_t>(job)] = 1;
  left_ = true;
  ++result_.events;
  if (job >= window_begin_ && job < window_end_) --window_left_;
}

void GavelRun::admit() {
  while (arrivals_left() && jobs_.jobs[next_].arrival.value <= now_) {
    table_.admit(static_cast<std::int32_t>(next_));
    ++next_;
    ++result_.events;
    need_allocation_ = true;
    changed_ = changed_ || takes_idle_;  // otherwise rows without shares are not looked at
  }
}

void GavelRun::allocate_if_due() {
  if (!need_allocation_) return;
  if (now_ - last_reset_ < options_.reset.value && last_reset_ != 0) return;
  table_.reset(now_ - last_reset_);
  last_reset_ = now_;
  shares_.allocate(table_, now_, remaining_);
  need_allocation_ = false;
  changed_ = true;
  ++result_.decisions;
}

void GavelRun::open_round() {
  ++result_.rounds;  // as Gavel counts them: also the empty one after the last job
  if (!aware_) {
    type_order_ = types_.fastest_first;
    shuffler_.shuffle(type_order_);
  }
  const bool fresh = changed_ || !settled_;
  if (fresh) {
    pick();
    finishes_.clear();
    for (std::size_t i = 0; i < running_.size(); ++i)
      finishes_.push_back({.first = running_[i].first, .task = static_cast<std::int32_t>(i)});
  }
  for (GavelFinish& finish : finishes_) {
    GavelTask& task = running_[static_cast<std::size_t>(finish.task)];
    finish.time_s =
        task.second < 0 ? start(task) : start_pair(task, table_.rows()[static_cast<std::size_t>(task.row)]);
  }
  sort_finishes(fresh);
}

// When it will be done, as in the next.
double GavelRun::start(GavelTask& task) {
  const double remaining = remaining_[static_cast<std::size_t>(task.first)];
  if (task.full_steps <= remaining) {
    task.steps = task.full_steps;
    return now_ + task.full_s;
  }
  task.steps = remaining;
  return now_ + remaining / task.rate;
}

double GavelRun::start_pair(GavelTask& task, const GavelRow& row) {
  const auto type = static_cast<std::size_t>(task.type);
  const auto steps = [&](std::int32_t job, double rate) {
    return std::min(std::trunc(rate * options_.round.value), remaining_[static_cast<std::size_t>(job)]);
  };
  task.steps = steps(row.first, row.first_rate[type]);
  task.partner_steps = steps(row.second, row.second_rate[type]);
  return std::max(now_ + task.steps / row.first_rate[type],
                  now_ + task.partner_steps / row.second_rate[type]);
}

// The order in which Gavel adds up times. From round to round it hardly changes, hence insertion.
void GavelRun::sort_finishes(bool fresh) {
  const auto before = [](const GavelFinish& a, const GavelFinish& b) {
    return a.time_s != b.time_s ? a.time_s > b.time_s : a.first < b.first;
  };
  if (fresh) {
    std::ranges::sort(finishes_, before);
    return;
  }
  for (std::size_t i = 1; i < finishes_.size(); ++i) {
    if (!before(finishes_[i], finishes_[i - 1])) continue;
    const GavelFinish finish = finishes_[i];
    std::size_t at = i;
    for (; at > 0 && before(finish, finishes_[at - 1]); --at) finishes_[at] = finishes_[at - 1];
    finishes_[at] = finish;
  }
}

}  // namespace sextant::simulate
