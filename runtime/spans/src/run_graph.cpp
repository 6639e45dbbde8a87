#include "run_graph.h"

#include <algorithm>
#include <map>
#include <unordered_map>

#include "sextant/stats/robust.h"

namespace sextant::spans {
namespace {

// A task and the measured instant at which it ended.
struct Ended {
  TaskIndex task = kNone;
  std::int64_t at = 0;
};

// Builds worker by worker; what crosses workers meets in `barriers_` and in the maps of transfers.
// An edge is made only from what ended, as measured, before the other began: so all go forward in time.
class GraphBuilder {
 public:
  explicit GraphBuilder(const RunTimeline& run) : run_(run) {
    origin_ = run.workers.front().starts.front();
    for (const WorkerTimeline& worker : run.workers) origin_ = std::min(origin_, worker.starts.front());
    barriers_.resize(run.collectives);
    collect_barriers();
  }

  RunGraph build() {
    for (std::size_t i = 0; i < run_.workers.size(); ++i) make_transfers(i);
    serve();
    for (std::size_t i = 0; i < run_.workers.size(); ++i) train(i);
    if (!result_.graph.arrange()) throw InputError("spans contradict each other: they wait in a circle");
    return std::move(result_);
  }

 private:
  struct TransferTasks {
    TaskIndex arrival = kNone;
    TaskIndex end = kNone;
  };

  TaskIndex add(const RunTask& task) {
    result_.tasks.push_back(task);
    return result_.graph.add();
  }
  void after(const Ended& first, TaskIndex second, std::int64_t begins) {
    if (first.task != kNone && first.at <= begins) result_.graph.after(first.task, second);
  }
  static double seconds(std::int64_t from, std::int64_t to) {
    return static_cast<double>(std::max<std::int64_t>(to - from, 0)) * 1e-9;
  }

  void collect_barriers() {
    for (const WorkerTimeline& worker : run_.workers)
      for (const BucketTransfer& transfer : worker.transfers)
        if (transfer.collective != kNone) {
          auto& barrier = barriers_[transfer.collective];
          barrier.at = barrier.task == kNone ? transfer.start : std::max(barrier.at, transfer.start);
          barrier.task = 0;
        }
    for (auto& barrier : barriers_) barrier.task = add({.path = false});
  }

  // Arrival and end of every transfer; what they wait for comes later.
  void make_transfers(std::size_t index) {
    const WorkerTimeline& worker = run_.workers[index];
    auto& tasks = transfers_.emplace_back(worker.transfers.size());
    for (std::size_t i = 0; i < worker.transfers.size(); ++i) {
      const BucketTransfer& transfer = worker.transfers[i];
      if (transfer.cycle == kNone) continue;
      RunTask task{.process = worker.process, .worker = index, .cycle = transfer.cycle};
      tasks[i].arrival = add(task);
      task.phase = PhaseTable::kCommunication;
      task.seconds = seconds(transfer.start, transfer.end);
      if (transfer.collective != kNone) {
        const Ended& barrier = barriers_[transfer.collective];
        task.seconds = seconds(barrier.at, transfer.end);
        tasks[i].end = add(task);
        result_.graph.after(tasks[i].arrival, barrier.task);
        result_.graph.after(barrier.task, tasks[i].end);
      } else {
        tasks[i].end = add(task);
        result_.graph.after(tasks[i].arrival, tasks[i].end);
      }
      if (transfer.answered) by_id_.emplace(transfer.id, std::pair{index, i});
    }
  }

  // Servers whose spans answer transfers. A message takes from the start of the transfer, or the end of the
  // server's work before it, to the start of the answer. A transfer ends some time after the work that it
  // asked for; where it asked for none and only took, after the server's last work before its end: anybody's
  // where servers wait for all, else that for its own worker.
  void serve() {
    std::map<std::pair<std::int64_t, std::size_t>, std::vector<Ended>> ends;  // by process and worker
    for (const ServerTimeline& server : run_.servers) {
      const bool answers = std::ranges::any_of(
          server.spans, [&](const ServerSpan& span) { return by_id_.contains(span.parent); });
      if (!answers) continue;
      Ended before;
      for (const ServerSpan& span : server.spans) {
        before = serve_one(server, span, before);
        const auto asked = by_id_.find(span.parent);
        const bool own = run_.releases.empty() && asked != by_id_.end();
        ends[{server.process, own ? asked->second.first : kNone}].push_back(before);
      }
    }
    for (auto& [who, list] : ends) std::ranges::stable_sort(list, {}, &Ended::at);
    for (std::size_t w = 0; w < run_.workers.size(); ++w)
      for (std::size_t i = 0; i < run_.workers[w].transfers.size(); ++i) {
        const BucketTransfer& transfer = run_.workers[w].transfers[i];
        if (transfer.peer < 0 || transfer.answered || transfer.cycle == kNone) continue;
        const auto& list = ends[{transfer.peer, run_.releases.empty() ? w : kNone}];
        const auto behind = std::ranges::upper_bound(list, transfer.end, {}, &Ended::at);
        if (behind != list.begin()) reply(transfer, transfers_[w][i].end, *(behind - 1));
      }
  }

  Ended serve_one(const ServerTimeline& server, const ServerSpan& span, const Ended& before) {
    RunTask task{.process = server.process};
    const auto found = by_id_.find(span.parent);
    std::int64_t from = before.task == kNone ? origin_ : before.at;
    const TaskIndex message = add(task);
    const TaskIndex work = add(task);
    if (found != by_id_.end()) {
      const auto& [worker, index] = found->second;
      const BucketTransfer& transfer = run_.workers[worker].transfers[index];
      after({transfers_[worker][index].arrival, transfer.start}, message, span.start);
      if (transfer.start <= span.start) from = std::max(from, transfer.start);
      result_.tasks[message].phase = PhaseTable::kCommunication;
      result_.tasks[message].cycle = transfer.cycle;
      result_.tasks[work].cycle = transfer.cycle;
      if (span.end <= transfer.end) reply(transfer, transfers_[worker][index].end, {work, span.end});
    }
    after(before, message, span.start);
    result_.tasks[message].seconds = seconds(from, span.start);
    result_.tasks[work].phase = span.phase;
    result_.tasks[work].seconds = seconds(span.start, span.end);
    result_.graph.after(message, work);
    return {work, span.end};
  }

  // The transfer ends after this work of the server.
  void reply(const BucketTransfer& transfer, TaskIndex end, const Ended& work) {
    if (work.at < transfer.start) return;
    result_.graph.after(work.task, end);
    result_.tasks[end].seconds = std::min(result_.tasks[end].seconds, seconds(work.at, transfer.end));
  }

  void train(std::size_t index) {
    WorkerPass pass{index, run_.workers[index], {}, {}};
    pass.at = {add({.process = pass.worker.process,
                    .worker = index,
                    .seconds = seconds(origin_, pass.worker.starts.front()),
                    .path = false}),
               pass.worker.starts.front()};
    auto& before = result_.before.emplace_back();
    auto& last = result_.last.emplace_back();
    before.push_back(pass.at.task);
    bool optimizing = false;
    for (const ThreadStretch& stretch : pass.worker.stretches) {
      const bool optimizer = stretch.phase == PhaseTable::kOptimizer;
      if (stretch.transfer != kNone)
        own_transfer(pass, stretch, last.size());
      else if (stretch.idle || (optimizer && !optimizing))
        wait(pass, stretch, last.size());
      else
        work(pass, stretch, last.size());
      optimizing = optimizer;
      while (last.size() < pass.worker.ends.size() && pass.worker.ends[last.size()] <= stretch.end)
        last.push_back(pass.at.task);
      while (before.size() < pass.worker.starts.size() && pass.worker.starts[before.size()] <= stretch.end)
        before.push_back(pass.at.task);
    }
    launch(pass);
  }

  struct WorkerPass {
    std::size_t index;
    const WorkerTimeline& worker;
    Ended at;                     // of the training thread
    std::vector<Ended> finished;  // of the training thread, in order of time
  };

  void step(WorkerPass& pass, TaskIndex task, std::int64_t end) {
    pass.at = {task, end};
    pass.finished.push_back(pass.at);
  }

  void work(WorkerPass& pass, const ThreadStretch& stretch, std::size_t cycle) {
    const TaskIndex task = add({.process = pass.worker.process,
                                .worker = pass.index,
                                .cycle = cycle,
                                .phase = stretch.phase,
                                .seconds = seconds(stretch.start, stretch.end)});
    after(pass.at, task, stretch.start);
    step(pass, task, stretch.end);
  }

  // Joins what other threads had finished when the stretch ended (idle) or began (an update); the rest of an
  // idle stretch is the time that it took to notice.
  void wait(WorkerPass& pass, const ThreadStretch& stretch, std::size_t cycle) {
    const std::int64_t until = stretch.idle ? stretch.end : stretch.start;
    const TaskIndex task =
        add({.process = pass.worker.process, .worker = pass.index, .cycle = cycle, .phase = stretch.phase});
    after(pass.at, task, until);
    std::int64_t from = pass.at.at;
    const auto& transfers = pass.worker.transfers;
    for (auto thread = transfers.begin(); thread != transfers.end();) {
      const auto end =
          std::ranges::upper_bound(thread, transfers.end(), thread->thread, {}, &BucketTransfer::thread);
      const auto behind = std::upper_bound(
          thread, end, until, [](std::int64_t time, const BucketTransfer& t) { return time < t.end; });
      if (thread->thread != pass.worker.thread && behind != thread && (behind - 1)->end <= until) {
        const auto& joined = *(behind - 1);
        after({transfers_[pass.index][static_cast<std::size_t>(behind - 1 - transfers.begin())].end,
               joined.end},
              task, until);
        from = std::max(from, joined.end);
      }
      thread = end;
    }
    result_.tasks[task].seconds =
        stretch.idle ? seconds(from, stretch.end) : seconds(stretch.start, stretch.end);
    step(pass, task, stretch.end);
  }

  void own_transfer(WorkerPass& pass, const ThreadStretch& stretch, std::size_t cycle) {
    const TransferTasks& tasks = transfers_[pass.index][stretch.transfer];
    after(pass.at, tasks.arrival, stretch.start);
    result_.tasks[tasks.end].cycle = cycle;
    step(pass, tasks.end, stretch.end);
  }

  // Transfers of other threads wait for the one before them and for what was handed to them.
  void launch(const WorkerPass& pass) {
    const auto& transfers = pass.worker.transfers;
    const BucketTransfer* previous = nullptr;
    TaskIndex previous_end = kNone;
    for (std::size_t i = 0; i < transfers.size(); ++i) {
      const BucketTransfer& transfer = transfers[i];
      if (transfer.thread == pass.worker.thread) continue;
      const TaskIndex arrival = transfers_[pass.index][i].arrival;
      std::int64_t from = pass.worker.starts.front();
      const auto handed = std::ranges::upper_bound(pass.finished, transfer.ready, {}, &Ended::at);
      if (handed != pass.finished.begin()) {
        after(*(handed - 1), arrival, transfer.start);
        from = std::max(from, (handed - 1)->at);
      } else {
        result_.graph.after(result_.before[pass.index].front(), arrival);
      }
      if (previous != nullptr && previous->thread == transfer.thread && previous->end <= transfer.start) {
        after({previous_end, previous->end}, arrival, transfer.start);
        from = std::max(from, previous->end);
      }
      result_.tasks[arrival].seconds = seconds(from, transfer.start);
      previous = &transfer;
      previous_end = transfers_[pass.index][i].end;
    }
  }

  const RunTimeline& run_;
  std::int64_t origin_ = 0;
  RunGraph result_;
  std::vector<Ended> barriers_;                                            // when the last rank arrived
  std::vector<std::vector<TransferTasks>> transfers_;                      // [worker][transfer]
  std::unordered_map<SpanId, std::pair<std::size_t, std::size_t>> by_id_;  // (worker, transfer) with a peer
};

}  // namespace

std::vector<double> RunGraph::durations() const {
  std::vector<double> durations;
  durations.reserve(tasks.size());
  for (const RunTask& task : tasks) durations.push_back(task.seconds);
  return durations;
}

double RunGraph::iteration_s(const std::vector<double>& finish) const {
  std::vector<double> times(last.front().size(), 0);
  for (std::size_t worker = 0; worker < last.size(); ++worker)
    for (std::size_t i = 0; i < times.size(); ++i)
      times[i] = std::max(times[i], finish[last[worker][i]] - finish[before[worker][i]]);
  return stats::median(times);
}

RunGraph run_graph(const RunTimeline& run) {
  return GraphBuilder(run).build();
}

}  // namespace sextant::spans
