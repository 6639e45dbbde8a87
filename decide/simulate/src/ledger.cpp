#include "sextant/simulate/ledger.h"

#include <algorithm>
#include <cmath>

#include "sextant/core/text.h"

namespace sextant::simulate {
namespace {

constexpr double kTolerance = 1e-6;  // relative

[[noreturn]] void wrong(const std::string& policy, const std::string& what) {
  throw ConservationError("policy '" + policy + "': " + what);
}

void check_pool(const RunResult& run, const clusters::Pool& pool, const PoolUse& use,
                const std::string& policy) {
  const double sum = use.productive + use.overhead + use.lost + use.idle + use.down;
  const double there = static_cast<double>(pool.gpus) * (run.horizon - run.begin).value;
  if (!(std::abs(sum - there) <= kTolerance * std::max(there, 1.0))) {
    wrong(policy, "the GPU-seconds of " + pool.type + " add up to " + number_text(sum) + ", and there were " +
                      number_text(there));
  }
  const double least = -kTolerance * std::max(there, 1.0);
  if (std::min({use.productive, use.overhead, use.lost, use.idle, use.down}) < least) {
    wrong(policy, "GPU-seconds of " + pool.type + " are negative");
  }
}

void check_job(const RunResult& run, const SimJob& job, std::size_t number, const std::string& policy) {
  const JobOutcome& outcome = run.jobs[number];
  const std::string name = "job " + std::to_string(number);
  const double slack = kTolerance * std::max(1.0, outcome.executed.value);
  const bool started = !std::isnan(outcome.start.value);
  const bool ended = !std::isnan(outcome.completion.value);
  if (started == (outcome.end == JobEnd::never_started) || ended != (outcome.end == JobEnd::completed)) {
    wrong(policy, name + " has times that contradict its end");
  }
  if ((outcome.overhead + outcome.lost).value > outcome.executed.value + slack) {
    wrong(policy, name + " lost more time than it had");
  }
  if (started && outcome.start.value < job.arrival.value - slack)
    wrong(policy, name + " started before it arrived");
  if (ended && (outcome.completion - outcome.start).value < outcome.executed.value - slack) {
    wrong(policy, name + " was executed for longer than it took");
  }
}

}  // namespace

Ledger::Ledger(const clusters::Cluster& cluster, std::string policy)
    : policy_(std::move(policy)), held_(cluster.pools.size()) {
  for (const clusters::Pool& pool : cluster.pools) gpus_.push_back(pool.gpus);
}

void Ledger::complete(const CompletedWork& done) const {
  // Each start and each change of speed rounds to a nanosecond.
  const double slack = kTolerance * (done.work + done.speed);
  if (std::abs(done.remaining) <= slack) return;
  refuse("it completed with " + number_text(done.remaining) + " of " + number_text(done.work) +
             " units of work undone",
         done.job, done.now_s);
}

void Ledger::refuse(const std::string& what, std::int64_t job, double now_s) const {
  const std::string who = job < 0 ? "" : ", job " + std::to_string(job);
  wrong(policy_, "at " + number_text(now_s) + " s" + who + ": " + what);
}

void Ledger::out_of_balance(const schedule::TypeView& type, std::int64_t held, double now_s) const {
  refuse(std::to_string(held) + " GPUs of " + std::string(type.name) + " held and " +
             std::to_string(type.free) + " free do not make " + std::to_string(type.gpus),
         -1, now_s);
}

void check_conservation(const RunResult& run, const JobSet& jobs, const clusters::Cluster& cluster,
                        const std::string& policy) {
  if (run.jobs.size() != jobs.jobs.size()) wrong(policy, "jobs are missing from the result");
  if (run.pools.size() != cluster.pools.size()) wrong(policy, "pools are missing from the result");
  for (std::size_t t = 0; t < cluster.pools.size(); ++t)
    check_pool(run, cluster.pools[t], run.pools[t], policy);
  for (std::size_t i = 0; i < jobs.jobs.size(); ++i) check_job(run, jobs.jobs[i], i, policy);
}

}  // namespace sextant::simulate
