#include "profile_operators.h"

#include <algorithm>
#include <map>
#include <unordered_map>

#include "profile_events.h"
#include "run_timeline.h"

namespace sextant::spans {
namespace {

constexpr std::size_t kMostListed = 15;

using OperatorTotals = std::map<std::string, OperatorTotal, std::less<>>;

double span_seconds(const Span& span) {
  return static_cast<double>(span.end_ns - span.start_ns) * 1e-9;
}

OperatorTotal& total_of(OperatorTotals& totals, const std::string& name) {
  OperatorTotal& total = totals[name];
  total.name = name;
  return total;
}

// Time of each operator without the operators that it called, which lie in it on the same thread.
void add_cpu_times(const RankRecording& recording, OperatorTotals& totals) {
  struct Open {
    std::int64_t end;
    OperatorTotal* total;  // none: not in a step
  };
  std::map<std::int64_t, std::vector<Open>> threads;
  for (const Span& span : recording.spans) {
    if (category(span) != "cpu_op") continue;
    auto& open = threads[span.thread];
    while (!open.empty() && open.back().end <= span.start_ns) open.pop_back();
    OperatorTotal* total = nullptr;
    if (step_at(recording, span.start_ns) != nullptr) {
      total = &total_of(totals, span.name);
      total->calls += 1;
      total->cpu_s += span_seconds(span);
    }
    if (!open.empty() && open.back().total != nullptr) {
      const std::int64_t inside = std::min(span.end_ns, open.back().end) - span.start_ns;
      open.back().total->cpu_s -= static_cast<double>(inside) * 1e-9;
    }
    open.push_back({span.end_ns, total});
  }
}

// Kernels know the operator that launched them by its external id, or else the call to the driver that did.
class Launchers {
 public:
  explicit Launchers(std::span<const Span> spans) {
    for (const Span& span : spans) {
      const auto external = whole_attribute(span, kExternalId);
      const auto correlation = whole_attribute(span, kCorrelation);
      const std::string_view kind = category(span);
      if (kind == "cpu_op" && external) operators_.try_emplace(*external, &span.name);
      if (kind.ends_with("_runtime") || kind.ends_with("_driver")) {
        if (external && correlation) calls_.try_emplace(*correlation, *external);
      }
    }
  }

  [[nodiscard]] const std::string* of(const Span& kernel) const {
    auto external = whole_attribute(kernel, kExternalId);
    if (!external) {
      const auto call = calls_.find(whole_attribute(kernel, kCorrelation).value_or(-1));
      if (call != calls_.end()) external = call->second;
    }
    const auto found = external ? operators_.find(*external) : operators_.end();
    return found == operators_.end() ? nullptr : found->second;
  }

 private:
  std::unordered_map<std::int64_t, const std::string*> operators_;
  std::unordered_map<std::int64_t, std::int64_t> calls_;
};

void add_device_times(const RankRecording& recording, OperatorTotals& totals) {
  const Launchers launchers(recording.spans);
  for (const Span& span : recording.spans) {
    if (!is_device_category(category(span)) || step_at(recording, span.start_ns) == nullptr) continue;
    if (const std::string* name = launchers.of(span)) total_of(totals, *name).device_s += span_seconds(span);
  }
}

std::vector<OperatorTotal> most_of(OperatorTotals&& totals, const std::vector<RankRecording>& recordings) {
  const bool gpu = recordings.front().gpu;
  double steps = 0;
  double time = 0;
  for (const RankRecording& recording : recordings)
    for (const RecordedStep& step : recording.steps) {
      steps += 1;
      time += step.seconds();
    }
  std::vector<OperatorTotal> all;
  for (auto& [name, total] : totals) {
    total.share = std::max(gpu ? total.device_s : total.cpu_s, 0.0) / time;
    total.calls /= steps;
    total.cpu_s = std::max(total.cpu_s, 0.0) / steps;
    total.device_s /= steps;
    all.push_back(std::move(total));
  }
  std::ranges::stable_sort(all, [gpu](const OperatorTotal& a, const OperatorTotal& b) {
    return gpu && a.device_s != b.device_s ? a.device_s > b.device_s : a.cpu_s > b.cpu_s;
  });
  if (all.size() > kMostListed) all.resize(kMostListed);
  return all;
}

}  // namespace

std::vector<OperatorTotal> top_operators(const std::vector<RankRecording>& recordings) {
  OperatorTotals totals;
  for (const RankRecording& recording : recordings) {
    add_cpu_times(recording, totals);
    if (recording.gpu) add_device_times(recording, totals);
  }
  return most_of(std::move(totals), recordings);
}

std::vector<OperatorTotal> top_kernels(const std::vector<RankRecording>& recordings) {
  OperatorTotals totals;
  for (const RankRecording& recording : recordings)
    for (const Span& span : recording.spans) {
      if (!is_device_category(category(span)) || step_at(recording, span.start_ns) == nullptr) continue;
      OperatorTotal& total = total_of(totals, span.name);
      total.calls += 1;
      total.device_s += span_seconds(span);
    }
  return most_of(std::move(totals), recordings);
}

}  // namespace sextant::spans
