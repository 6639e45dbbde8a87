#include "cycle_totals.h"

#include <algorithm>
#include <limits>

#include "time_stretches.h"

namespace sextant::spans {
namespace {

double seconds(std::int64_t nanoseconds) {
  return static_cast<double>(nanoseconds) * 1e-9;
}

// Times in which a transfer was under way, without overlaps.
std::vector<TimeStretch> busy_wire(const WorkerTimeline& worker) {
  std::vector<TimeStretch> all;
  for (const BucketTransfer& transfer : worker.transfers)
    if (transfer.cycle != kNone) all.push_back({transfer.start, transfer.end});
  return merged(std::move(all));
}

void worker_totals(const WorkerTimeline& worker, std::vector<CycleTotals>& totals) {
  const std::vector<TimeStretch> wire = busy_wire(worker);
  std::size_t next = 0;
  std::size_t cycle = 0;
  for (const ThreadStretch& stretch : worker.stretches) {
    while (cycle + 1 < totals.size() && stretch.start >= worker.ends[cycle]) ++cycle;
    const std::int64_t length = stretch.end - stretch.start;
    CycleTotals& to = totals[cycle];
    if (stretch.idle) {
      const std::int64_t covered = overlap(wire, next, {stretch.start, stretch.end});
      to.exposed_s += seconds(covered);
      to.phase[PhaseTable::kOther] += seconds(length - covered);
    } else if (stretch.phase == PhaseTable::kCommunication) {
      to.exposed_s += seconds(length);
    } else {
      to.phase[stretch.phase] += seconds(length);
    }
  }
  next = 0;
  for (std::size_t i = 0; i < totals.size(); ++i) {
    const std::int64_t from = i == 0 ? worker.starts.front() : worker.ends[i - 1];
    totals[i].phase[PhaseTable::kCommunication] = seconds(overlap(wire, next, {from, worker.ends[i]}));
  }
}

struct Arrival {
  std::size_t cycle = 0;
  std::int64_t barrier = 0;
  std::vector<std::int64_t> at;  // by worker
};

// Collectives in order of their barriers.
std::vector<Arrival> arrivals(const RunTimeline& run) {
  std::vector<Arrival> list(run.collectives);
  const std::vector<std::int64_t> barriers = barrier_times(run);
  for (std::size_t w = 0; w < run.workers.size(); ++w)
    for (const BucketTransfer& transfer : run.workers[w].transfers) {
      if (transfer.collective == kNone) continue;
      Arrival& arrival = list[transfer.collective];
      arrival.cycle = transfer.cycle;
      arrival.barrier = barriers[transfer.collective];
      arrival.at.resize(run.workers.size());
      arrival.at[w] = transfer.start;
    }
  std::ranges::sort(list, {}, &Arrival::barrier);
  return list;
}

void add_progress(const RunTimeline& run, RunTotals& totals) {
  std::vector<std::int64_t> reference(run.cycles());
  for (std::size_t i = 0; i < run.cycles(); ++i) {
    reference[i] = run.workers.front().starts[i];
    for (const WorkerTimeline& worker : run.workers) reference[i] = std::min(reference[i], worker.starts[i]);
  }
  for (const Arrival& arrival : arrivals(run)) {
    for (std::size_t w = 0; w < run.workers.size(); ++w)
      totals[w][arrival.cycle].progress_s +=
          seconds(std::max<std::int64_t>(arrival.at[w] - reference[arrival.cycle], 0));
    reference[arrival.cycle] = arrival.barrier;
  }
  if (run.releases.empty()) return;
  for (std::size_t w = 0; w < run.workers.size(); ++w) {
    std::vector<std::int64_t> last = reference;
    for (const BucketTransfer& transfer : run.workers[w].transfers)
      if (transfer.answered) last[transfer.cycle] = std::max(last[transfer.cycle], transfer.start);
    for (std::size_t i = 0; i < last.size(); ++i) totals[w][i].progress_s += seconds(last[i] - reference[i]);
  }
}

}  // namespace

std::vector<std::int64_t> barrier_times(const RunTimeline& run) {
  std::vector<std::int64_t> times(run.collectives, std::numeric_limits<std::int64_t>::min());
  for (const WorkerTimeline& worker : run.workers)
    for (const BucketTransfer& transfer : worker.transfers)
      if (transfer.collective != kNone)
        times[transfer.collective] = std::max(times[transfer.collective], transfer.start);
  return times;
}

RunTotals run_totals(const RunTimeline& run) {
  const CycleTotals empty{.phase = std::vector<double>(run.phases.size(), 0)};
  RunTotals totals(run.workers.size(), std::vector<CycleTotals>(run.cycles(), empty));
  const std::vector<std::int64_t> barriers = barrier_times(run);
  for (std::size_t w = 0; w < run.workers.size(); ++w) {
    worker_totals(run.workers[w], totals[w]);
    for (const BucketTransfer& transfer : run.workers[w].transfers) {
      if (transfer.cycle == kNone) continue;
      std::int64_t from = transfer.collective == kNone ? transfer.start : barriers[transfer.collective];
      const bool pull = transfer.peer >= 0 && !transfer.answered;
      if (pull && !run.releases.empty())
        from = std::clamp(run.releases[transfer.cycle], transfer.start, transfer.end);
      totals[w][transfer.cycle].transfer_s += seconds(transfer.end - from);
    }
  }
  add_progress(run, totals);
  return totals;
}

}  // namespace sextant::spans
