#include "sextant/predict/kernel_model.h"

#include <cmath>

#include "kernel_time.h"
#include "sextant/predict/predictor.h"

namespace sextant::predict {
namespace {

namespace at = coefficient;

// Device and host work side by side; the slower decides, and near balance both are felt.
constexpr double kOverlap = 4;

double joined(double device, double host) {
  return std::pow(std::pow(device, kOverlap) + std::pow(host, kOverlap), 1 / kOverlap);
}

double input_time(const KernelList& list, const Coefficients& c) {
  return list.input_bytes / std::exp(c[at::input_rate]);
}

}  // namespace

HostTime host_time(const KernelList& list, const Device& device, const Coefficients& c) {
  double factor = device.half ? std::exp(c[at::half_host]) : 1;
  if (list.gradients == 0) factor *= std::exp(c[at::host_infer]);
  return {factor * std::exp(c[at::host_step]), factor * std::exp(c[at::host_call]) * list.calls,
          factor * std::exp(c[at::host_gradient]) * list.gradients};
}

Seconds side_by_side(Seconds device, Seconds host) {
  return host > Seconds{} ? Seconds{joined(device.value, host.value)} : device;
}

StepTime step_time(const KernelList& list, const Device& device, const Coefficients& c) {
  StepTime t;
  const KernelTimer timer(device, c);
  for (const Kernel& k : list.kernels) {
    const double seconds = timer.seconds(k) * k.launches;
    t.by_kind[static_cast<std::size_t>(k.kind)] += seconds;
    t.device += seconds;
  }
  t.host = host_time(list, device, c).total();
  t.input = input_time(list, c);
  t.total = joined(t.device, t.host) + t.input;
  return t;
}

StepGradient step_gradient(const KernelList& list, const Device& device, const Coefficients& c) {
  StepGradient g;
  const KernelTimer timer(device, c);
  for (const Kernel& k : list.kernels) timer.add_gradient(k, g.by_kind[static_cast<std::size_t>(k.kind)]);
  double sum = 0;
  for (const auto& kind : g.by_kind) sum += kind.value;
  const HostTime host = host_time(list, device, c);
  const double both = joined(sum, host.total());
  const double by_device = std::pow(sum / both, kOverlap - 1);
  const double by_host = std::pow(host.total() / both, kOverlap - 1);
  for (const auto& kind : g.by_kind) {
    if (kind.value == 0) continue;
    for (std::size_t i = 0; i < at::count; ++i) g.total.by[i] += by_device * kind.by[i];
  }
  const double input = input_time(list, c);
  g.total.by[at::host_step] += by_host * host.step;
  g.total.by[at::host_call] += by_host * host.calls;
  g.total.by[at::host_gradient] += by_host * host.gradients;
  if (list.gradients == 0) g.total.by[at::host_infer] += by_host * host.total();
  if (device.half) g.total.by[at::half_host] += by_host * host.total();
  g.total.by[at::input_rate] -= input;
  g.total.value = both + input;
  return g;
}

}  // namespace sextant::predict
