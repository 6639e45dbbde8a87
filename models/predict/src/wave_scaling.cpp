#include "wave_scaling.h"

#include <cmath>

namespace sextant::predict {

double memory_share(double intensity, double ridge) {
  if (!(intensity > 0)) return 1;
  if (std::isinf(intensity)) return 0;
  return intensity <= ridge ? 1 - intensity / (2 * ridge) : ridge / (2 * intensity);
}

double many_wave_ratio(const WaveDevice& o, const WaveDevice& d, double gamma) {
  const double waves = o.multiprocessors / d.multiprocessors;
  return std::pow(o.bandwidth / d.bandwidth, gamma) * std::pow(waves * o.clock / d.clock, 1 - gamma);
}

double full_wave_ratio(const WaveDevice& o, const WaveDevice& d, double gamma, const WaveGrid& grid) {
  const double width_o = o.multiprocessors * grid.resident;  // blocks in a wave
  const double width_d = d.multiprocessors * grid.resident;
  const double waves = std::ceil(grid.blocks / width_d) / std::ceil(grid.blocks / width_o);
  return waves * std::pow(o.bandwidth / d.bandwidth * width_d / width_o, gamma) *
         std::pow(o.clock / d.clock, 1 - gamma);
}

WaveDevice wave_device(const catalog::Gpu& gpu) {
  return {.multiprocessors = static_cast<double>(gpu.sms),
          .bandwidth = gpu.memory_bandwidth.value,
          .clock = gpu.boost.value_or(Hertz{}).value,
          .peak = gpu.fp32.value};
}

void align(WaveDevice& origin, WaveDevice& destination) {
  const auto complete = [](const WaveDevice& d) { return d.multiprocessors > 0 && d.clock > 0; };
  if (complete(origin) && complete(destination)) return;
  for (WaveDevice* device : {&origin, &destination}) {
    device->multiprocessors = 1;
    device->clock = device->peak;
  }
}

}  // namespace sextant::predict
