#include "stack_timings.h"

#include <cmath>

#include "sextant/core/text.h"
#include "timing_doubts.h"

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

// Several timings of one case are one observation, their geometric mean: the model is off by as much in each.
std::vector<Observation> merged(const std::vector<Observation>& rows) {
  struct Sum {
    std::size_t at;
    double logs;
    double count;
  };
  std::map<std::pair<const KernelList*, std::string>, Sum> sums;
  std::vector<Observation> distinct;
  for (const Observation& row : rows) {
    const auto [it, fresh] = sums.try_emplace({row.kernels.get(), row.instance}, Sum{distinct.size(), 0, 0});
    if (fresh) distinct.push_back(row);
    it->second.logs += std::log(row.seconds);
    it->second.count += 1;
  }
  for (const auto& [key, sum] : sums) distinct[sum.at].seconds = std::exp(sum.logs / sum.count);
  return distinct;
}

}  // namespace

StackTimings::StackTimings(const Stack& stack, std::span<const Measurement> timed,
                           const catalog::Catalog& catalog) {
  const std::vector<Observation> all = observe(timed, catalog, stack.traits);
  doubts_ = far_off_notes(stack, timed, all);
  for (std::size_t i = 0; i < all.size(); ++i) cases_.add(all[i], timed[i].job.optimizer);
  const std::vector<Observation> rows = merged(all);
  std::map<std::string, std::vector<const Observation*>> by_device;
  std::vector<FactorTiming> ratios;
  for (const Observation& row : rows) {
    by_device[row.instance].push_back(&row);
    ratios.push_back(factor_timing(stack, row, catalog.gpus.get(row.instance)));
  }
  factor_ = CarriedFactor(ratios, stack.spread);
  for (const auto& [gpu, members] : by_device) {
    Device& device = devices_[gpu];
    device.anchor = anchor(stack, members);
    for (const Observation* row : members) {
      const StackEstimate e = estimate(stack, device.anchor, *row);
      device.lines.add(*row, e.log_total, e.step.host / e.step.total);
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
