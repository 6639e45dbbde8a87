#include "sextant/llm/kernel_fit.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "kernel_rows.h"
#include "sextant/stats/quantiles.h"

namespace sextant::llm {
namespace {

using Calls = std::vector<TimedCall>;

constexpr double kCovered = 0.9;
constexpr double kSeenFactor = 1.6;  // a sibling is a little further off than the rows of the fit
constexpr double kLeastSeen = 0.08;
constexpr double kStrangeVendor = 1.6;  // a vendor never timed is further off than relatives left out
constexpr double kTenfold = 2.3;        // no interval is wider than a factor of ten

std::set<std::string> device_ids(const Calls& calls) {
  std::set<std::string> ids;
  for (const TimedCall& call : calls) ids.insert(call.device->id);
  return ids;
}

Calls calls_of(const Calls& calls, const std::string& id, bool wanted) {
  Calls kept;
  std::ranges::copy_if(calls, std::back_inserter(kept),
                       [&](const TimedCall& call) { return (call.device->id == id) == wanted; });
  return kept;
}

double log_error(const KernelLaw& law, const FittedLaw& fitted, const TimedCall& call) {
  return std::abs(log_seconds(law, fitted, call.shape, *call.device) - std::log(call.seconds));
}

double covering(std::vector<double> errors, double fallback) {
  return errors.empty() ? fallback : stats::sample_quantile(errors, kCovered);
}

bool any_of_vendor(const Calls& calls, const KernelDevice& device) {
  return std::ranges::any_of(calls, [&](const TimedCall& call) {
    return kernel_vendor(call.device->family) == kernel_vendor(device.family);
  });
}

// Of an architecture that was timed, from what the law leaves over; of others, from devices left out in turn:
// the middle one of those whose vendor stays; the worst for a vendor that was never timed, and more where all
// of them were relatives.
void measure_widths(const KernelLaw& law, const Calls& calls, FittedLaw& fitted) {
  std::vector<double> seen;
  std::vector<double> unseen;  // what covers the calls of a device
  for (const TimedCall& call : calls) seen.push_back(log_error(law, fitted, call));
  fitted.width = std::max(kLeastSeen, kSeenFactor * covering(std::move(seen), fitted.width));
  double worst = fitted.width;
  bool stranger = false;
  for (const std::string& id : device_ids(calls)) {
    const Calls rest = calls_of(calls, id, false);
    if (rest.empty()) break;
    const FittedLaw without = fit_law(law, rest, {.stride = 9, .rounds = 10, .leftover = false});
    const Calls out = calls_of(calls, id, true);
    const KernelDevice& device = *out.front().device;
    if (without.departures.contains(device.architecture)) continue;
    std::vector<double> errors;
    for (const TimedCall& call : out) errors.push_back(log_error(law, without, call));
    const double covered = covering(std::move(errors), 0);
    worst = std::max(worst, covered);
    if (any_of_vendor(rest, device))
      unseen.push_back(covered);
    else
      stranger = true;
  }
  const double middle = unseen.empty() ? fitted.new_width : stats::sample_quantile(unseen, 0.5);
  fitted.new_width = std::max(fitted.width, middle);
  fitted.far_width = std::max(std::min(kTenfold, (stranger ? 1 : kStrangeVendor) * worst), fitted.new_width);
}

FittedLaw fit_with_widths(const KernelLaw& law, const Calls& calls) {
  FittedLaw fitted = fit_law(law, calls, {});
  measure_widths(law, calls, fitted);
  return fitted;
}

void judge(const KernelLaw& law, const FittedLaw& fitted, const TimedCall& call, stats::AccuracyLine& line) {
  const double predicted = log_seconds(law, fitted, call.shape, *call.device);
  const double width = kernel_width(fitted, *call.device);
  const double away = predicted - std::log(call.seconds);
  line.cases.push_back({.group = call.device->id,
                        .mode = "infer",
                        .error = std::abs(std::exp(away) - 1),
                        .covered = std::abs(away) <= width,
                        .half_width = std::sinh(width)});
}

// Products of another source, by the law that is fitted to the first one, the device left out.
stats::AccuracyLine layer_accuracy(const TimedKernels& timed, Progress& progress) {
  stats::AccuracyLine line{"LLM kernels, products of layers (Vidur)", "a whole GPU, and the source", 0.18};
  const KernelLaw& law = gemm_law(GemmFormat::bf16);
  const auto calls = timed.laws.find(law.id);
  if (calls == timed.laws.end()) return line;
  for (const std::string& id : device_ids(timed.layers)) {
    const FittedLaw fitted = fit_with_widths(law, calls_of(calls->second, id, false));
    for (const TimedCall& call : calls_of(timed.layers, id, true)) judge(law, fitted, call, line);
    progress.step(1, 1, "layers without " + id);
  }
  return line;
}

}  // namespace

KernelModel fit_kernels(const std::string& data_folder, const catalog::Catalog& catalog, Progress& progress) {
  const TimedKernels timed = read_timed_kernels(data_folder, catalog);
  KernelModel model;
  const auto laws = kernel_laws();
  std::int64_t done = 0;
  for (const KernelLaw* law : laws) {
    if (const auto calls = timed.laws.find(law->id); calls != timed.laws.end())
      model.laws[law->id] = fit_with_widths(*law, calls->second);
    progress.step(++done, static_cast<std::int64_t>(laws.size()), law->id);
  }
  return model;
}

std::vector<stats::AccuracyLine> kernel_accuracy(const std::string& data_folder,
                                                 const catalog::Catalog& catalog, Progress& progress) {
  struct LineOfLaws {
    const char* data;
    double target;
    std::vector<const KernelLaw*> laws;
  };
  const auto all = kernel_laws();
  const std::vector<LineOfLaws> wanted = {
      {"LLM kernels, matrix products", 0.18, {all.begin(), all.begin() + 4}},
      {"LLM kernels, attention of a prompt", 0.20, {&prefill_law()}},
      {"LLM kernels, attention of a new token", 0.20, {&decode_law()}},
      {"LLM kernels, mixtures of experts", 0.25, {all.begin() + 6, all.begin() + 11}},
      {"LLM kernels, collectives of a node (NCCL)", 0.15, {&collective_law()}},
      {"LLM kernels, all-reduce of inference engines", 0.15, {&engine_law()}}};
  const TimedKernels timed = read_timed_kernels(data_folder, catalog);
  std::vector<stats::AccuracyLine> lines;
  for (const LineOfLaws& one : wanted) {
    stats::AccuracyLine line{one.data, "a whole GPU", one.target};
    for (const KernelLaw* law : one.laws) {
      const auto calls = timed.laws.find(law->id);
      if (calls == timed.laws.end()) continue;
      for (const std::string& id : device_ids(calls->second)) {
        const Calls inside = calls_of(calls->second, id, false);
        if (inside.empty()) continue;
        const FittedLaw fitted = fit_with_widths(*law, inside);
        for (const TimedCall& call : calls_of(calls->second, id, true)) judge(*law, fitted, call, line);
        progress.step(1, 1, law->id + " without " + id);
      }
    }
    lines.push_back(std::move(line));
  }
  lines.push_back(layer_accuracy(timed, progress));
  return lines;
}

}  // namespace sextant::llm
