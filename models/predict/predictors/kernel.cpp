// The kernel model, calibrated for a software stack. Timings (Setup::measured) anchor it on their devices,
// and move other devices as far as they tell of the software. Page: docs/models/kernel.md.
#include <cmath>

#include "batch_knots.h"
#include "calibration_cache.h"
#include "kernel_parts.h"
#include "kernel_time.h"
#include "outside_reasons.h"
#include "sextant/core/unit_text.h"
#include "stack_timings.h"
#include "step_bound.h"
#include "timing_doubts.h"

namespace sextant::predict::predictor_kernel {
namespace {

// Half the width, in logarithms, that a step wholly of operators which no timed network had gets on top.
constexpr double kUnlikeHalfWidth = 0.7;
constexpr double kNotable = 0.01;  // share of the work

class KernelPredictor final : public Predictor {
 public:
  explicit KernelPredictor(const Setup& setup) {
    if (!setup.model.empty()) given_ = stack_from_json(setup.model, setup.model_file);
    if (setup.measured.empty()) return;
    std::vector<std::string> notes;
    if (setup.catalog != nullptr) {
      take(setup.measured, *setup.catalog, notes);
    } else {
      take(setup.measured, catalog::builtin_catalog(), notes);
    }
    if (setup.notes != nullptr) std::ranges::move(notes, std::back_inserter(*setup.notes));
  }

  [[nodiscard]] Prediction predict(const Query& q) const override {
    Prediction p;
    if (const auto* device = calibration_of(q.gpu)) {
      p = predict_calibrated(*device, q);
    } else {
      p = predict_by_stack(stack_of(q.job), q);
    }
    if (!fully_counted(q)) p.interval = from_below(p.iteration);
    return p;
  }

  [[nodiscard]] std::vector<OpTime> op_times(const Query& q) const override {
    if (const auto* device = calibration_of(q.gpu)) return device_step(*device, q.graph, q.cost, q.job).nodes;
    const Stack& stack = stack_of(q.job);
    Observation question;
    question.device = device_for(q.gpu, q.job.precision, stack.traits);
    question.instance = q.gpu.id;
    const auto* timed = timings_of(stack).device(q.gpu.id);
    const auto* departure = timed == nullptr ? nullptr : &timed->anchor.departure;
    const KernelTimer timer(question.device, coefficients_of(stack, question, departure));
    const auto sum = [&](const std::vector<Kernel>& kernels) {
      double seconds = 0;
      for (const Kernel& k : kernels) {
        if (k.kind == KernelKind::accumulate && !stack.traits.accumulates_gradients) continue;
        seconds += timer.seconds(k) * k.launches;
      }
      return Seconds{seconds};
    };
    std::vector<OpTime> times;
    for (const NodeKernels& node : lower_nodes(q.graph, q.job)) {
      times.push_back({sum(node.forward), sum(node.backward), sum(node.update)});
    }
    return times;
  }

  [[nodiscard]] StepParts parts(const Query& q) const override {
    if (calibration_of(q.gpu) != nullptr) return share_out(predict(q), op_times(q));
    const Stack& stack = stack_of(q.job);
    const Observation question = observation_of(q, stack.traits);
    const auto* timed = timings_of(stack).device(q.gpu.id);
    const auto* departure = timed == nullptr ? nullptr : &timed->anchor.departure;
    const Coefficients coefficients = coefficients_of(stack, question, departure);
    StepParts parts = modelled_parts(q, stack.traits, question, coefficients);
    if (timed != nullptr) {
      stretch(parts, predict(q).iteration.value / estimate(stack, timed->anchor, question).step.total);
      return parts;
    }
    const Evidence evidence = timings_of(stack).empty() ? Evidence::none : Evidence::carried;
    const double modelled = step_time(*question.kernels, question.device, coefficients).total;
    stretch(parts, std::max(std::exp(log_effect(stack, q, question)),
                            bound_of(q, stack, evidence).value / modelled));
    return parts;
  }

  [[nodiscard]] bool runs_on(const jobs::Job& job, const catalog::Gpu& gpu) const override {
    if (calibration_of(gpu) != nullptr) return true;
    const Stack& stack = stack_of(job);
    const std::set<std::string>& known = stack.traits.runs_on;
    return known.empty() || gpu.architecture.empty() || known.contains(gpu.architecture) ||
           stack.departures.contains(gpu.id);
  }

 private:
  // What was learnt of the network, and of the software elsewhere, for a device that was not timed.
  [[nodiscard]] double log_effect(const Stack& stack, const Query& q, const Observation& question) const {
    const double carried = timings_of(stack).factor().on(q.gpu.architecture, question.labels.net).log_factor;
    const auto& knots = knots_.of(stack, nullptr, q, question.labels);
    if (!knots.empty()) return carried + steady_log_effect(knots, question.labels.samples);
    const StackEstimate e = estimate(stack, question);
    return carried + e.log_total - std::log(e.step.total);
  }

  [[nodiscard]] Prediction predict_by_stack(const Stack& stack, const Query& q) const {
    const Observation question = observation_of(q, stack.traits);
    const StackTimings& timings = timings_of(stack);
    const auto* timed = timings.device(q.gpu.id);
    const Anchor* anchored = timed == nullptr ? nullptr : &timed->anchor;
    StackEstimate e = anchored == nullptr ? estimate(stack, question) : estimate(stack, *anchored, question);
    const auto& knots = knots_.of(stack, anchored, q, question.labels);
    if (!knots.empty()) e.log_total = lawful_log_total(knots, std::log(e.step.total));
    Prediction p;
    p.memory = memory_need(q.graph, q.cost, q.job);
    p.fits = fits_memory(p.memory, q.gpu);
    // The width for new networks was measured on networks like those that stayed in the fit.
    p.outside = outside_reasons(stack, question, e);
    p.extrapolating = !p.outside.empty();
    p.warnings = warnings(q.graph);
    p.model = "kernel/" + stack.id;
    const double unlike = unlike_share(q);
    if (unlike > 0) {
      p.extrapolating = true;
      p.outside.emplace_back("it has operators that no stack was fitted on");
    }
    if (const auto known = timings.cases().find(question, q.job.optimizer)) {
      answer_timed(p, e, *known);
    } else if (timed != nullptr) {
      fill_times(p, e, std::exp(timed->lines.adjust(question, e.log_total)));
      answer_anchored(p, stack, e, *anchored);
    } else {
      answer_carried(p, {stack, e, timings, q.gpu.architecture, question.labels.net});
    }
    if (p.evidence != Evidence::timed) widen(p, kUnlikeHalfWidth * unlike);
    if (unlike > kNotable) {
      p.warnings.push_back(std::to_string(std::lround(100 * unlike)) + " %" +
                           " of the work is in operators that no stack was fitted on (recurrent layers, "
                           "transposed convolutions, windows over sequences or volumes)");
    }
    raise_to_bound(p, stack, q);
    note_format(p, stack, q);
    return p;
  }

  // No answer is below what the device needs at least, unless the case was timed. Timings of software that
  // beats the bound in the fastest format there is are believed: it moves less than is counted.
  static Seconds bound_of(const Query& q, const Stack& stack, Evidence evidence) {
    const bool believed = faster_formats(q.gpu, q.job.precision, stack.traits).empty();
    return evidence != Evidence::none && believed ? Seconds{} : least_step(q, stack.traits);
  }

  static void raise_to_bound(Prediction& p, const Stack& stack, const Query& q) {
    Seconds least = bound_of(q, stack, p.evidence);
    if (p.evidence == Evidence::timed) least = std::min(least, p.iteration);
    p.interval.low = std::max(p.interval.low, least);
    if (p.iteration >= least) return;
    p.warnings.push_back("a step on " + q.gpu.id + " is put at " + human(least) +
                         ", the least that its peak " + "rates allow in " + to_string(q.job.precision) +
                         "; the model says " + human(p.iteration));
    const double stretch = least / p.iteration;
    p.iteration = least;
    p.breakdown = {
        stretch * p.breakdown.compute, {}, stretch * p.breakdown.input, stretch * p.breakdown.overhead};
    p.interval.high = std::max(*p.interval.high, least);
  }

  static bool convolves(const nets::Graph& graph) {
    return std::ranges::any_of(graph.nodes, [](const nets::Node& node) {
      return std::holds_alternative<nets::Conv>(node.op) ||
             std::holds_alternative<nets::ConvTranspose>(node.op);
    });
  }

  // Who compares GPUs has to know which of their units work.
  static void note_format(Prediction& p, const Stack& stack, const Query& q) {
    if (run_precision(q.gpu, q.job.precision, stack.traits) != q.job.precision) {
      p.notes.push_back("with " + stack.id + ", fp32 runs as tf32 on GPUs that can");
    } else if (conv_precision(q.gpu, q.job.precision, stack.traits) != q.job.precision &&
               convolves(q.graph)) {
      p.notes.push_back(
          "with " + stack.id +
          ", convolutions in fp32 run as tf32 on GPUs that can, and products of matrices do not: "
          "this is what PyTorch does unless it is told otherwise");
    } else if (q.job.precision == Precision::fp32 && q.gpu.tf32) {
      p.notes.emplace_back(
          "the times are for fp32, which leaves tensor cores idle; `precision` tf32 or fp16 is faster where "
          "the software uses it");
    } else if (q.job.precision == Precision::fp32 && q.gpu.tensor_fp16) {
      p.notes.emplace_back(
          "in fp32, GPUs before Ampere leave their tensor cores idle; `precision` fp16 is faster where the "
          "software uses it");
    }
  }

  // Share of the operations in layers that none of the timed networks had.
  static double unlike_share(const Query& q) {
    double unlike = 0;
    for (std::size_t i = 0; i < q.graph.nodes.size(); ++i) {
      const nets::Node& node = q.graph.nodes[i];
      const bool flat = std::holds_alternative<nets::Conv>(node.op) && node.output.size() != 4;
      if (flat || std::holds_alternative<nets::Recurrent>(node.op) ||
          std::holds_alternative<nets::ConvTranspose>(node.op)) {
        unlike += q.cost.ops[i].forward.value;
      }
    }
    return unlike / std::max(q.cost.total.forward.value, 1.0);
  }

  // A device that was calibrated as a whole needs no stack.
  [[nodiscard]] const CalibratedDevice* calibration_of(const catalog::Gpu& gpu) const {
    return gpu.calibration.empty() || given_ ? nullptr : &calibrations_.of(gpu);
  }

  [[nodiscard]] const Stack& stack_of(const jobs::Job& job) const {
    return given_ ? *given_ : find_stack(job, at_field("stack"));
  }

  void take(const std::vector<Measurement>& measured, const catalog::Catalog& catalog,
            std::vector<std::string>& notes) {
    std::map<std::string, std::vector<Measurement>> by_stack;
    std::set<std::string> calibrated;
    for (const auto& m : measured) {
      if (calibration_of(catalog.gpus.get(m.gpu)) != nullptr) {
        calibrated.insert(m.gpu);
      } else {
        by_stack[stack_of(m.job).id].push_back(m);
      }
    }
    for (const std::string& gpu : calibrated) {
      notes.push_back("timings on " + gpu + " are not used: it was calibrated as a whole");
    }
    for (const auto& [id, timed] : by_stack) {
      const Stack& stack = stack_of(timed.front().job);
      const std::vector<Measurement> credible = credible_timings(timed, catalog, stack, notes);
      if (credible.empty()) {
        notes.emplace_back("none of the timings is used, so the answer is as without them");
        continue;
      }
      const auto& timings = timings_.emplace(id, StackTimings(stack, credible, catalog)).first->second;
      std::ranges::copy(timings.doubts(), std::back_inserter(notes));
    }
  }

  [[nodiscard]] const StackTimings& timings_of(const Stack& stack) const {
    static const StackTimings none;
    const auto found = timings_.find(stack.id);
    return found == timings_.end() ? none : found->second;
  }

  // The effects stretch every part of the step alike.
  static void fill_times(Prediction& p, const StackEstimate& e, double total) {
    const double stretch = total / e.step.total;
    const double both = e.step.total - e.step.input;
    p.iteration = Seconds{total};
    p.breakdown.compute = Seconds{stretch * std::min(e.step.device, both)};
    p.breakdown.input = Seconds{stretch * e.step.input};
    p.breakdown.overhead = p.iteration - p.breakdown.compute - p.breakdown.input;
  }

  static void set_interval(Prediction& p, double half) {
    p.interval = {.low = p.iteration * std::exp(-half), .high = p.iteration * std::exp(half)};
  }

  // By this much of the logarithm, either way.
  static void widen(Prediction& p, double half) {
    p.interval.low = p.interval.low * std::exp(-half);
    p.interval.high = *p.interval.high * std::exp(half);
  }

  static void answer_timed(Prediction& p, const StackEstimate& e, const TimedCases::Answer& known) {
    fill_times(p, e, std::exp(known.log_seconds));
    set_interval(p, known.half_width);
    p.extrapolating = false;  // it was seen
    p.outside.clear();
    p.evidence = Evidence::timed;
    p.model += ", timed " + std::to_string(known.timings) + (known.timings == 1 ? " time" : " times");
  }

  // Of the times that are filled in: the interval and what it stands on.
  static void answer_anchored(Prediction& p, const Stack& stack, const StackEstimate& e,
                              const Anchor& anchor) {
    // Timings of a device that the stack knows do not make it less known.
    double width = anchor.known_gpu ? half_width(stack, e, false)
                                    : anchored_spread(stack.spread, anchor.timings, e.known_net);
    if (p.extrapolating) width *= kOutsideFactor;
    if (e.stranger) width = std::max(width, kStrangerWidth);
    set_interval(p, width);
    p.evidence = Evidence::device;
    p.model += " anchored on " + std::to_string(anchor.timings) + " timings";
    if (anchor.known_gpu) return;
    const auto more = timings_to_halve(stack.spread, anchor.timings, e.known_net);
    p.warnings.push_back(more
                             ? std::to_string(*more) + " more timings on this device would halve the interval"
                             : "more timings on this device will not help much: the rest of the uncertainty "
                               "comes from this network");
  }

  struct Asked {
    const Stack& stack;
    const StackEstimate& e;
    const StackTimings& timings;
    const std::string& architecture;
    const std::string& net;
  };
  static void answer_carried(Prediction& p, const Asked& asked) {
    const auto& [stack, e, timings, architecture, net] = asked;
    const CarriedShift shift = timings.factor().on(architecture, net);
    fill_times(p, e, std::exp(e.log_total + shift.log_factor));
    if (timings.empty()) {
      const double width = half_width(stack, e, p.extrapolating);
      return set_interval(p, e.known_family ? width : std::max(width, kOtherFamilyWidth));
    }
    set_interval(p, carried_half_width(stack, e, shift));
    p.evidence = Evidence::carried;
    p.model += ", software corrected by " + timings.summary();
  }

  std::optional<Stack> given_;
  CalibrationCache calibrations_;
  BatchKnots knots_;
  std::map<std::string, StackTimings> timings_;  // by stack
};

}  // namespace

std::vector<PredictorInfo> plugin() {
  return {{{.id = "kernel",
            .summary = "sum over kernels, each bounded by arithmetic and traffic, calibrated for a stack",
            .reference = "docs/models/kernel.md; forms after Paleo (2017), Habitat (2021), NeuSight (2025)"},
           {},
           [](const Setup& setup) -> std::unique_ptr<Predictor> {
             return std::make_unique<KernelPredictor>(setup);
           }}};
}

}  // namespace sextant::predict::predictor_kernel
