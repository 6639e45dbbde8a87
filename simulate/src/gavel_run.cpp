#include "gavel_run.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace sextant {
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

GavelRun::GavelRun(const JobSet& jobs, const ClusterSpec& cluster, const GavelOptions& options)
    : jobs_(jobs),
      options_(options),
      types_(gavel_types(cluster)),
      table_(jobs, types_, packs(options), options.round_s),
      shares_(jobs, cluster, types_, options),
      picker_(types_, jobs.jobs.size(), options.policy.policy->takes_idle),
      shuffler_(options.seed + kShufflerSeed),
      type_order_(types_.fastest_first),
      aware_(options.policy.policy->aware) {
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
  if (!jobs_.jobs.empty()) now_ = result_.begin_s = jobs_.jobs.front().arrival_s;
  while (window_left_ > 0) {
    if (!arrivals_left() && running_.empty()) last_reset_ = 0;
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
  if (!running_.empty() && running_.front().finish_s > 0) {
    if (any_round_) round_begin_ = round_end_;
    round_end_ = now_ = running_.front().finish_s;
    any_round_ = true;
  } else if (arrivals_left()) {
    now_ = jobs_.jobs[next_].arrival_s;
  }
}

void GavelRun::close_round() {
  for (const GavelTask& task : running_) {
    // After an idle gap this counts the gap too, and in the first round everything since 0.
    const double executed_s = task.finish_s - round_begin_;
    const bool done = executed_s > 0 && steps_reach_all(task.steps, task.gpus) &&
                      (task.second < 0 || steps_reach_all(task.partner_steps, task.gpus));
    if (done)
      credit(task, executed_s);
    else
      fail(task);
  }
  if (!left_) return;
  table_.remove(gone_);
  left_ = false;
  changed_ = need_allocation_ = true;
}

void GavelRun::credit(const GavelTask& task, double executed_s) {
  const auto type = static_cast<std::size_t>(task.type);
  table_.time(static_cast<std::size_t>(task.row), type) += executed_s;
  table_.worker_time(type) += executed_s;
  busy_[type] += executed_s * task.gpus;
  if (progress(task.first, task.steps, task, executed_s)) leave(task.first);
  if (task.second < 0)
    failures_[static_cast<std::size_t>(task.first)] = 0;
  else if (progress(task.second, task.partner_steps, task, executed_s))
    leave(task.second);
}

// Whether that was all of the job's work.
bool GavelRun::progress(std::int32_t job, double steps, const GavelTask& task, double executed_s) {
  const auto j = static_cast<std::size_t>(job);
  JobOutcome& outcome = result_.jobs[j];
  outcome.executed_s += executed_s;
  remaining_[j] -= steps;
  if (remaining_[j] > 0) return false;
  if (remaining_[j] < 0)
    throw ConservationError("job " + std::to_string(job) + " did more steps than it has");
  outcome.completion_s = task.finish_s;
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
  while (arrivals_left() && jobs_.jobs[next_].arrival_s <= now_) {
    table_.admit(static_cast<std::int32_t>(next_));
    ++next_;
    ++result_.events;
    need_allocation_ = changed_ = true;
  }
}

void GavelRun::allocate_if_due() {
  if (!need_allocation_) return;
  if (now_ - last_reset_ < options_.reset_s && last_reset_ != 0) return;
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
  if (changed_ || !settled_) pick();
  for (GavelTask& task : running_) {
    if (task.second < 0)
      start(task);
    else
      start_pair(task, table_.rows()[static_cast<std::size_t>(task.row)]);
  }
  sort_tasks();
}

void GavelRun::start(GavelTask& task) {
  const double remaining = remaining_[static_cast<std::size_t>(task.first)];
  if (task.full_steps <= remaining) {
    task.steps = task.full_steps;
    task.finish_s = now_ + task.full_s;
  } else {
    task.steps = remaining;
    task.finish_s = now_ + remaining / task.rate;
  }
}

void GavelRun::start_pair(GavelTask& task, const GavelRow& row) {
  const auto type = static_cast<std::size_t>(task.type);
  const auto steps = [&](std::int32_t job, double rate) {
    return std::min(std::trunc(rate * options_.round_s), remaining_[static_cast<std::size_t>(job)]);
  };
  task.steps = steps(row.first, row.first_rate[type]);
  task.partner_steps = steps(row.second, row.second_rate[type]);
  task.finish_s =
      std::max(now_ + task.steps / row.first_rate[type], now_ + task.partner_steps / row.second_rate[type]);
}

// By insertion: from round to round the order hardly changes.
void GavelRun::sort_tasks() {
  const auto before = [](const GavelTask& a, const GavelTask& b) {
    return a.finish_s != b.finish_s ? a.finish_s > b.finish_s : a.first < b.first;
  };
  for (std::size_t i = 1; i < running_.size(); ++i) {
    if (!before(running_[i], running_[i - 1])) continue;
    const GavelTask task = running_[i];
    std::size_t at = i;
    for (; at > 0 && before(task, running_[at - 1]); --at) running_[at] = running_[at - 1];
    running_[at] = task;
  }
}

}  // namespace sextant
