#include <algorithm>
#include <map>
#include <set>

#include "sextant/ask/simulation_summary.h"

namespace sextant::ask {
namespace {

constexpr std::size_t kExamples = 3;  // of jobs that can never run for one reason

std::string why_text(simulate::RefusalKind kind) {
  switch (kind) {
    case simulate::RefusalKind::type:
      return "they may use only types of GPU that the cluster does not have";
    case simulate::RefusalKind::gpus:
      return "they ask for more GPUs than any pool that they may use has";
    case simulate::RefusalKind::memory:
      return "they do not fit the memory of any GPU that they may use";
    default:
      return "nobody knows how fast they run on any type that they may use";
  }
}

}  // namespace

std::vector<RefusedGroup> refused_groups(const std::vector<simulate::SweepRun>& runs) {
  std::vector<RefusedGroup> groups;
  std::set<std::size_t> seen;  // clusters
  for (const simulate::SweepRun& run : runs) {
    if (!run.done || !seen.insert(run.cluster).second) continue;
    std::map<simulate::RefusalKind, RefusedGroup> by_kind;
    for (const simulate::RefusedJob& job : run.refused) {
      RefusedGroup& group = by_kind[job.kind];
      ++group.jobs;
      if (group.examples.size() == kExamples) continue;
      group.examples.push_back("job " + run.trace->jobs[static_cast<std::size_t>(job.source)].id + " " +
                               job.reason);
    }
    for (auto& [kind, group] : by_kind) {
      group.cluster = run.cluster;
      group.why = why_text(kind);
      groups.push_back(std::move(group));
    }
  }
  return groups;
}

}  // namespace sextant::ask
