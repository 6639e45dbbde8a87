#include "kernel_parts.h"

#include "kernel_time.h"

namespace sextant::predict {
namespace {

struct PartSum {
  double seconds = 0;
  double launches = 0;
};

PartSum sum_of(const std::vector<Kernel>& kernels, const KernelTimer& timer, const StackTraits& traits) {
  PartSum sum;
  for (const Kernel& k : kernels) {
    if (k.kind == KernelKind::accumulate && !traits.accumulates_gradients) continue;
    sum.seconds += timer.seconds(k) * k.launches;
    sum.launches += k.launches;
  }
  return sum;
}

// Seconds of the host for a call and for a launch that nobody calls; each bears its part of what a step takes
// whatever is in it.
struct IssueRates {
  Seconds call = {};
  Seconds launch = {};
};

IssueRates issue_rates(const KernelList& list, const HostTime& host) {
  const double issued = host.calls + host.gradients;
  if (issued <= 0) return {};
  const double borne = host.total() / issued;
  return {Seconds{list.calls > 0 ? borne * host.calls / list.calls : 0},
          Seconds{list.gradients > 0 ? borne * host.gradients / list.gradients : 0}};
}

}  // namespace

StepParts modelled_parts(const Query& q, const StackTraits& traits, const Observation& question,
                         const Coefficients& c) {
  const KernelList& list = *question.kernels;
  const KernelTimer timer(question.device, c);
  const IssueRates rates = issue_rates(list, host_time(list, question.device, c));
  StepParts parts;
  parts.input = Seconds{step_time(list, question.device, c).input};
  const std::vector<NodeKernels> nodes = lower_nodes(q.graph, q.job);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const PartSum forward = sum_of(nodes[i].forward, timer, traits);
    const PartSum backward = sum_of(nodes[i].backward, timer, traits);
    const PartSum update = sum_of(nodes[i].update, timer, traits);
    parts.device.push_back({Seconds{forward.seconds}, Seconds{backward.seconds}, Seconds{update.seconds}});
    const double calls = nets::is_given(q.graph.nodes[i].op) ? 0 : 1;
    parts.host.push_back(
        {calls * rates.call, backward.launches * rates.launch, update.launches * rates.launch});
  }
  return parts;
}

void stretch(StepParts& parts, double factor) {
  for (std::vector<OpTime>* side : {&parts.device, &parts.host}) {
    for (OpTime& op : *side) op = {factor * op.forward, factor * op.backward, factor * op.update};
  }
  parts.input = factor * parts.input;
}

}  // namespace sextant::predict
