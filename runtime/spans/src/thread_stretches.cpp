#include "thread_stretches.h"

#include <algorithm>
#include <map>

namespace sextant::spans {
namespace {

class StretchSweep {
 public:
  StretchSweep(const WorkerTimeline& worker, PhaseTable& phases)
      : worker_(worker), phases_(phases), at_(worker.starts.front()) {
    for (std::size_t i = 0; i < worker.transfers.size(); ++i) {
      if (worker.transfers[i].thread == worker.thread) by_start_.emplace(worker.transfers[i].start, i);
    }
  }

  void open(const Span& span) {
    if (span.thread != worker_.thread || names_an_iteration(span.name) || encloses_iterations(span)) return;
    close_until(span.start_ns);
    // A transfer is one piece of work, whatever was recorded inside it.
    if (!open_.empty() && open_.back().stretch.transfer != kNone) return;
    OpenSpan opened{.end = span.end_ns, .stretch = {}};
    opened.stretch.phase = phases_.of(span.name);
    opened.stretch.idle = names_a_wait(span.name);
    if (opened.stretch.phase == PhaseTable::kCommunication) {
      const auto found = by_start_.find(span.start_ns);
      if (found != by_start_.end()) {
        opened.stretch.transfer = found->second;
        by_start_.erase(found);
      }
    }
    if (opened.stretch.idle) opened.stretch.phase = PhaseTable::kOther;
    // Spans of one thread that overlap without one lying in the other: the later is cut.
    if (!open_.empty()) opened.end = std::min(opened.end, open_.back().end);
    emit(span.start_ns);
    open_.push_back(opened);
  }

  std::vector<ThreadStretch> finish() {
    close_until(worker_.ends.back());
    emit(worker_.ends.back());
    return std::move(stretches_);
  }

 private:
  struct OpenSpan {
    std::int64_t end = 0;
    ThreadStretch stretch;
  };

  [[nodiscard]] bool encloses_iterations(const Span& span) const {
    const auto next = std::ranges::lower_bound(worker_.starts, span.start_ns) - worker_.starts.begin();
    return next < std::ssize(worker_.starts) && worker_.ends[static_cast<std::size_t>(next)] <= span.end_ns;
  }

  void close_until(std::int64_t time) {
    while (!open_.empty() && open_.back().end <= time) {
      emit(open_.back().end);
      open_.pop_back();
    }
  }

  // What is open now, up to `time`.
  void emit(std::int64_t time) {
    time = std::min(time, worker_.ends.back());
    if (time <= at_) return;
    ThreadStretch stretch;
    stretch.idle = true;
    if (!open_.empty()) stretch = open_.back().stretch;
    stretch.start = at_;
    stretch.end = time;
    stretches_.push_back(stretch);
    at_ = time;
  }

  const WorkerTimeline& worker_;
  PhaseTable& phases_;
  std::int64_t at_;
  std::multimap<std::int64_t, std::size_t> by_start_;
  std::vector<OpenSpan> open_;
  std::vector<ThreadStretch> stretches_;
};

std::vector<std::int64_t> cuts(const WorkerTimeline& worker) {
  std::vector<std::int64_t> cuts = worker.starts;
  cuts.insert(cuts.end(), worker.ends.begin(), worker.ends.end());
  for (const BucketTransfer& transfer : worker.transfers)
    if (transfer.thread != worker.thread) cuts.push_back(transfer.ready);
  std::ranges::sort(cuts);
  return cuts;
}

}  // namespace

std::vector<ThreadStretch> thread_stretches(const std::vector<const Span*>& spans,
                                            const WorkerTimeline& worker, PhaseTable& phases) {
  StretchSweep sweep(worker, phases);
  for (const Span* span : spans) sweep.open(*span);
  std::vector<ThreadStretch> whole = sweep.finish();
  std::vector<ThreadStretch> stretches;
  const std::vector<std::int64_t> places = cuts(worker);
  auto cut = places.begin();
  for (ThreadStretch stretch : whole) {
    for (; cut != places.end() && *cut < stretch.end; ++cut) {
      if (*cut <= stretch.start || stretch.transfer != kNone) continue;
      ThreadStretch first = stretch;
      first.end = *cut;
      stretches.push_back(first);
      stretch.start = *cut;
    }
    stretches.push_back(stretch);
  }
  return stretches;
}

}  // namespace sextant::spans
