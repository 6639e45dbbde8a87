#include "sextant/analysis/effects.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "level_fit.h"
#include "sextant/core/error.h"
#include "sextant/core/infinity.h"
#include "sextant/core/text.h"
#include "sextant/stats/distributions.h"
#include "sextant/stats/studentized_range.h"
#include "sextant/stats/summary.h"

namespace sextant::analysis {
namespace {

using analysis::Estimate;
using analysis::LevelFit;

constexpr std::size_t kMostLevels = 30;  // 435 pairs

// A factor, and a model that is asked about it.
struct FactorFit {
  const AnalysisFactor& factor;
  std::size_t place;  // in the table
  const LevelFit& fit;
};

Estimate level_estimate(const FactorFit& f, std::size_t level) {
  return analysis::mean_at(f.fit, f.place, analysis::level_contrast(f.factor, level));
}

Estimate difference_estimate(const FactorFit& f, std::size_t a, std::size_t b) {
  const Eigen::VectorXd weights =
      analysis::level_contrast(f.factor, a) - analysis::level_contrast(f.factor, b);
  return analysis::difference_at(f.fit, f.place, weights);
}

Estimate slope_estimate(const FactorFit& f) {
  return analysis::difference_at(f.fit, f.place, Eigen::VectorXd::Ones(1));
}

std::size_t known_means(const FactorFit& f) {
  if (f.factor.covariate) return slope_estimate(f).estimable ? 1 : 0;
  std::size_t count = 0;
  for (std::size_t i = 0; i < f.factor.levels.size(); ++i) count += level_estimate(f, i).estimable ? 1U : 0U;
  return count;
}

// Differences from the first level. They may be known where means are not: what the other factors cannot tell
// apart is averaged in both means, and cancels.
std::size_t known_differences(const FactorFit& f) {
  std::size_t count = 0;
  for (std::size_t i = 1; i < f.factor.levels.size(); ++i) {
    count += difference_estimate(f, i, 0).estimable ? 1U : 0U;
  }
  return count;
}

// The model that was asked for, and the one without interactions.
struct Fits {
  const AnalysisTable& table;
  LevelFit asked;
  std::optional<LevelFit> additive;  // nothing: the same

  // That which knows more of a factor; of two that know as much, what was asked for.
  [[nodiscard]] FactorFit best(std::size_t place, std::size_t (*known)(const FactorFit&)) const {
    const FactorFit first{table.factors[place], place, asked};
    if (!additive) return first;
    const FactorFit second{table.factors[place], place, *additive};
    return known(second) > known(first) ? second : first;
  }
};

void check(const AnalysisTable& table, const EffectOptions& options) {
  if (!(options.level > 0 && options.level < 1))
    throw InputError(at_field("level"), "the level is not between 0 and 1", "write 95 % as 0.95");
  const std::size_t columns = analysis::model_width(table, 1);
  if (columns < table.rows()) return;
  throw InputError({},
                   std::to_string(columns + 1) + " parameters for " + std::to_string(table.rows()) +
                       " runs: more levels than the runs can tell apart",
                   "name fewer factors with `factors`, or add runs");
}

// With no degree of freedom left there is a value and no interval.
stats::Interval interval_of(const LevelFit& fit, const Estimate& estimate, double level) {
  if (!(fit.df > 0) || !(fit.sigma > 0)) return {-kInfinity, kInfinity};
  const double half = two_sided_quantile(stats::StudentT{fit.df}, level) * estimate.error;
  return {estimate.value - half, estimate.value + half};
}

void add_levels(MainEffect& effect, const FactorFit& f, const std::vector<std::vector<double>>& responses,
                double level) {
  double low = kInfinity;
  double high = -kInfinity;
  for (std::size_t i = 0; i < f.factor.levels.size(); ++i) {
    const Estimate estimate = level_estimate(f, i);
    effect.levels.push_back({.level = f.factor.levels[i],
                             .n = responses[i].size(),
                             .mean = stats::mean(responses[i]),
                             .adjusted = estimate.value,
                             .interval = interval_of(f.fit, estimate, level),
                             .estimable = estimate.estimable});
    if (!estimate.estimable) continue;
    low = std::min(low, estimate.value);
    high = std::max(high, estimate.value);
  }
  effect.range = high > low ? high - low : 0;
}

void add_slope(MainEffect& effect, const FactorFit& f, double level) {
  const Estimate estimate = slope_estimate(f);
  const double norm = analysis::covariate_norm(f.factor);
  const stats::Interval interval =
      estimate.estimable ? interval_of(f.fit, estimate, level) : stats::Interval{-kInfinity, kInfinity};
  effect.slope = estimate.value / norm;
  effect.slope_interval = {interval.low / norm, interval.high / norm};
  const auto [low, high] = std::ranges::minmax(f.factor.number);
  effect.range = std::abs(effect.slope) * (high - low);
}

MainEffect effect_of(const FactorFit& f, const AnalysisTable& table, double level) {
  MainEffect effect{
      .factor = f.factor.name, .covariate = f.factor.covariate, .order = f.fit.order, .df = f.fit.df};
  if (effect.covariate) {
    add_slope(effect, f, level);
  } else {
    add_levels(effect, f, responses_by_level(table, f.place), level);
  }
  return effect;
}

LevelPair pair_of(const FactorFit& f, const Estimate& difference, double critical) {
  LevelPair pair{.factor = f.factor.name,
                 .a = {},
                 .b = {},
                 .difference = difference.value,
                 .standard_error = difference.error,
                 .order = f.fit.order,
                 .df = f.fit.df};
  const double unit = pair.standard_error / std::sqrt(2.0);
  if (unit > 0) {
    pair.q = std::abs(pair.difference) / unit;
  } else {
    pair.q = pair.difference == 0 ? 0 : kInfinity;
  }
  pair.p = upper_tail(stats::StudentizedRange{static_cast<double>(f.factor.levels.size()), f.fit.df}, pair.q);
  pair.interval = {pair.difference - critical * unit, pair.difference + critical * unit};
  return pair;
}

void add_pairs(PairwiseResult& result, const FactorFit& f, double level) {
  const std::vector<std::string>& levels = f.factor.levels;
  if (levels.size() > kMostLevels) {
    result.notes.push_back(f.factor.name + ": more than 30 levels, pairs are left out");
    return;
  }
  if (!(f.fit.df > 0)) {
    result.notes.push_back(f.factor.name + ": as many parameters as runs, pairs cannot be compared");
    return;
  }
  if (!(f.fit.sigma > 0)) {
    result.notes.push_back(f.factor.name + ": the model gives every run exactly, pairs cannot be compared");
    return;
  }
  const stats::StudentizedRange range{static_cast<double>(levels.size()), f.fit.df};
  const double critical = upper_quantile(range, 1 - level);
  bool all = true;
  for (std::size_t a = 0; a < levels.size(); ++a) {
    for (std::size_t b = a + 1; b < levels.size(); ++b) {
      const Estimate difference = difference_estimate(f, a, b);
      all = all && difference.estimable;
      if (!difference.estimable) continue;
      result.pairs.push_back(pair_of(f, difference, critical));
      result.pairs.back().a = levels[a];
      result.pairs.back().b = levels[b];
    }
  }
  if (all) return;
  result.notes.push_back(f.factor.name +
                         ": other factors determine some of its levels, those pairs are left out");
}

}  // namespace

LevelEffects level_effects(const AnalysisTable& table, const EffectOptions& options) {
  check(table, options);
  const analysis::TermModel model = analysis::term_model(table, options.order);
  Fits fits{table, analysis::fit_levels(model, options.order), std::nullopt};
  if (options.order > 1) fits.additive = analysis::fit_levels(model, 1);
  LevelEffects out;
  std::vector<std::string> simpler;
  for (std::size_t i = 0; i < table.factors.size(); ++i) {
    out.effects.push_back(effect_of(fits.best(i, known_means), table, options.level));
    if (table.factors[i].covariate) continue;
    const FactorFit f = fits.best(i, known_differences);
    if (f.fit.order < options.order) simpler.push_back(f.factor.name);
    add_pairs(out.pairs, f, options.level);
  }
  if (!simpler.empty()) {
    out.pairs.notes.push_back(
        "some combinations of levels have no run, so pairs are by the model without interactions: " +
        join(simpler, ", "));
  }
  return out;
}

InteractionMeans interaction_means(const AnalysisTable& table, std::size_t first, std::size_t second) {
  const AnalysisFactor& a = table.factors[first];
  const AnalysisFactor& b = table.factors[second];
  InteractionMeans out{.first = a.name,
                       .second = b.name,
                       .first_levels = a.levels,
                       .second_levels = b.levels,
                       .means = stats::Matrix(a.levels.size(), b.levels.size(), 0),
                       .counts = stats::Matrix(a.levels.size(), b.levels.size(), 0)};
  for (std::size_t i = 0; i < table.rows(); ++i) {
    out.means(a.level[i], b.level[i]) += table.y[i];
    ++out.counts(a.level[i], b.level[i]);
  }
  for (std::size_t i = 0; i < a.levels.size(); ++i) {
    for (std::size_t j = 0; j < b.levels.size(); ++j) {
      const double n = out.counts(i, j);
      out.means(i, j) = n > 0 ? out.means(i, j) / n : kNan;
    }
  }
  return out;
}

}  // namespace sextant::analysis
