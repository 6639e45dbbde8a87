#include "sextant/capacity/online_sweep.h"

namespace sextant::capacity {

std::vector<OnlineSweepRun> sweep_online(const OnlineSweepPlan& plan, Progress& progress) {
  const auto seeds = static_cast<std::size_t>(plan.seeds);
  std::vector<OnlineSweepRun> runs(plan.workloads.size() * seeds * plan.methods.size());
  const auto run_one = [&](std::size_t index) {
    OnlineSweepRun& run = runs[index];
    const std::size_t group = index / plan.methods.size();
    run.method = index % plan.methods.size();
    run.seed = plan.first_seed + group % seeds;
    run.workload = group / seeds;
    OnlineOptions options = plan.run;
    options.method = plan.methods[run.method];
    options.seed = run.seed;
    options.abandon = plan.stop.abandon;
    run.result = run_online(plan.workloads[run.workload], options);
    run.done = true;
  };
  work_through({.runs = runs.size(), .threads = plan.threads, .stop = plan.stop, .run = run_one}, progress);
  return runs;
}

}  // namespace sextant::capacity
