#include "run_timeline.h"

#include <algorithm>
#include <limits>
#include <set>
#include <unordered_set>

#include "thread_stretches.h"

namespace sextant::spans {
namespace {

struct IterationSpan {
  std::int64_t number = 0;
  const Span* span = nullptr;
};

// Iterations of each process that has any, by start. Without a number of their own they are counted.
std::map<std::int64_t, std::vector<IterationSpan>> iterations_of(const std::vector<const Span*>& spans) {
  std::map<std::int64_t, std::vector<IterationSpan>> found;
  for (const Span* span : spans) {
    if (!names_an_iteration(span->name) || span->end_ns <= span->start_ns) continue;
    auto& list = found[span->process];
    // Another thread's, or inside or overlapping the one before: not the loop over batches.
    if (!list.empty() &&
        (span->thread != list.front().span->thread || span->start_ns < list.back().span->end_ns))
      continue;
    const auto own = whole_attribute(*span, "iteration");
    const auto counted = std::ssize(list);
    list.push_back({own.value_or(iteration_in_name(span->name).value_or(counted)), span});
  }
  return found;
}

// Numbers that every worker has, in rising order.
std::vector<std::int64_t> common_numbers(const std::map<std::int64_t, std::vector<IterationSpan>>& found) {
  std::map<std::int64_t, std::size_t> count;
  for (const auto& [process, list] : found) {
    std::vector<std::int64_t> numbers;
    for (const IterationSpan& iteration : list) numbers.push_back(iteration.number);
    std::ranges::sort(numbers);
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
    for (const std::int64_t number : numbers) ++count[number];
  }
  std::vector<std::int64_t> common;
  for (const auto& [number, workers] : count)
    if (workers == found.size()) common.push_back(number);
  return common;
}

// Transfers of all workers that have cycle and bucket in common wait for each other: they are one collective,
// if none had ended before the last began.
void find_collectives(RunTimeline& run) {
  if (run.workers.size() < 2) return;
  struct Key {
    std::size_t cycle;
    std::int64_t bucket;
    std::size_t occurrence;
    auto operator<=>(const Key&) const = default;
  };
  std::map<Key, std::vector<BucketTransfer*>> groups;
  for (WorkerTimeline& worker : run.workers) {
    std::map<std::pair<std::size_t, std::int64_t>, std::size_t> seen;
    for (BucketTransfer& transfer : worker.transfers)
      if (transfer.peer < 0 && transfer.cycle != kNone)
        groups[{transfer.cycle, transfer.bucket, seen[{transfer.cycle, transfer.bucket}]++}].push_back(
            &transfer);
  }
  for (const auto& [key, members] : groups) {
    if (members.size() != run.workers.size()) continue;
    const auto last = std::ranges::max(members, {}, &BucketTransfer::start)->start;
    const auto first = std::ranges::min(members, {}, &BucketTransfer::end)->end;
    if (first < last) continue;
    for (BucketTransfer* member : members) member->collective = run.collectives;
    ++run.collectives;
  }
}

void find_answers(RunTimeline& run) {
  std::unordered_set<SpanId> parents;
  for (const ServerTimeline& server : run.servers)
    for (const ServerSpan& span : server.spans) parents.insert(span.parent);
  for (WorkerTimeline& worker : run.workers)
    for (BucketTransfer& transfer : worker.transfers)
      transfer.answered = transfer.peer >= 0 && transfer.cycle != kNone && parents.contains(transfer.id);
}

void find_releases(RunTimeline& run) {
  constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::min();
  std::vector<std::int64_t> releases(run.cycles(), kNever);
  for (const WorkerTimeline& worker : run.workers)
    for (const BucketTransfer& transfer : worker.transfers)
      if (transfer.answered) releases[transfer.cycle] = std::max(releases[transfer.cycle], transfer.start);
  bool pulls = false;
  for (const WorkerTimeline& worker : run.workers)
    for (const BucketTransfer& transfer : worker.transfers) {
      if (transfer.peer < 0 || transfer.answered || transfer.cycle == kNone) continue;
      pulls = true;
      if (releases[transfer.cycle] == kNever || transfer.end < releases[transfer.cycle]) return;
    }
  if (pulls && run.workers.size() > 1) run.releases = std::move(releases);
}

class TimelineBuilder {
 public:
  TimelineBuilder(const SpanSet& set, std::int64_t skip) {
    for (const Span& span : set.spans) spans_.push_back(&span);
    std::ranges::stable_sort(spans_, [](const Span* a, const Span* b) {
      if (a->process != b->process) return a->process < b->process;
      if (a->start_ns != b->start_ns) return a->start_ns < b->start_ns;
      return a->end_ns > b->end_ns;
    });
    found_ = iterations_of(spans_);
    std::set<std::int64_t> numbers;
    for (const auto& [process, list] : found_) {
      for (const IterationSpan& iteration : list) numbers.insert(iteration.number);
    }
    run_.recorded = std::ssize(numbers);
    run_.iterations = common_numbers(found_);
    const auto left = std::min(skip, std::ssize(run_.iterations));
    run_.iterations.erase(run_.iterations.begin(), run_.iterations.begin() + left);
    if (!run_.iterations.empty()) return;
    if (skip > 0) throw InputError(at_field("skip"), "no iteration is left after the warm-up");
    throw InputError({}, "there is no complete iteration",
                     "every worker needs a span named 'iteration' around each pass over a batch");
  }

  RunTimeline build() {
    for (auto begin = spans_.begin(); begin != spans_.end();) {
      const std::int64_t process = (*begin)->process;
      const auto end =
          std::find_if(begin, spans_.end(), [&](const Span* s) { return s->process != process; });
      const std::vector<const Span*> own(begin, end);
      if (found_.contains(process))
        worker(own, found_.at(process));
      else
        servers(own);
      begin = end;
    }
    find_collectives(run_);
    find_answers(run_);
    find_releases(run_);
    return std::move(run_);
  }

 private:
  void worker(const std::vector<const Span*>& spans, const std::vector<IterationSpan>& iterations) {
    WorkerTimeline worker;
    worker.process = spans.front()->process;
    worker.thread = iterations.front().span->thread;
    std::map<std::int64_t, const Span*> by_number;
    for (const IterationSpan& iteration : iterations) by_number.try_emplace(iteration.number, iteration.span);
    for (const std::int64_t number : run_.iterations) {
      worker.starts.push_back(by_number.at(number)->start_ns);
      worker.ends.push_back(by_number.at(number)->end_ns);
    }
    if (!std::ranges::is_sorted(worker.ends))
      throw InputError({}, "iterations of process " + std::to_string(worker.process) + " are out of order");
    for (const Span* span : spans) transfer(*span, worker);
    std::ranges::stable_sort(worker.transfers, [](const BucketTransfer& a, const BucketTransfer& b) {
      if (a.thread != b.thread) return a.thread < b.thread;
      if (a.start != b.start) return a.start < b.start;
      return a.end != b.end ? a.end < b.end : a.bucket < b.bucket;
    });
    worker.stretches = thread_stretches(spans, worker, run_.phases);
    keep_visible_transfers(worker);
    run_.workers.push_back(std::move(worker));
  }

  // Transfers of the training thread are what its stretches show of them.
  static void keep_visible_transfers(WorkerTimeline& worker) {
    std::vector<bool> visible(worker.transfers.size(), false);
    for (const ThreadStretch& stretch : worker.stretches) {
      if (stretch.transfer == kNone) continue;
      visible[stretch.transfer] = true;
      worker.transfers[stretch.transfer].start = stretch.start;
      worker.transfers[stretch.transfer].end = stretch.end;
    }
    for (std::size_t i = 0; i < visible.size(); ++i)
      if (worker.transfers[i].thread == worker.thread && !visible[i]) worker.transfers[i].cycle = kNone;
  }

  void transfer(const Span& span, WorkerTimeline& worker) {
    if (run_.phases.of(span.name) != PhaseTable::kCommunication) return;
    if (span.start_ns < worker.starts.front() || span.start_ns > worker.ends.back()) return;
    BucketTransfer transfer{.id = span.id, .start = span.start_ns, .end = span.end_ns, .thread = span.thread};
    transfer.ready = std::min(span.start_ns, whole_attribute(span, "ready_ns").value_or(span.start_ns));
    transfer.bucket = whole_attribute(span, "bucket").value_or(-1);
    transfer.peer = whole_attribute(span, "peer").value_or(-1);
    const auto number = whole_attribute(span, "iteration");
    const auto place = std::ranges::lower_bound(run_.iterations, number.value_or(0));
    if (number && place != run_.iterations.end() && *place == *number)
      transfer.cycle = static_cast<std::size_t>(place - run_.iterations.begin());
    else
      transfer.cycle = static_cast<std::size_t>(std::ranges::lower_bound(worker.ends, span.start_ns) -
                                                worker.ends.begin());
    worker.transfers.push_back(transfer);
  }

  // Processes without iterations. A span around others is the sum of them; only the others count.
  void servers(const std::vector<const Span*>& spans) {
    std::map<std::int64_t, ServerTimeline> threads;
    for (const Span* span : spans) {
      auto& server = threads[span->thread];
      server.process = span->process;
      server.thread = span->thread;
      while (!server.spans.empty() && server.spans.back().end > span->start_ns) server.spans.pop_back();
      server.spans.push_back({.start = span->start_ns,
                              .end = span->end_ns,
                              .phase = run_.phases.of(span->name),
                              .parent = span->parent,
                              .iteration = whole_attribute(*span, "iteration").value_or(-1)});
    }
    for (auto& [thread, server] : threads) run_.servers.push_back(std::move(server));
  }

  std::vector<const Span*> spans_;
  std::map<std::int64_t, std::vector<IterationSpan>> found_;
  RunTimeline run_;
};

}  // namespace

std::optional<std::int64_t> whole_attribute(const Span& span, std::string_view name) {
  for (const auto& [key, value] : span.attributes)
    if (key == name && std::holds_alternative<std::int64_t>(value)) return std::get<std::int64_t>(value);
  return std::nullopt;
}

RunTimeline run_timeline(const SpanSet& set, std::int64_t skip) {
  if (skip < 0) throw InputError("the warm-up has less than 0 iterations");
  return TimelineBuilder(set, skip).build();
}

}  // namespace sextant::spans
