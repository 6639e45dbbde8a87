// Iterations that took longer than usual, and whose fault it was: the phase of the worker that exceeds its
// own median most. Waiting for others is no fault, so communication counts from when the last rank had
// arrived.
#include <algorithm>

#include "analysis_parts.h"
#include "robust_score.h"

namespace sextant::spans {
namespace {

constexpr double kNoticeable = 1.1;  // times the median

// Seconds of one phase of one process in every cycle.
struct Candidate {
  std::int64_t process = 0;
  std::size_t worker = kNone;  // kNone: a server
  PhaseIndex phase = PhaseTable::kOther;
  std::vector<double> seconds = {};
  RobustScale usual = {};
};

std::vector<Candidate> worker_candidates(const RunTimeline& run, const RunTotals& totals) {
  std::vector<Candidate> candidates;
  for (std::size_t w = 0; w < totals.size(); ++w)
    for (PhaseIndex p = 0; p < run.phases.size(); ++p) {
      Candidate candidate{.process = run.workers[w].process, .worker = w, .phase = p};
      for (const CycleTotals& cycle : totals[w])
        candidate.seconds.push_back(p == PhaseTable::kCommunication ? cycle.transfer_s : cycle.phase[p]);
      candidates.push_back(std::move(candidate));
    }
  return candidates;
}

// Servers' work counts for the iteration that it says it is of.
void add_server_candidates(const RunTimeline& run, std::vector<Candidate>& candidates) {
  for (const ServerTimeline& server : run.servers) {
    std::map<PhaseIndex, std::vector<double>> sums;
    for (const ServerSpan& span : server.spans) {
      const auto place = std::ranges::lower_bound(run.iterations, span.iteration);
      if (place == run.iterations.end() || *place != span.iteration) continue;
      auto& seconds = sums[span.phase];
      seconds.resize(run.cycles(), 0);
      seconds[static_cast<std::size_t>(place - run.iterations.begin())] +=
          static_cast<double>(span.end - span.start) * 1e-9;
    }
    for (auto& [phase, seconds] : sums)
      candidates.push_back({.process = server.process, .phase = phase, .seconds = std::move(seconds)});
  }
}

std::vector<Candidate> all_candidates(const RunTimeline& run, const RunTotals& totals) {
  std::vector<Candidate> candidates = worker_candidates(run, totals);
  add_server_candidates(run, candidates);
  for (Candidate& candidate : candidates) candidate.usual = robust_scale(candidate.seconds);
  return candidates;
}

double excess(const Candidate& candidate, std::size_t cycle) {
  return candidate.seconds[cycle] - candidate.usual.center;
}

const Candidate& culprit(const std::vector<Candidate>& candidates, std::size_t cycle,
                         std::size_t only_worker) {
  const Candidate* worst = nullptr;
  const Candidate* server = nullptr;
  for (const Candidate& candidate : candidates) {
    if (candidate.worker == kNone) {
      if (server == nullptr || excess(candidate, cycle) > excess(*server, cycle)) server = &candidate;
    } else if (only_worker == kNone || candidate.worker == only_worker) {
      if (worst == nullptr || excess(candidate, cycle) > excess(*worst, cycle)) worst = &candidate;
    }
  }
  // A transfer lasts while its server works: the server's excess explains the transfer's.
  const bool served = worst->phase == PhaseTable::kCommunication && server != nullptr &&
                      excess(*server, cycle) > excess(*worst, cycle) / 2;
  return served ? *server : *worst;
}

// When the longest piece of it began.
std::int64_t begin_of(const RunTimeline& run, const Candidate& candidate, std::size_t cycle) {
  if (candidate.worker == kNone) return run.workers.front().starts[cycle];
  const WorkerTimeline& worker = run.workers[candidate.worker];
  std::int64_t at = worker.starts[cycle];
  std::int64_t longest = 0;
  const auto consider = [&](std::int64_t start, std::int64_t end) {
    if (end - start <= longest) return;
    longest = end - start;
    at = start;
  };
  if (candidate.phase == PhaseTable::kCommunication) {
    for (const BucketTransfer& transfer : worker.transfers)
      if (transfer.cycle == cycle) consider(transfer.start, transfer.end);
    return at;
  }
  const std::int64_t from = cycle == 0 ? worker.starts.front() : worker.ends[cycle - 1];
  const auto first = std::ranges::lower_bound(worker.stretches, from, {}, &ThreadStretch::start);
  for (auto stretch = first; stretch != worker.stretches.end() && stretch->start < worker.ends[cycle];
       ++stretch)
    if (stretch->phase == candidate.phase) consider(stretch->start, stretch->end);
  return at;
}

// From one end of all workers to the next: what a delay behind the last barrier costs shows where it arose,
// not again in the next iteration of those that waited for it.
std::vector<double> joint_times(const RunTimeline& run) {
  std::vector<double> times;
  std::int64_t before = run.workers.front().starts.front();
  for (const WorkerTimeline& worker : run.workers) before = std::min(before, worker.starts.front());
  for (std::size_t i = 0; i < run.cycles(); ++i) {
    std::int64_t end = run.workers.front().ends[i];
    for (const WorkerTimeline& worker : run.workers) end = std::max(end, worker.ends[i]);
    times.push_back(static_cast<double>(end - before) * 1e-9);
    before = end;
  }
  return times;
}

std::vector<double> own_times(const WorkerTimeline& worker) {
  std::vector<double> times;
  for (std::size_t i = 0; i < worker.ends.size(); ++i)
    times.push_back(static_cast<double>(worker.ends[i] - (i == 0 ? worker.starts[0] : worker.ends[i - 1])) *
                    1e-9);
  return times;
}

}  // namespace

std::vector<SlowIteration> find_slow_iterations(const RunTimeline& run, const RunTotals& totals) {
  const std::vector<Candidate> candidates = all_candidates(run, totals);
  std::vector<SlowIteration> slow;
  const auto find = [&](const std::vector<double>& times, std::size_t only_worker) {
    const RobustScale usual = robust_scale(times);
    for (std::size_t i = 0; i < times.size(); ++i) {
      if (usual.score(times[i]) <= kOutlierScore || times[i] <= kNoticeable * usual.center) continue;
      const Candidate& who = culprit(candidates, i, only_worker);
      slow.push_back({.iteration = run.iterations[i],
                      .process = who.process,
                      .phase = run.phases.names()[who.phase],
                      .at_ns = begin_of(run, who, i),
                      .seconds = who.seconds[i],
                      .usual_s = who.usual.center,
                      .robust_z = who.usual.score(who.seconds[i])});
    }
  };
  // Workers that do not wait for each other have slow iterations of their own.
  if (run.coupled() || run.workers.size() == 1) {
    find(joint_times(run), kNone);
  } else {
    for (std::size_t w = 0; w < run.workers.size(); ++w) find(own_times(run.workers[w]), w);
    std::ranges::stable_sort(slow, {}, &SlowIteration::iteration);
  }
  return slow;
}

}  // namespace sextant::spans
