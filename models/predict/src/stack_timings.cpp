#include "stack_timings.h"

#include <cmath>

#include "sextant/core/text.h"

namespace sextant::predict {
namespace {

FactorTiming factor_timing(const Stack& stack, const Observation& row, const catalog::Gpu& gpu) {
  const StackEstimate e = estimate(stack, row);
  return {.gpu = gpu.id,
          .architecture = gpu.architecture,
          .net = row.labels.net,
          .known_gpu = e.known_gpu,
          .log_ratio = std::log(row.seconds) - e.log_total};
}

}  // namespace

StackTimings::StackTimings(const Stack& stack, std::span<const Measurement> timed,
                           const catalog::Catalog& catalog) {
  const std::vector<Observation> rows = observe(timed, catalog, stack.traits);
  std::map<std::string, std::vector<const Observation*>> by_device;
  std::vector<FactorTiming> ratios;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    by_device[rows[i].instance].push_back(&rows[i]);
    ratios.push_back(factor_timing(stack, rows[i], catalog.gpus.get(rows[i].instance)));
    cases_.add(rows[i], timed[i].job.optimizer);
  }
  factor_ = CarriedFactor(ratios, stack.spread);
  for (const auto& [gpu, members] : by_device) {
    Device& device = devices_[gpu];
    device.anchor = anchor(stack, members);
    for (const Observation* row : members) {
      device.lines.add(*row, estimate(stack, device.anchor, *row).log_total);
    }
  }
}

const StackTimings::Device* StackTimings::device(const std::string& gpu) const {
  const auto found = devices_.find(gpu);
  return found == devices_.end() ? nullptr : &found->second;
}

std::string StackTimings::summary() const {
  std::size_t timings = 0;
  std::vector<std::string> gpus;
  for (const auto& [gpu, device] : devices_) {
    timings += device.anchor.timings;
    gpus.push_back(gpu);
  }
  return std::to_string(timings) + (timings == 1 ? " timing on " : " timings on ") + join(gpus, ", ");
}

}  // namespace sextant::predict
