#include "sextant/spans/profile.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>

#include "profile_events.h"
#include "profile_operators.h"
#include "profile_recording.h"
#include "robust_score.h"
#include "sextant/core/rng.h"
#include "sextant/stats/robust.h"

namespace sextant::spans {
namespace {

constexpr double kNoticeableStep = 1.1;  // times the median step

double exposed_in(const RecordedStep& step, Part part) {
  return step.exposed_s[static_cast<std::size_t>(part)];
}

template <class Value>
std::vector<double> over_steps(const RankRecording& recording, Value value) {
  std::vector<double> values;
  for (const RecordedStep& step : recording.steps) values.push_back(std::invoke(value, step));
  return values;
}

// Of the slowest rank in each step. All ranks have the same steps.
double median_step(const std::vector<RankRecording>& recordings) {
  std::map<std::int64_t, double> slowest;
  for (const RankRecording& recording : recordings)
    for (const RecordedStep& step : recording.steps)
      slowest[step.number] = std::max(slowest[step.number], step.seconds());
  std::vector<double> times;
  for (const auto& [number, seconds] : slowest) times.push_back(seconds);
  return stats::median(times);
}

std::vector<StepPart> step_parts(const std::vector<RankRecording>& recordings) {
  double time = 0;
  for (const RankRecording& recording : recordings)
    for (const RecordedStep& step : recording.steps) time += step.seconds();
  std::vector<StepPart> parts;
  for (std::size_t i = 0; i < kParts; ++i) {
    std::vector<double> busy;
    std::vector<double> alone;
    double sum = 0;
    for (const RankRecording& recording : recordings)
      for (const RecordedStep& step : recording.steps) {
        busy.push_back(step.busy_s[i]);
        alone.push_back(step.exposed_s[i]);
        sum += step.exposed_s[i];
      }
    parts.push_back({.name = part_name(static_cast<Part>(i)),
                     .seconds = stats::median(busy),
                     .exposed_s = stats::median(alone),
                     .share = sum / time});
  }
  return parts;
}

RankSteps rank_steps(const RankRecording& recording) {
  const auto median_of = [&](Part part) {
    return stats::median(
        over_steps(recording, [&](const RecordedStep& step) { return exposed_in(step, part); }));
  };
  return {.rank = recording.rank,
          .step_s = stats::median(over_steps(recording, &RecordedStep::seconds)),
          .compute_s = median_of(Part::compute),
          .exposed_communication_s = median_of(Part::communication),
          .idle_s = median_of(Part::idle)};
}

Part largest_excess(const RankRecording& recording, const RecordedStep& step) {
  Part worst = Part::idle;
  double most = 0;
  for (std::size_t i = 0; i < kParts; ++i) {
    const auto part = static_cast<Part>(i);
    const double usual = stats::median(
        over_steps(recording, [&](const RecordedStep& other) { return exposed_in(other, part); }));
    if (exposed_in(step, part) - usual <= most) continue;
    most = exposed_in(step, part) - usual;
    worst = part;
  }
  return worst;
}

void add_slow_steps(const RankRecording& recording, std::vector<SlowStep>& slow) {
  const std::vector<double> times = over_steps(recording, &RecordedStep::seconds);
  const RobustScale usual = robust_scale(times);
  for (const RecordedStep& step : recording.steps) {
    const double seconds = step.seconds();
    if (usual.score(seconds) <= kOutlierScore || seconds <= kNoticeableStep * usual.center) continue;
    slow.push_back({.step = step.number,
                    .rank = recording.rank,
                    .part = part_name(largest_excess(recording, step)),
                    .seconds = seconds,
                    .usual_s = usual.center,
                    .robust_z = usual.score(seconds)});
  }
}

std::vector<std::string> warnings_of(const std::vector<RankRecording>& recordings) {
  std::vector<std::string> warnings;
  if (!std::ranges::all_of(recordings, &RankRecording::marked)) {
    warnings.emplace_back(
        "the recording marks no steps, so all of it counts as one step: call step() of the profiler after "
        "each "
        "batch");
  }
  return warnings;
}

}  // namespace

bool is_profile(const SpanSet& set) {
  return std::ranges::any_of(set.spans, [](const Span& span) { return !category(span).empty(); });
}

SpanSet join_ranks(std::vector<RankFile> files) {
  SpanSet all;
  for (RankFile& file : files) {
    const SourcePos at{.file = file.name};
    if (!is_profile(file.set)) {
      throw InputError(at, "this is no recording of PyTorch's profiler",
                       "several files are those of several ranks; give other spans one file at a time");
    }
    if (all.spans.empty()) all.trace = file.set.trace;
    for (const auto& [rank, name] : file.set.processes) {
      if (all.processes.emplace(rank, name).second) continue;
      throw InputError(at, "the file holds rank " + std::to_string(rank) + ", and so does a file before it",
                       "files that do not say their rank may say it in their name, as in trace.rank3.json");
    }
    all.threads.merge(file.set.threads);
    // Ids of files without were drawn alike.
    const auto rank = static_cast<std::uint64_t>(file.set.spans.front().process);
    const SpanId mark = Rng(0).stream("rank ids", rank).bits();
    for (Span& span : file.set.spans) {
      span.id ^= mark;
      if (span.parent != 0) span.parent ^= mark;
      for (SpanId& link : span.links) link ^= mark;
    }
    all.spans.insert(all.spans.end(), std::make_move_iterator(file.set.spans.begin()),
                     std::make_move_iterator(file.set.spans.end()));
  }
  sort_spans(all);
  return all;
}

ProfileAnalysis analyze_profile(const SpanSet& set, std::int64_t skip) {
  if (set.spans.empty()) throw InputError({}, "the recording holds no work");
  std::vector<RankRecording> recordings = rank_recordings(set);
  const bool lasts = std::ranges::all_of(
      recordings, [](const RankRecording& recording) { return recording.steps.front().seconds() > 0; });
  if (!lasts) throw InputError({}, "the recording of a rank has no length");
  ProfileAnalysis analysis;
  analysis.warnings = warnings_of(recordings);
  keep_common_steps(recordings, skip);
  analysis.steps = std::ssize(recordings.front().steps);
  analysis.ranks = std::ssize(recordings);
  analysis.gpu = recordings.front().gpu;
  analysis.step_s = median_step(recordings);
  analysis.parts = step_parts(recordings);
  for (const RankRecording& recording : recordings) {
    analysis.by_rank.push_back(rank_steps(recording));
    add_slow_steps(recording, analysis.slow);
  }
  analysis.operators = top_operators(recordings);
  if (analysis.gpu) analysis.kernels = top_kernels(recordings);
  return analysis;
}

}  // namespace sextant::spans
