#include "times_diagnosis.h"

#include <algorithm>
#include <cmath>

#include "sextant/core/error.h"
#include "sextant/core/infinity.h"
#include "sextant/stats/summary.h"

namespace sextant::queueing {
namespace {

// The first `most` of a random order (Fisher and Yates), which is a sample without repeats.
std::vector<double> sample_of(std::span<const double> values, std::size_t most, Rng rng) {
  std::vector<double> sample(values.begin(), values.end());
  if (sample.size() <= most) return sample;
  for (std::size_t i = 0; i < most; ++i) {
    std::swap(sample[i], sample[i + rng.below(sample.size() - i)]);
  }
  sample.resize(most);
  return sample;
}

double tied_share(std::span<const double> values) {
  std::vector<double> sorted(values.begin(), values.end());
  std::ranges::sort(sorted);
  const auto repeats = sorted.end() - std::unique(sorted.begin(), sorted.end());
  return static_cast<double>(repeats) / static_cast<double>(values.size());
}

double log_likelihood(const Distribution& distribution, std::span<const double> values) {
  double sum = 0;
  for (const double value : values) sum += log_density(distribution, value);
  return sum;
}

std::optional<stats::ChiSquareTest> chi_square_of(std::span<const double> tested, Family family) {
  try {
    return equiprobable_test(tested, fit_distribution(family, tested));
  } catch (const InputError&) {
    return std::nullopt;  // too few values
  }
}

struct Sample {
  std::span<const double> values;
  std::span<const double> tested;
};

FamilyFit fit_family(Family family, const Sample& sample, const Rng& rng, std::size_t replicates) {
  FamilyFit fit{.family = family};
  try {
    fit.fitted = fit_distribution(family, sample.values);
    fit.kolmogorov = kolmogorov_test(sample.tested, family, rng.stream(to_string(family)), replicates);
  } catch (const InputError& error) {
    fit.failure = error.message();
    return fit;
  }
  if (family == Family::constant) return fit;
  const double likelihood = log_likelihood(*fit.fitted, sample.values);
  if (std::isfinite(likelihood)) {
    fit.aic = 2 * static_cast<double>(parameter_count(*fit.fitted)) - 2 * likelihood;
  }
  fit.chi_square = chi_square_of(sample.tested, family);
  return fit;
}

void order(std::vector<FamilyFit>& fits) {
  const auto key = [](const FamilyFit& fit) {
    if (fit.fitted && fit.family == Family::constant) return -kInfinity;
    return fit.aic.value_or(kInfinity);
  };
  std::ranges::stable_sort(fits, {}, key);
}

}  // namespace

TimesDiagnosis diagnose_times(std::span<const double> values, const std::string& name,
                              const DiagnosisOptions& options) {
  check_times(values);
  const Rng rng = Rng(options.seed).stream("queue records").stream(name);
  const std::vector<double> tested = sample_of(values, options.most_tested, rng.stream("sample"));
  TimesDiagnosis times;
  times.count = values.size();
  times.tested = tested.size();
  times.mean_s = stats::mean(values);
  times.scv = sample_scv(values);
  times.tied = tied_share(values);
  for (const Family family : all_families()) {
    times.fits.push_back(fit_family(family, {values, tested}, rng, options.replicates));
    const FamilyFit& fit = times.fits.back();
    if (family == Family::exponential)
      times.exponential = fit.kolmogorov && fit.kolmogorov->p > options.level;
  }
  order(times.fits);
  times.serial = serial_test(values);
  times.level = level_test(values);
  times.independent =
      times.serial.p > options.level || std::abs(times.serial.correlation) < options.least_correlation;
  times.steady = times.level.p > options.level || times.level.share < options.least_share;
  return times;
}

}  // namespace sextant::queueing
