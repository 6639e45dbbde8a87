// A device whose operators take known times, so that a calibration has a right answer.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "sextant/nets/random_network.h"
#include "sextant/predict/calibrated_device.h"

namespace sextant::predict::test {

// 5 us for a call, 100 GFLOP/s, 10 GB/s; convolutions take longer where channels do not come in eights.
inline double known_seconds(const OperatorCall& call, const nets::Node& node) {
  const auto* conv = std::get_if<nets::Conv>(&node.op);
  const double slow = conv != nullptr && conv->out_channels % 8 != 0 ? 1.5 : 1;
  return 5e-6 + slow * call.flop / 1e11 + call.bytes / 1e10;
}

// A step is the sum of its operators and a tenth, 2 ns for a parameter, and 0.1 ms.
inline TimedNetwork timed_network(const std::string& net, std::int64_t batch) {
  TimedNetwork t{.name = net, .graph = build(nets::find_network(net), {.batch = batch})};
  const nets::GraphCost counted = cost(t.graph);
  t.forward_s.assign(t.graph.nodes.size(), 0);
  t.backward_s.assign(t.graph.nodes.size(), 0);
  TimedStep step;
  for (const OperatorCall& call : operator_calls(t.graph, counted, jobs::Mode::train)) {
    const bool forward = call.direction == Direction::forward;
    const double seconds = known_seconds(call, t.graph.nodes[call.node]);
    (forward ? t.forward_s : t.backward_s)[call.node] = seconds;
    (forward ? step.forward_s : step.backward_s) += 1.1 * seconds;
  }
  step.optimizer_s = 2e-9 * static_cast<double>(counted.total.parameters);
  step.total_s = step.forward_s + step.backward_s + step.optimizer_s + 1e-4;
  t.step = step;
  return t;
}

inline std::vector<TimedNetwork> timed_networks(std::uint64_t count) {
  std::vector<TimedNetwork> networks;
  for (std::uint64_t i = 0; i < count; ++i) {
    networks.push_back(timed_network("random/" + std::to_string(i), std::int64_t{1} << (i % 5)));
  }
  return networks;
}

inline const CalibratedDevice& synthetic_device() {
  static const CalibratedDevice device = [] {
    NoProgress none;
    return fit_calibrated_device(timed_networks(25), none);
  }();
  return device;
}

}  // namespace sextant::predict::test
