#include "profile_recording.h"

#include <algorithm>
#include <map>
#include <set>

#include "profile_events.h"
#include "span_phases.h"

namespace sextant::spans {
namespace {

using PartStretches = std::array<std::vector<TimeStretch>, kParts>;

std::vector<RecordedStep> marked_steps(std::span<const Span> spans) {
  std::vector<RecordedStep> steps;
  for (const Span& span : spans) {
    if (!names_an_iteration(span.name) || span.end_ns <= span.start_ns) continue;
    if (category(span) == "gpu_user_annotation") continue;  // the same again, on the device's track
    if (!steps.empty() && span.start_ns < steps.back().time.end) continue;
    const std::int64_t counted = std::ssize(steps);
    steps.push_back(
        {.number = iteration_in_name(span.name).value_or(counted), .time = {span.start_ns, span.end_ns}});
  }
  return steps;
}

RecordedStep whole_recording(std::span<const Span> spans) {
  TimeStretch time{spans.front().start_ns, spans.front().end_ns};
  for (const Span& span : spans) time.end = std::max(time.end, span.end_ns);
  return {.number = 0, .time = time};
}

// The loader's work is no compute, though operators do it.
class LoaderTimes {
 public:
  explicit LoaderTimes(std::span<const Span> spans) {
    for (const Span& span : spans)
      if (names_a_loader(span.name)) threads_[span.thread].push_back({span.start_ns, span.end_ns});
    for (auto& [thread, stretches] : threads_) stretches = merged(std::move(stretches));
  }
  [[nodiscard]] bool holds(const Span& span) const {
    const auto thread = threads_.find(span.thread);
    if (thread == threads_.end()) return false;
    const auto next = std::ranges::upper_bound(thread->second, span.start_ns, {}, &TimeStretch::start);
    return next != thread->second.begin() && span.end_ns <= std::prev(next)->end;
  }

 private:
  std::map<std::int64_t, std::vector<TimeStretch>> threads_;
};

Part part_of(const Span& span, std::string_view kind, bool gpu, const LoaderTimes& loaders) {
  if (names_a_loader(span.name)) return Part::input;
  if (names_a_collective_call(span.name)) return Part::communication;
  if (gpu) {
    if (!is_device_category(kind)) return Part::idle;
    if (is_copy_category(kind)) return Part::copies;
    return names_a_collective_kernel(span.name) ? Part::communication : Part::compute;
  }
  return kind == "cpu_op" && !loaders.holds(span) ? Part::compute : Part::idle;
}

PartStretches busy_parts(const RankRecording& recording) {
  const LoaderTimes loaders(recording.spans);
  PartStretches parts;
  for (const Span& span : recording.spans) {
    const std::string_view kind = category(span);
    if (kind == "gpu_user_annotation" || kind == "python_function") continue;
    const Part part = part_of(span, kind, recording.gpu, loaders);
    if (part != Part::idle) parts[static_cast<std::size_t>(part)].push_back({span.start_ns, span.end_ns});
  }
  for (auto& stretches : parts) stretches = merged(std::move(stretches));
  return parts;
}

// What of each part no part before it covers.
PartStretches exposed_parts(const PartStretches& busy) {
  PartStretches exposed;
  std::vector<TimeStretch> covered;
  for (std::size_t part = 0; part + 1 < kParts; ++part) {
    exposed[part] = without(busy[part], covered);
    covered.insert(covered.end(), busy[part].begin(), busy[part].end());
    covered = merged(std::move(covered));
  }
  return exposed;
}

void divide_steps(RankRecording& recording) {
  const PartStretches busy = busy_parts(recording);
  const PartStretches exposed = exposed_parts(busy);
  std::array<std::size_t, kParts> next_busy = {};
  std::array<std::size_t, kParts> next_exposed = {};
  constexpr auto kIdle = static_cast<std::size_t>(Part::idle);
  for (RecordedStep& step : recording.steps) {
    double idle = step.seconds();
    for (std::size_t part = 0; part < kIdle; ++part) {
      step.busy_s[part] = static_cast<double>(overlap(busy[part], next_busy[part], step.time)) * 1e-9;
      step.exposed_s[part] =
          static_cast<double>(overlap(exposed[part], next_exposed[part], step.time)) * 1e-9;
      idle -= step.exposed_s[part];
    }
    step.busy_s[kIdle] = step.exposed_s[kIdle] = std::max(idle, 0.0);
  }
}

}  // namespace

const std::string& part_name(Part part) {
  static const std::array<std::string, kParts> names = {"compute", "communication", "copies", "input",
                                                        "idle"};
  return names[static_cast<std::size_t>(part)];
}

std::vector<RankRecording> rank_recordings(const SpanSet& set) {
  std::vector<RankRecording> recordings;
  bool gpu = false;
  for (auto begin = set.spans.begin(); begin != set.spans.end();) {
    const auto end = std::find_if(begin, set.spans.end(),
                                  [&](const Span& span) { return span.process != begin->process; });
    RankRecording recording{.rank = begin->process, .spans = {begin, end}, .steps = {}};
    recording.steps = marked_steps(recording.spans);
    recording.marked = !recording.steps.empty();
    if (!recording.marked) recording.steps = {whole_recording(recording.spans)};
    gpu = gpu || std::ranges::any_of(recording.spans,
                                     [](const Span& span) { return is_device_category(category(span)); });
    recordings.push_back(std::move(recording));
    begin = end;
  }
  for (RankRecording& recording : recordings) recording.gpu = gpu;
  return recordings;
}

void keep_common_steps(std::vector<RankRecording>& recordings, std::int64_t skip) {
  std::map<std::int64_t, std::size_t> ranks;
  for (const RankRecording& recording : recordings) {
    std::set<std::int64_t> numbers;
    for (const RecordedStep& step : recording.steps) numbers.insert(step.number);
    for (const std::int64_t number : numbers) ++ranks[number];
  }
  std::erase_if(ranks, [&](const auto& step) { return step.second < recordings.size(); });
  if (ranks.empty()) throw InputError({}, "the ranks have no step in common");
  if (skip >= std::ssize(ranks)) {
    throw InputError(at_field("skip"),
                     "there are " + std::to_string(ranks.size()) + " steps, and all would be left out");
  }
  ranks.erase(ranks.begin(), std::next(ranks.begin(), std::max<std::int64_t>(skip, 0)));
  for (RankRecording& recording : recordings) {
    std::erase_if(recording.steps, [&](const RecordedStep& step) { return !ranks.contains(step.number); });
    divide_steps(recording);
  }
}

const RecordedStep* step_at(const RankRecording& recording, std::int64_t time) {
  const auto next = std::ranges::upper_bound(recording.steps, time, {},
                                             [](const RecordedStep& step) { return step.time.start; });
  if (next == recording.steps.begin() || time >= std::prev(next)->time.end) return nullptr;
  return &*std::prev(next);
}

}  // namespace sextant::spans
