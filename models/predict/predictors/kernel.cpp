// The kernel model, calibrated for a software stack. Timings of the target device (Setup::measured)
// anchor it there. Page: docs/models/kernel.md.
#include <cmath>

#include "calibration_cache.h"
#include "kernel_time.h"
#include "sextant/predict/batch_line.h"
#include "sextant/predict/stack.h"

namespace sextant::predict::predictor_kernel {
namespace {

// Half the width, in logarithms, that a step wholly of operators which no timed network had gets on top.
constexpr double kUnlikeHalfWidth = 0.7;
constexpr double kNotable = 0.01;  // share of the work

class KernelPredictor final : public Predictor {
 public:
  explicit KernelPredictor(const Setup& setup) {
    if (!setup.model.empty()) given_ = stack_from_json(setup.model, at_field("model").str());
    if (setup.measured.empty()) return;
    if (setup.catalog != nullptr) {
      anchor_all(setup.measured, *setup.catalog);
    } else {
      anchor_all(setup.measured, catalog::builtin_catalog());
    }
  }

  [[nodiscard]] Prediction predict(const Query& q) const override {
    Prediction p;
    if (const auto* device = calibration_of(q.gpu)) {
      p = predict_calibrated(*device, q);
    } else {
      p = predict_by_stack(stack_of(q.job), q);
    }
    if (!fully_counted(q)) p.interval.high.reset();
    return p;
  }

  [[nodiscard]] std::vector<OpTime> op_times(const Query& q) const override {
    if (const auto* device = calibration_of(q.gpu)) return device_step(*device, q.graph, q.cost, q.job).nodes;
    const Stack& stack = stack_of(q.job);
    Observation question;
    question.device = device_for(q.gpu, q.job.precision, stack.traits);
    question.instance = q.gpu.id;
    const Anchored* anchored = anchor_of(stack, q.gpu.id);
    const auto* departure = anchored == nullptr ? nullptr : &anchored->anchor.departure;
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

 private:
  struct Anchored {
    Anchor anchor;
    BatchLines lines;
  };

  [[nodiscard]] Prediction predict_by_stack(const Stack& stack, const Query& q) const {
    const Observation question = observe(q, stack.traits);
    const Anchored* anchored = anchor_of(stack, q.gpu.id);
    const StackEstimate e =
        anchored == nullptr ? estimate(stack, question) : estimate(stack, anchored->anchor, question);
    Prediction p;
    p.memory = memory_need(q.graph, q.cost, q.job);
    p.fits = p.memory.total() <= q.gpu.memory;
    p.extrapolating = outside(stack.range, question, e.step);
    p.warnings = warnings(q.graph);
    p.model = "kernel/" + stack.id;
    double log_total = e.log_total;
    if (anchored != nullptr) log_total = anchored->lines.adjust(question, log_total);
    fill_times(p, e, std::exp(log_total));
    const double unlike = unlike_share(q);
    p.extrapolating = p.extrapolating || unlike > 0;
    set_interval(p, half_width_of(stack, e, anchored, p.extrapolating) + kUnlikeHalfWidth * unlike);
    if (unlike > kNotable) {
      p.warnings.push_back(std::to_string(std::lround(100 * unlike)) + " %" +
                           " of the work is in operators that no stack was fitted on (recurrent layers, "
                           "transposed convolutions, windows over sequences or volumes)");
    }
    if (anchored != nullptr) explain_anchor(p, stack, e, *anchored);
    return p;
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
    return given_ ? *given_ : find_stack(job.stack, job.mode, at_field("stack"));
  }

  static Observation observe(const Query& q, const StackTraits& traits) {
    Observation o;
    o.kernels = std::make_shared<const KernelList>(lower_for(q.graph, q.job, traits));
    o.device = device_for(q.gpu, q.job.precision, traits);
    o.device.pressure = memory_pressure(memory_need(q.graph, q.cost, q.job).total() / q.gpu.memory);
    o.labels = labels_of(q.job, q.graph, q.gpu);
    o.instance = q.gpu.id;
    return o;
  }

  void anchor_all(const std::vector<Measurement>& measured, const catalog::Catalog& catalog) {
    std::map<std::pair<std::string, std::string>, std::vector<Measurement>> groups;
    for (const auto& m : measured) {
      groups[{stack_of(m.job).id, catalog.gpus.get(m.gpu).id}].push_back(m);
    }
    for (const auto& [key, timed] : groups) {
      const Stack& stack = stack_of(timed.front().job);
      const std::vector<Observation> rows = predict::observe(timed, catalog, stack.traits);
      std::vector<const Observation*> pointers;
      for (const auto& row : rows) pointers.push_back(&row);
      Anchored& anchored = anchors_[key];
      anchored.anchor = anchor(stack, pointers);
      for (const auto& row : rows) {
        anchored.lines.add(row, estimate(stack, anchored.anchor, row).log_total);
      }
    }
  }

  [[nodiscard]] const Anchored* anchor_of(const Stack& stack, const std::string& gpu) const {
    const auto it = anchors_.find({stack.id, gpu});
    return it == anchors_.end() ? nullptr : &it->second;
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

  static double half_width_of(const Stack& stack, const StackEstimate& e, const Anchored* anchored,
                              bool outside) {
    // Timings of a device that the stack knows do not make it less known.
    if (anchored == nullptr || anchored->anchor.known_gpu) return half_width(stack, e, outside);
    const double width = anchored_spread(stack.spread, anchored->anchor.timings, e.known_net);
    return outside ? kOutsideFactor * width : width;
  }

  static void set_interval(Prediction& p, double half) {
    p.interval = {.low = p.iteration * std::exp(-half), .high = p.iteration * std::exp(half)};
  }

  static void explain_anchor(Prediction& p, const Stack& stack, const StackEstimate& e, const Anchored& a) {
    p.model += " anchored on " + std::to_string(a.anchor.timings) + " timings";
    if (a.anchor.known_gpu) return;
    const auto more = timings_to_halve(stack.spread, a.anchor.timings, e.known_net);
    p.warnings.push_back(more
                             ? std::to_string(*more) + " more timings on this device would halve the interval"
                             : "more timings on this device cannot halve the interval: what is left is the "
                               "network's own uncertainty");
  }

  std::optional<Stack> given_;
  CalibrationCache calibrations_;
  std::map<std::pair<std::string, std::string>, Anchored> anchors_;  // by stack and GPU
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
