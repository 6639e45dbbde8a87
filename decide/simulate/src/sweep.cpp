#include "sextant/simulate/sweep.h"

#include <algorithm>
#include <mutex>

#include "sextant/stats/warm_up.h"

namespace sextant::simulate {
namespace {

// Jobs of one cluster, load and seed, made by whoever needs them first and dropped after the last policy.
struct JobGroup {
  std::mutex mutex;
  std::shared_ptr<const jobs::Trace> trace;
  std::shared_ptr<const JobSet> jobs;
  std::size_t uses_left = 0;
};

// Completion times in the order of arrivals; too few of them have no warm-up to speak of.
JobWindow after_warm_up(const RunResult& result, const JobSet& jobs) {
  constexpr std::size_t kFewest = 20;
  std::vector<double> times;
  std::vector<std::int64_t> order;  // of the jobs that they are of
  for (std::size_t i = 0; i < result.jobs.size(); ++i) {
    if (result.jobs[i].end != JobEnd::completed) continue;
    times.push_back((result.jobs[i].completion - jobs.jobs[i].arrival).value);
    order.push_back(static_cast<std::int64_t>(i));
  }
  if (times.size() < kFewest) return {};
  return {.first = order[stats::mser_warm_up(times).drop]};
}

class Sweep {
 public:
  Sweep(const SweepPlan& plan, Progress& progress)
      : plan_(plan),
        progress_(progress),
        groups_(plan.clusters.size() * plan.loads.size() * static_cast<std::size_t>(plan.seeds)),
        runs_(groups_.size() * plan.policies.size()) {
    for (JobGroup& group : groups_) group.uses_left = plan.policies.size();
    if (plan.speeds) {
      for (const clusters::Cluster& cluster : plan.clusters) speeds_.push_back(plan.speeds(cluster));
    }
  }

  std::vector<SweepRun> run() {
    work_through({.runs = runs_.size(),
                  .threads = plan_.threads,
                  .stop = plan_.stop,
                  .note = "simulations",
                  .run = [this](std::size_t index) { run_one(index); }},
                 progress_);
    return std::move(runs_);
  }

 private:
  // Policies change fastest: those of one group run close together, so few groups are alive at a time.
  void run_one(std::size_t index) {
    SweepRun& run = runs_[index];
    const std::size_t group = index / plan_.policies.size();
    const auto seeds = static_cast<std::size_t>(plan_.seeds);
    run.policy = index % plan_.policies.size();
    run.seed = plan_.first_seed + group % seeds;
    run.load = group / seeds % plan_.loads.size();
    run.cluster = group / seeds / plan_.loads.size();
    const std::shared_ptr<const JobSet> jobs = jobs_of(groups_[group], run);
    const clusters::Cluster& cluster = plan_.clusters[run.cluster];
    run.result = simulated(*jobs, cluster, run);
    run.window = plan_.warm_up ? after_warm_up(run.result, *jobs) : plan_.window;
    run.metrics = measure_run(run.result, *jobs, cluster, run.window);
    run.groups = group_jobs(run.result, *jobs, cluster, run.window);
    run.refused = jobs->refused;
    run.unfinished = unfinished_jobs(run.result);
    if (plan_.keep_jobs || !run.unfinished.empty()) run.jobs = jobs;
    if (!plan_.keep_jobs) {
      run.result.jobs = std::vector<JobOutcome>();  // an empty list would keep the memory
      if (run.refused.empty() && run.unfinished.empty()) run.trace.reset();
    }
    run.done = true;
    release(groups_[group]);
  }

  RunResult simulated(const JobSet& jobs, const clusters::Cluster& cluster, const SweepRun& run) const {
    RunOptions options = plan_.run;
    options.policy = plan_.policies[run.policy];
    options.mechanism = plan_.mechanism(run.policy);
    options.seed = run.seed;
    options.window = plan_.window;
    options.abandon = plan_.stop.abandon;
    return simulate(jobs, cluster, options);
  }

  std::shared_ptr<const JobSet> jobs_of(JobGroup& group, SweepRun& run) const {
    const std::scoped_lock lock(group.mutex);
    if (!group.jobs) {
      group.trace = plan_.trace(run.seed);
      const bool pairs = std::ranges::any_of(plan_.policies,
                                             [](const schedule::PolicyChoice& p) { return p.policy->packs; });
      const JobSetOptions options{.load = plan_.loads[run.load],
                                  .speeds = speeds_.empty() ? nullptr : speeds_[run.cluster].get(),
                                  .pairs = pairs || plan_.run.replay != nullptr,
                                  .estimates = plan_.estimates,
                                  .plan_by_limits = plan_.plan_by_limits};
      group.jobs =
          std::make_shared<const JobSet>(make_job_set(*group.trace, plan_.clusters[run.cluster], options));
    }
    run.trace = group.trace;
    return group.jobs;
  }

  static void release(JobGroup& group) {
    const std::scoped_lock lock(group.mutex);
    if (--group.uses_left == 0) group.jobs.reset();
  }

  const SweepPlan& plan_;
  Progress& progress_;
  std::vector<JobGroup> groups_;
  std::vector<std::unique_ptr<SpeedSource>> speeds_;  // by cluster
  std::vector<SweepRun> runs_;
};

}  // namespace

std::vector<SweepRun> sweep(const SweepPlan& plan, Progress& progress) {
  return Sweep(plan, progress).run();
}

}  // namespace sextant::simulate
