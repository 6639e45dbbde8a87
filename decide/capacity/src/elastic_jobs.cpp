#include "elastic_jobs.h"

#include <algorithm>

#include "sextant/core/infinity.h"

namespace sextant::capacity {
namespace {

// A restart that a change brings belongs to the time of a job that runs.
void add_levels(const CostModel& model, const std::vector<std::int32_t>& gpus_by_type, ElasticJob& job) {
  const std::vector<OptionCost>& options = model.options(job.job);
  job.levels.resize(gpus_by_type.size());
  for (std::size_t o = 0; o < options.size(); ++o) {
    const auto type = static_cast<std::size_t>(options[o].type);
    const double rate = 1 / std::max(options[o].due_time, 1e-9);
    std::vector<ElasticLevel>& levels = job.levels[type];
    if (options[o].gpus > gpus_by_type[type] || (!levels.empty() && rate <= levels.back().rate)) continue;
    levels.push_back({.option = static_cast<std::int32_t>(o), .gpus = options[o].gpus, .rate = rate});
  }
  job.fastest = kInfinity;
  job.demand = kInfinity;
  for (std::size_t t = 0; t < job.levels.size(); ++t) {
    for (const ElasticLevel& level : job.levels[t]) {
      const bool same = job.current == level.gpus && static_cast<std::size_t>(job.type) == t;
      const double time = 1 / level.rate + (job.current == 0 || same ? 0 : job.restart);
      job.fastest = std::min(job.fastest, time);
      if (time <= job.due) job.demand = std::min(job.demand, time * level.gpus);
    }
  }
}

}  // namespace

std::vector<ElasticJob> elastic_jobs(const CostModel& model, const std::vector<std::int32_t>& gpus_by_type) {
  const Snapshot& snapshot = model.snapshot();
  std::vector<ElasticJob> jobs;
  for (std::size_t j = 0; j < snapshot.jobs.size(); ++j) {
    const JobState& state = snapshot.jobs[j];
    ElasticJob job{.job = static_cast<std::int32_t>(j),
                   .due = model.slack(static_cast<std::int32_t>(j)),
                   .restart = state.restart.value,
                   .promised = state.promised || !snapshot.wishes.admission};
    if (state.running != kNone) {
      const JobOption& option = state.options[static_cast<std::size_t>(state.running)];
      job.type = option.type;
      job.current = option.gpus;
    }
    add_levels(model, gpus_by_type, job);
    jobs.push_back(std::move(job));
  }
  return jobs;
}

std::vector<std::int32_t> owned_gpus(const Snapshot& snapshot) {
  std::vector<std::int32_t> gpus(snapshot.types.size(), 0);
  for (const NodeState& node : snapshot.nodes) {
    if (node.down || node.only == kNone) continue;
    gpus[static_cast<std::size_t>(node.only)] += snapshot.types[static_cast<std::size_t>(node.only)].gpus;
  }
  return gpus;
}

}  // namespace sextant::capacity
