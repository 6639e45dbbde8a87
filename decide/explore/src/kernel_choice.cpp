#include "kernel_choice.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace sextant::explore {
namespace {

constexpr Eigen::Index kWeighedOn = 40;  // trials on which all draws are weighed
constexpr std::size_t kRefined = 2;      // of them weighed on all trials, where there are more
constexpr int kPerturbed = 5;            // and tries around the best
constexpr double kPerturbedLogSd = 0.3;
constexpr double kNegligible = 1e-3;     // of the largest weight
constexpr std::size_t kLeastDraws = 24;  // of an unlikely mean

GpData rows_of(const GpData& data, const std::vector<Eigen::Index>& rows) {
  GpData part;
  part.points = data.points(Eigen::all, rows);
  part.values = data.values(rows);
  if (data.extra_noise.size() > 0) part.extra_noise = data.extra_noise(rows);
  return part;
}

// The best half of the part, since the choice is among good ones, and others evenly by value.
std::vector<Eigen::Index> representative(const GpData& data) {
  std::vector<Eigen::Index> order(static_cast<std::size_t>(data.values.size()));
  std::iota(order.begin(), order.end(), Eigen::Index{0});
  std::ranges::stable_sort(order, {}, [&](Eigen::Index i) { return data.values[i]; });
  const auto half = static_cast<std::size_t>(kWeighedOn / 2);
  std::vector<Eigen::Index> kept(order.begin(), order.begin() + kWeighedOn / 2);
  const double stride = static_cast<double>(order.size() - half) / static_cast<double>(half);
  for (std::size_t i = 0; i < half; ++i) {
    kept.push_back(order[half + static_cast<std::size_t>(static_cast<double>(i) * stride)]);
  }
  std::ranges::sort(kept);
  return kept;
}

void weigh(const EnsembleInput& input, const std::vector<Eigen::Index>& rows,
           std::span<WeighedKernel> kernels) {
  std::vector<std::optional<GpData>> by_mean(input.means.size() + 1);
  for (WeighedKernel& each : kernels) {
    std::optional<GpData>& data = by_mean[each.mean ? *each.mean + 1 : 0];
    if (!data) {
      data = residuals(input, each.mean);
      if (!rows.empty()) data = rows_of(*data, rows);
    }
    const GaussianProcess process(each.kernel, *data, scale_of(input, each.mean));
    each.log_weight = each.log_prior + process.log_likelihood();
  }
}

std::vector<WeighedKernel> refined(const EnsembleInput& input, std::vector<WeighedKernel> kernels) {
  std::ranges::stable_sort(kernels, std::greater<>(), &WeighedKernel::log_weight);
  kernels.resize(std::min(kernels.size(), kRefined));
  weigh(input, {}, kernels);
  Rng rng = input.stream.stream("refine");
  for (int i = 0; i < kPerturbed; ++i) {
    WeighedKernel tried = *std::ranges::max_element(kernels, {}, &WeighedKernel::log_weight);
    tried.kernel = perturbed(input.features, std::move(tried.kernel), kPerturbedLogSd, rng);
    weigh(input, {}, std::span(&tried, 1));
    kernels.push_back(std::move(tried));
  }
  return kernels;
}

}  // namespace

GpData residuals(const EnsembleInput& input, const std::optional<std::size_t>& mean) {
  GpData data = input.data;
  if (!mean) return data;
  // Relative noise is in units of the usual scale.
  const double ratio = input.scale.typical / scale_of(input, mean).typical;
  data.values -= input.means[*mean].at_data;
  data.extra_noise *= ratio;
  return data;
}

ScalePrior scale_of(const EnsembleInput& input, const std::optional<std::size_t>& mean) {
  if (!mean) return input.scale;
  const double sd = input.means[*mean].typical_sd;
  return {input.scale.shape, sd * sd};
}

std::vector<WeighedKernel> drawn_kernels(const EnsembleInput& input) {
  std::vector<WeighedKernel> kernels;
  const auto draw = [&](const std::optional<std::size_t>& mean, double chance) {
    const auto deserved = static_cast<std::size_t>(std::llround(chance * static_cast<double>(input.draws)));
    const std::size_t count = mean ? std::max(deserved, kLeastDraws) : std::max<std::size_t>(deserved, 1);
    for (std::size_t i = 0; i < count; ++i) {
      kernels.push_back({.kernel = draw_kernel(input.features, input.prior, input.stream, i),
                         .mean = mean,
                         .log_prior = std::log(chance / static_cast<double>(count))});
    }
  };
  double left = 1;
  for (std::size_t m = 0; m < input.means.size(); ++m) {
    draw(m, input.means[m].chance);
    left -= input.means[m].chance;
  }
  draw({}, left);
  return kernels;
}

std::vector<WeighedKernel> chosen_kernels(const EnsembleInput& input, std::size_t most) {
  std::vector<WeighedKernel> kernels = drawn_kernels(input);
  const bool many = input.data.values.size() > kWeighedOn;
  weigh(input, many ? representative(input.data) : std::vector<Eigen::Index>{}, kernels);
  if (many) kernels = refined(input, std::move(kernels));
  std::ranges::stable_sort(kernels, std::greater<>(), &WeighedKernel::log_weight);
  const double largest = kernels.front().log_weight;
  for (WeighedKernel& each : kernels) each.weight = std::exp(each.log_weight - largest);
  std::erase_if(kernels, [](const WeighedKernel& each) { return each.weight < kNegligible; });
  if (kernels.size() > most) kernels.resize(most);
  double sum = 0;
  for (const WeighedKernel& each : kernels) sum += each.weight;
  for (WeighedKernel& each : kernels) each.weight /= sum;
  return kernels;
}

}  // namespace sextant::explore
