#include "sextant/predict/calibrated_device.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "sextant/core/text.h"

namespace sextant::predict {
namespace {

// Squared length scales: there the correction has faded to a tenth.
constexpr double kFar = 14;
constexpr double kOutsideShare = 0.2;  // of the time, from operators unlike any that was timed
constexpr double kWiderOutside = 1.5;
constexpr double kUntimedHalfWidth = 1.1;  // in logarithms: a factor of 3 for a step of such operators alone

struct Sums {
  double forward = 0;
  double backward = 0;
  double forward_calls = 0;
  double backward_calls = 0;
  double outside = 0;
  double untimed = 0;
};

// Networks repeat their blocks: equal calls are computed once.
class CallTimes {
 public:
  explicit CallTimes(const CalibratedDevice& device) : device_(device) {}

  struct Time {
    double seconds = 0;
    bool outside = false;
    bool timed = true;
  };
  const Time& of(const OperatorCall& call) {
    const auto [it, added] = known_.try_emplace({call.kind, call.direction, call.coordinates});
    if (added) it->second = compute(call);
    return it->second;
  }

 private:
  // What lies beyond the timed calls is not beyond the machine: a fit that saw little arithmetic of a kind,
  // and took its time for traffic, would have large calls run at any rate.
  [[nodiscard]] Time compute(const OperatorCall& call) const {
    Time time = modelled(call);
    if (device_.fastest > 0) time.seconds = std::max(time.seconds, call.flop / device_.fastest);
    return time;
  }

  [[nodiscard]] Time modelled(const OperatorCall& call) const {
    const auto it = device_.operators.find({call.kind, call.direction});
    // A file of another version may know other coordinates.
    if (it == device_.operators.end() || it->second.points.columns() != call.coordinates.size()) {
      return {.seconds = device_.other.seconds(call.flop, call.bytes), .outside = true, .timed = false};
    }
    return {.seconds = it->second.seconds(call), .outside = it->second.distance(call) > kFar};
  }

  const CalibratedDevice& device_;
  std::map<std::tuple<std::string, Direction, std::vector<double>>, Time> known_;
};

double part(const PartLine& line, double sum, double calls, double parameters) {
  return line.scale * sum + line.s_per_call * calls + line.s_per_parameter * parameters + line.fixed_s;
}

void note_untimed(DeviceStep& step, const std::string& kind) {
  if (std::ranges::find(step.untimed, kind) == step.untimed.end()) step.untimed.push_back(kind);
}

Sums add_calls(const CalibratedDevice& device, std::span<const OperatorCall> calls, DeviceStep& step) {
  CallTimes times(device);
  Sums sums;
  for (const OperatorCall& call : calls) {
    const CallTimes::Time& time = times.of(call);
    const bool forward = call.direction == Direction::forward;
    (forward ? sums.forward : sums.backward) += time.seconds;
    (forward ? sums.forward_calls : sums.backward_calls) += 1;
    (forward ? step.nodes[call.node].forward : step.nodes[call.node].backward) += Seconds{time.seconds};
    if (time.outside) sums.outside += time.seconds;
    if (time.timed) continue;
    sums.untimed += time.seconds;
    note_untimed(step, call.kind);
  }
  return sums;
}

void share_update(DeviceStep& step, const nets::GraphCost& cost) {
  if (cost.total.parameters == 0) return;
  for (std::size_t i = 0; i < step.nodes.size(); ++i) {
    const auto share =
        static_cast<double>(cost.ops[i].parameters) / static_cast<double>(cost.total.parameters);
    step.nodes[i].update = Seconds{step.optimizer_s * share};
  }
}

// A sequence is many small calls, one after another, whose overhead no other operator shows: the sum bounds
// the step from below only.
bool has_untimed_recurrence(const DeviceStep& step) {
  return std::ranges::any_of(
      step.untimed, [](const std::string& kind) { return kind == "lstm" || kind == "gru" || kind == "rnn"; });
}

}  // namespace

DeviceStep device_step(const CalibratedDevice& device, const nets::Graph& graph, const nets::GraphCost& cost,
                       const jobs::Job& job) {
  DeviceStep step;
  step.nodes.resize(graph.nodes.size());
  const auto parameters = static_cast<double>(cost.total.parameters);
  const Sums sums = add_calls(device, operator_calls(graph, cost, job.mode), step);
  step.forward_s = part(device.forward, sums.forward, sums.forward_calls, 0);
  step.rest_s = device.rest.s_per_value * input_values(graph) + device.rest.fixed_s;
  step.overhead_s = step.rest_s + device.forward.fixed_s + device.forward.s_per_call * sums.forward_calls;
  if (job.mode == jobs::Mode::train) {
    step.backward_s = part(device.backward, sums.backward, sums.backward_calls, parameters);
    step.overhead_s += device.backward.fixed_s + device.backward.s_per_call * sums.backward_calls;
    if (job.optimizer != jobs::Optimizer::none) {
      step.optimizer_s = device.update.seconds(update_call(cost, job.optimizer));
    }
    share_update(step, cost);
  }
  step.outside_share = sums.outside / std::max(sums.forward + sums.backward, 1e-12);
  step.untimed_share = sums.untimed / std::max(sums.forward + sums.backward, 1e-12);
  return step;
}

Prediction predict_calibrated(const CalibratedDevice& device, const Query& q) {
  const DeviceStep step = device_step(device, q.graph, q.cost, q.job);
  Prediction p;
  p.iteration = Seconds{step.total_s()};
  p.breakdown.overhead = Seconds{step.overhead_s};
  p.breakdown.compute = p.iteration - p.breakdown.overhead;
  p.memory = memory_need(q.graph, q.cost, q.job);
  p.fits = fits_memory(p.memory, q.gpu);
  p.extrapolating = step.outside_share > kOutsideShare || q.job.precision != Precision::fp32 ||
                    q.job.mode != jobs::Mode::train ||
                    static_cast<double>(q.graph.batch()) > device.most_samples;
  const double half =
      device.half_width * (p.extrapolating ? kWiderOutside : 1) + kUntimedHalfWidth * step.untimed_share;
  p.interval = {.low = p.iteration * std::exp(-half), .high = p.iteration * std::exp(half)};
  if (has_untimed_recurrence(step)) p.interval = from_below(p.iteration);
  p.model = "calibrated";
  p.warnings = warnings(q.graph);
  if (!step.untimed.empty()) {
    p.warnings.push_back("the calibration timed no " + join(step.untimed, ", ") +
                         ": their work and traffic at the rates of the others stand in");
  }
  if (q.job.precision != Precision::fp32) {
    p.warnings.emplace_back("the device was calibrated in fp32: the answer is that of fp32");
  }
  return p;
}

}  // namespace sextant::predict
