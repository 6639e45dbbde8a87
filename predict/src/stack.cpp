#include "sextant/predict/stack.h"

#include <algorithm>
#include <cmath>

#include "sextant/core/text.h"

namespace sextant {
namespace {

StackEstimate with(const Stack& stack, const Observation& question, const Coefficients* departure,
                   const Effects& effects) {
  StackEstimate e;
  const Coefficients c = coefficients_for(stack.shared, question.variant, departure);
  e.step = step_time(*question.kernels, question.device, c);
  e.log_total = std::log(e.step.total) + effects.of(question.labels);
  e.known_gpu = departure != nullptr;
  e.known_net = effects.knows_net(question.labels.net);
  return e;
}

// Kinds that take less than this share of a step may be unknown to the fit.
constexpr double kMinorShare = 0.2;
constexpr double kRangeMargin = 2;

}  // namespace

StackEstimate estimate(const Stack& stack, const Observation& question) {
  const auto known = stack.departures.find(question.instance);
  if (known == stack.departures.end()) return with(stack, question, nullptr, stack.shared_effects);
  return with(stack, question, &known->second, stack.effects);
}

StackEstimate estimate(const Stack& stack, const Anchor& anchor, const Observation& question) {
  return with(stack, question, &anchor.departure, anchor.effects);
}

Stack fit_stack(const std::string& id, std::span<const Observation* const> rows, const StackTraits& traits,
                const StackFitOptions& options) {
  Stack stack{.id = id,
              .traits = traits,
              .shared = fit_shared(rows, options.fit),
              .effects = {},
              .shared_effects = {},
              .spread = {},
              .range = range_of(rows),
              .rows = rows.size()};
  std::map<std::string, std::vector<const Observation*>> instances;
  std::vector<CaseLabels> labels;
  std::vector<double> around_shared;
  for (const Observation* row : rows) {
    instances[row->instance].push_back(row);
    labels.push_back(row->labels);
    const Coefficients c = coefficients_for(stack.shared, row->variant, nullptr);
    around_shared.push_back(std::log(row->seconds / step_time(*row->kernels, row->device, c).total));
  }
  stack.shared_effects = fit_effects(labels, around_shared);
  for (const auto& [instance, members] : instances) {
    stack.departures[instance] = fit_departure(members, stack.shared, options.fit.profile_weight);
  }
  std::vector<double> around_departures;
  for (const Observation* row : rows) {
    const Coefficients c = coefficients_for(stack.shared, row->variant, &stack.departures[row->instance]);
    around_departures.push_back(std::log(row->seconds / step_time(*row->kernels, row->device, c).total));
  }
  stack.effects = fit_effects(labels, around_departures);
  return stack;
}

FittedRange range_of(std::span<const Observation* const> rows) {
  FittedRange range;
  for (const Observation* row : rows) {
    double flop = 0;
    for (const Kernel& k : row->kernels->kernels) {
      flop += k.flop * k.launches;
      range.kinds.insert(k.kind);
    }
    const bool first = range.most_flop == 0;
    range.least_flop = first ? flop : std::min(range.least_flop, flop);
    range.most_flop = std::max(range.most_flop, flop);
    range.slowest = first ? row->device.matrix_rate : std::min(range.slowest, row->device.matrix_rate);
    range.fastest = std::max(range.fastest, row->device.matrix_rate);
    range.modes.insert(row->labels.mode);
    range.precisions.insert(row->labels.precision);
  }
  return range;
}

bool outside(const FittedRange& range, const Observation& question, const StepTime& step) {
  double flop = 0;
  double unknown = 0;
  for (const Kernel& k : question.kernels->kernels) flop += k.flop * k.launches;
  for (std::size_t i = 0; i < kKernelKinds; ++i) {
    if (!range.kinds.contains(static_cast<KernelKind>(i))) unknown += step.by_kind[i];
  }
  const auto beyond = [](double value, double low, double high) {
    return value * kRangeMargin < low || value > kRangeMargin * high;
  };
  return beyond(flop, range.least_flop, range.most_flop) ||
         beyond(question.device.matrix_rate, range.slowest, range.fastest) ||
         unknown > kMinorShare * step.total || question.device.pressure > 0 ||
         !range.modes.contains(question.labels.mode) || !range.precisions.contains(question.labels.precision);
}

Anchor anchor(const Stack& stack, std::span<const Observation* const> timed) {
  // What is known of the networks is taken out first; the rest is the device's.
  const Effects& known = stack.shared_effects;
  std::vector<Observation> freed;
  freed.reserve(timed.size());
  for (const Observation* row : timed) {
    freed.push_back(*row);
    freed.back().profile = {};
    freed.back().seconds /= std::exp(known.of(row->labels));
  }
  std::vector<const Observation*> rows;
  for (const auto& row : freed) rows.push_back(&row);
  Anchor a;
  a.timings = timed.size();
  a.departure = fit_departure(rows, stack.shared, 0);
  std::vector<CaseLabels> labels;
  std::vector<double> left_over;
  for (const Observation* row : timed) {
    const Coefficients c = coefficients_for(stack.shared, row->variant, &a.departure);
    labels.push_back(row->labels);
    left_over.push_back(std::log(row->seconds / step_time(*row->kernels, row->device, c).total));
  }
  a.effects = refine_effects(known, labels, left_over);
  return a;
}

}  // namespace sextant
