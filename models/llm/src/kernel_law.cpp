#include "kernel_law.h"

#include <algorithm>
#include <cmath>

#include "kernel_trees.h"
#include "sextant/core/error.h"

namespace sextant::llm {
namespace {

// A launch by the host, relative to one from a recorded graph: some 20 microseconds for a product.
constexpr double kHostFactor = 8;
constexpr double kUsualClock = 1.9;     // GHz
constexpr double kFastestFrontEnd = 2;  // GHz; boards that boost higher launch no faster
constexpr double kFamilyShare = 0.7;  // of its departures that a family lends to an architecture never timed
constexpr double kLeftoverBound = 0.35;  // of the logarithm
constexpr double kCommonShare = 0.5;     // of what is left over elsewhere, for an architecture never timed

double needed(const catalog::Gpu& gpu, double value, const char* what) {
  if (value > 0) return value;
  throw InputError(at_field("gpu"), gpu.id + " has no " + what + " in the catalogue",
                   "kernels are predicted from it; give it in a file of devices");
}

// What kernels are chosen by: boards with HBM run others than boards with GDDR of the same name.
std::string kernel_family(const catalog::Gpu& gpu) {
  const std::string vendor = gpu.vendor == "NVIDIA" ? "nvidia" : gpu.vendor;
  return vendor + (gpu.memory_kind == "hbm" ? "-hbm" : "-gddr");
}

std::vector<double> departures_of(const KernelLaw& law, const FittedLaw& fitted, const KernelDevice& device) {
  if (const auto it = fitted.departures.find(device.architecture); it != fitted.departures.end())
    return it->second;
  std::vector<double> mean(law.parameters.size(), 0);
  double count = 0;
  for (const auto& [architecture, values] : fitted.departures) {
    if (!architecture.starts_with(device.family + "/")) continue;
    count += 1;
    for (std::size_t i = 0; i < mean.size(); ++i) mean[i] += law.parameters[i].lent ? values[i] : 0;
  }
  for (double& value : mean) value *= count > 0 ? kFamilyShare / count : 0;
  return mean;
}

}  // namespace

KernelDevice kernel_device(const catalog::Gpu& gpu) {
  const auto rate = [](const std::optional<FlopRate>& r) { return r ? r->value : 0; };
  KernelDevice d;
  d.id = gpu.id;
  d.family = kernel_family(gpu);
  d.architecture = d.family + "/" + gpu.architecture;
  d.bf16 = needed(gpu, rate(gpu.tensor_bf16 ? gpu.tensor_bf16 : gpu.tensor_fp16), "rate of 16-bit products");
  d.fp8 = rate(gpu.tensor_fp8);
  d.fp4 = rate(gpu.tensor_fp4);
  d.bandwidth = needed(gpu, gpu.memory_bandwidth.value, "memory bandwidth");
  d.cache = gpu.l2 ? gpu.l2->value : 16e6;
  d.processors = needed(gpu, gpu.sms, "number of multiprocessors");
  d.gigahertz = needed(gpu, gpu.boost ? gpu.boost->value / 1e9 : 0, "clock");
  d.link = gpu.link_bandwidth ? gpu.link_bandwidth->value : 0;
  d.switched = gpu.link.starts_with("nvlink");
  d.peers = !gpu.link.starts_with("pcie");
  d.graphs = d.family != "Intel-gddr";
  return d;
}

std::vector<const KernelLaw*> kernel_laws() {
  return {&gemm_law(GemmFormat::bf16),
          &gemm_law(GemmFormat::fp8),
          &gemm_law(GemmFormat::fp8_block),
          &gemm_law(GemmFormat::nvfp4),
          &prefill_law(),
          &decode_law(),
          &experts_law(ExpertFormat::bf16),
          &experts_law(ExpertFormat::fp8),
          &experts_law(ExpertFormat::fp8_block),
          &experts_law(ExpertFormat::nvfp4),
          &experts_law(ExpertFormat::int4),
          &collective_law(),
          &engine_law()};
}

double launch_seconds(double microseconds, double clock_power, const KernelDevice& device) {
  const double clock = std::min(device.gigahertz, kFastestFrontEnd);
  const double host = device.graphs ? 1 : kHostFactor;
  return host * microseconds * 1e-6 * std::pow(kUsualClock / clock, clock_power);
}

double after_launch(double launch, double work, const KernelDevice& device) {
  constexpr double kHidden = 4;
  return device.graphs ? launch + work : overlapped(launch, work, kHidden);
}

double waves(double blocks, double quantised, const KernelDevice& device) {
  const double plain = blocks / device.processors;
  return quantised * std::ceil(plain) + (1 - quantised) * std::max(1.0, plain);
}

double overlapped(double one, double other, double power) {
  const double longer = std::max(one, other);
  if (longer <= 0) return 0;
  return longer * std::pow(1 + std::pow(std::min(one, other) / longer, power), 1 / power);
}

double law_log_seconds(const KernelLaw& law, std::span<const double> coefficients, const KernelShape& shape,
                       const KernelDevice& device) {
  std::array<double, kMostParameters> values{};
  for (std::size_t i = 0; i < law.parameters.size(); ++i) {
    const LawParameter& p = law.parameters[i];
    values[i] = p.plain ? coefficients[i] : std::exp(coefficients[i]);
  }
  return std::log(law.seconds({values.data(), law.parameters.size()}, shape, device));
}

double log_seconds(const KernelLaw& law, const FittedLaw& fitted, const KernelShape& shape,
                   const KernelDevice& device) {
  std::vector<double> sum = departures_of(law, fitted, device);
  for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += fitted.shared[i];
  const double plain = law_log_seconds(law, sum, shape, device);
  const auto own = fitted.leftover.find(device.architecture);
  const auto used = own != fitted.leftover.end() ? own : fitted.leftover.find("");
  if (used == fitted.leftover.end()) return plain;
  const double left =
      std::clamp(trees_value(used->second, law.features(shape, device)), -kLeftoverBound, kLeftoverBound);
  return plain + (own != fitted.leftover.end() ? 1 : kCommonShare) * left;
}

std::string_view kernel_vendor(std::string_view family) {
  return family.substr(0, family.find_first_of(family.starts_with("nvidia") ? "-" : "/"));
}

double kernel_width(const FittedLaw& fitted, const KernelDevice& device) {
  if (fitted.departures.contains(device.architecture)) return fitted.width;
  const bool kin = std::ranges::any_of(fitted.departures, [&](const auto& timed) {
    return kernel_vendor(timed.first) == kernel_vendor(device.family);
  });
  return kin ? fitted.new_width : fitted.far_width;
}

}  // namespace sextant::llm
