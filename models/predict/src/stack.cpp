#include "sextant/predict/stack.h"

#include <algorithm>
#include <cmath>

#include "sextant/core/text.h"

namespace sextant::predict {
namespace {

// A question that does not say which software runs means what the device was measured with.
const Software& software_of(const Stack& stack, const Observation& question) {
  if (!question.software.framework.empty() || !question.software.library.empty()) return question.software;
  const auto known = stack.software.find(question.instance);
  return known == stack.software.end() ? question.software : known->second;
}

StackEstimate with(const Stack& stack, const Observation& question, const Coefficients* departure,
                   const Effects& effects) {
  StackEstimate e;
  const Coefficients c = coefficients_for(stack.shared, software_of(stack, question), departure);
  e.step = step_time(*question.kernels, question.device, c);
  e.log_total = std::log(e.step.total) + effects.of(question.labels);
  e.known_gpu = departure != nullptr;
  e.known_net = effects.knows_net(question.labels.net);
  e.known_family = effects.knows_family(question.labels);
  e.stranger = !e.known_family && !shipped_stacks_know_family(question.labels);
  return e;
}

// The version that most rows ran on; of equally many, the first by name.
Software usual_software(const std::vector<const Observation*>& rows) {
  std::map<std::pair<std::string, std::string>, int> counts;
  for (const Observation* row : rows) ++counts[{row->software.framework, row->software.library}];
  const auto most = std::ranges::max_element(counts, {}, [](const auto& entry) { return entry.second; });
  return {most->first.first, most->first.second};
}

// Kinds that take less than this share of a step may be unknown to the fit.
constexpr double kMinorShare = 0.2;
constexpr double kRangeMargin = 2;

}  // namespace

StackEstimate estimate(const Stack& stack, const Observation& question) {
  const auto known = stack.departures.find(question.instance);
  if (known == stack.departures.end()) {
    StackEstimate e = with(stack, question, nullptr, stack.shared_effects);
    e.log_total += (stack.spread.carry - 1) * stack.shared_effects.of(question.labels);
    return e;
  }
  StackEstimate e = with(stack, question, &known->second, stack.effects);
  if (const auto few = stack.few_timings.find(question.instance); few != stack.few_timings.end())
    e.few_timings = few->second;
  return e;
}

Coefficients coefficients_of(const Stack& stack, const Observation& question, const Coefficients* departure) {
  const auto known = stack.departures.find(question.instance);
  if (departure == nullptr && known != stack.departures.end()) departure = &known->second;
  return coefficients_for(stack.shared, software_of(stack, question), departure);
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
    const Coefficients c = coefficients_for(stack.shared, row->software, nullptr);
    around_shared.push_back(std::log(row->seconds / step_time(*row->kernels, row->device, c).total));
  }
  stack.shared_effects = fit_effects(labels, around_shared);
  for (const auto& [instance, members] : instances) {
    stack.departures[instance] = fit_departure(members, stack.shared, options.fit.profile_weight);
    stack.software[instance] = usual_software(members);
    if (members.size() <= kAnchorRows) stack.few_timings[instance] = members.size();
  }
  std::vector<double> around_departures;
  for (const Observation* row : rows) {
    const Coefficients c = coefficients_for(stack.shared, row->software, &stack.departures[row->instance]);
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
    range.most_samples = std::max(range.most_samples, row->labels.samples);
    range.slowest = first ? row->device.matrix_rate : std::min(range.slowest, row->device.matrix_rate);
    range.fastest = std::max(range.fastest, row->device.matrix_rate);
    range.modes.insert(row->labels.mode);
    range.precisions.insert(row->labels.precision);
  }
  return range;
}

RangeMiss miss_of(const FittedRange& range, const Observation& question, const StepTime& step) {
  double flop = 0;
  double unknown = 0;
  for (const Kernel& k : question.kernels->kernels) flop += k.flop * k.launches;
  for (std::size_t i = 0; i < kKernelKinds; ++i) {
    if (!range.kinds.contains(static_cast<KernelKind>(i))) unknown += step.by_kind[i];
  }
  const double rate = question.device.matrix_rate;
  return {
      .less_work = flop * kRangeMargin<range.least_flop, .more_work = flop> kRangeMargin * range.most_flop,
      .larger_batch = question.labels.samples > range.most_samples,
      .slower_device = rate * kRangeMargin<range.slowest / kRangeMargin, .faster_device = rate> kRangeMargin *
                       (range.fastest * kRangeMargin),
      .unknown_kernels = unknown > kMinorShare * step.total,
      .full_memory = question.device.pressure > 0,
      .mode = !range.modes.contains(question.labels.mode),
      .precision = !range.precisions.contains(question.labels.precision)};
}

bool outside(const FittedRange& range, const Observation& question, const StepTime& step) {
  return miss_of(range, question, step) != RangeMiss{};
}

double half_width(const Stack& stack, const StackEstimate& e, bool outside) {
  const Spread& s = stack.spread;
  // A device that a few published figures vouch for is known as well as one of which somebody timed so many.
  const std::size_t timings = e.known_gpu ? e.few_timings.value_or(0) : 0;
  const bool settled = e.known_gpu && !e.few_timings;
  const double own = e.known_net ? s.seen : s.new_net;
  const double width = settled ? own : anchored_spread(s, timings, e.known_net);
  // Where most devices are known by a few figures alone, the others say little of a new one.
  const bool thin =
      !e.known_gpu && 2 * stack.few_timings.size() >= stack.departures.size() && !stack.few_timings.empty();
  const double wide = outside || thin ? kOutsideFactor * width : width;
  return e.stranger ? std::max(wide, kStrangerWidth) : wide;
}

Anchor anchor(const Stack& stack, std::span<const Observation* const> timed) {
  Anchor a;
  a.timings = timed.size();
  // Around what is known of the device, or around the shared model.
  SharedFit around = stack.shared;
  const auto known = stack.departures.find(timed.front()->instance);
  a.known_gpu = known != stack.departures.end();
  if (a.known_gpu) around.coefficients = coefficients_for(stack.shared, {}, &known->second);
  const Effects networks = a.known_gpu ? stack.effects : stack.shared_effects.scaled(stack.spread.carry);
  // What is known of the networks is taken out first; the rest is the device's.
  std::vector<Observation> freed;
  freed.reserve(timed.size());
  for (const Observation* row : timed) {
    freed.push_back(*row);
    freed.back().profile = {};
    freed.back().software = software_of(stack, *row);
    freed.back().seconds /= std::exp(networks.of(row->labels));
  }
  std::vector<const Observation*> rows;
  for (const auto& row : freed) rows.push_back(&row);
  a.departure = fit_departure(rows, around, 0);
  std::vector<CaseLabels> labels;
  std::vector<double> left_over;
  for (std::size_t i = 0; i < freed.size(); ++i) {
    const Coefficients c = coefficients_for(around, freed[i].software, &a.departure);
    labels.push_back(freed[i].labels);
    left_over.push_back(std::log(timed[i]->seconds / step_time(*freed[i].kernels, freed[i].device, c).total));
  }
  if (a.known_gpu) {
    for (std::size_t i = 0; i < a.departure.size(); ++i) a.departure[i] += known->second[i];
  }
  a.effects = refine_effects(networks, labels, left_over);
  return a;
}

}  // namespace sextant::predict
