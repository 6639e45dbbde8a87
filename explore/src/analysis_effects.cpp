#include <algorithm>
#include <cmath>
#include <limits>

#include "additive_model.h"
#include "sextant/core/error.h"
#include "sextant/core/stats/distributions.h"
#include "sextant/core/stats/studentized_range.h"
#include "sextant/core/stats/summary.h"
#include "sextant/explore/analysis/effects.h"

namespace sextant {
namespace {

using analysis::AdditiveModel;

constexpr std::size_t kMostLevels = 30;  // 435 pairs
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// With no degree of freedom left there is a value and no interval.
Interval mean_interval_of(const AdditiveModel& model, const std::vector<double>& query, double level) {
  if (!(model.fit.df > 0)) return {-kInfinity, kInfinity};
  return predict(model.fit, query, level).mean;
}

double value_at(const AdditiveModel& model, const std::vector<double>& query) {
  double value = model.fit.intercept;
  for (std::size_t j = 0; j < query.size(); ++j) value += model.fit.coefficients[j] * query[j];
  return value;
}

struct EffectRequest {
  const AnalysisTable& table;
  const AdditiveModel& model;
  std::size_t factor;
  double level;  // of confidence
};

LevelMean level_mean(const EffectRequest& request, std::size_t which) {
  const std::vector<double> values = responses_by_level(request.table, request.factor)[which];
  const std::vector<double> query =
      analysis::level_query(request.model, request.table, request.factor, which);
  LevelMean out{
      .level = request.table.factors[request.factor].levels[which], .n = values.size(), .mean = mean(values)};
  out.adjusted = value_at(request.model, query);
  out.estimable = analysis::estimable(request.model.fit, query);
  out.interval = mean_interval_of(request.model, query, request.level);
  return out;
}

void add_slope(MainEffect& effect, const EffectRequest& request) {
  const OlsFit& fit = request.model.fit;
  const std::size_t column = request.model.first_column[request.factor];
  const double scale = request.model.scale[request.factor];
  effect.slope = fit.coefficients[column] / scale;
  effect.slope_interval = {-kInfinity, kInfinity};
  const auto [low, high] = std::ranges::minmax(request.table.factors[request.factor].number);
  effect.range = std::abs(effect.slope) * (high - low);
  for (std::size_t t = 0; t < fit.terms.size(); ++t) {
    if (fit.terms[t].column != column || !(fit.df > 0)) continue;
    const Interval interval = coefficient_interval(fit, t, request.level);
    effect.slope_interval = {interval.low / scale, interval.high / scale};
  }
}

struct PairRequest {
  const AnalysisTable& table;
  const AdditiveModel& model;
  std::size_t factor;
  double critical;  // of the studentized range
};

LevelPair pair_of(const PairRequest& request, std::size_t a, std::size_t b) {
  const AnalysisFactor& factor = request.table.factors[request.factor];
  const std::vector<double> at_a = analysis::level_query(request.model, request.table, request.factor, a);
  const std::vector<double> at_b = analysis::level_query(request.model, request.table, request.factor, b);
  LevelPair pair{.factor = factor.name, .a = factor.levels[a], .b = factor.levels[b]};
  pair.difference = value_at(request.model, at_a) - value_at(request.model, at_b);
  pair.standard_error =
      request.model.fit.sigma * std::sqrt(analysis::difference_variance(request.model.fit, at_a, at_b));
  const double unit = pair.standard_error / std::sqrt(2.0);
  if (unit > 0) {
    pair.q = std::abs(pair.difference) / unit;
  } else {
    pair.q = pair.difference == 0 ? 0 : kInfinity;
  }
  pair.p =
      upper_tail(StudentizedRange{static_cast<double>(factor.levels.size()), request.model.fit.df}, pair.q);
  pair.interval = {pair.difference - request.critical * unit, pair.difference + request.critical * unit};
  return pair;
}

void add_pairs(PairwiseResult& result, const AnalysisTable& table, const AdditiveModel& model, double level) {
  for (std::size_t f = 0; f < table.factors.size(); ++f) {
    const AnalysisFactor& factor = table.factors[f];
    if (factor.covariate) continue;
    if (factor.levels.size() > kMostLevels) {
      result.notes.push_back(factor.name + ": more than 30 levels, pairs are left out");
      continue;
    }
    std::vector<bool> known;
    for (std::size_t i = 0; i < factor.levels.size(); ++i) {
      known.push_back(analysis::estimable(model.fit, analysis::level_query(model, table, f, i)));
    }
    if (std::ranges::find(known, false) != known.end()) {
      result.notes.push_back(factor.name +
                             ": other factors determine some of its levels, those pairs are left out");
    }
    const StudentizedRange range{static_cast<double>(factor.levels.size()), model.fit.df};
    const PairRequest request{table, model, f, upper_quantile(range, 1 - level)};
    for (std::size_t a = 0; a < factor.levels.size(); ++a) {
      for (std::size_t b = a + 1; b < factor.levels.size(); ++b) {
        if (known[a] && known[b]) result.pairs.push_back(pair_of(request, a, b));
      }
    }
  }
}

}  // namespace

std::vector<MainEffect> main_effects(const AnalysisTable& table, double level) {
  const AdditiveModel model = analysis::fit_additive(table);
  std::vector<MainEffect> effects;
  for (std::size_t f = 0; f < table.factors.size(); ++f) {
    const AnalysisFactor& factor = table.factors[f];
    MainEffect effect{.factor = factor.name, .covariate = factor.covariate};
    const EffectRequest request{table, model, f, level};
    if (factor.covariate) {
      add_slope(effect, request);
    } else {
      double low = kInfinity;
      double high = -kInfinity;
      for (std::size_t i = 0; i < factor.levels.size(); ++i) {
        effect.levels.push_back(level_mean(request, i));
        if (!effect.levels.back().estimable) continue;
        low = std::min(low, effect.levels.back().adjusted);
        high = std::max(high, effect.levels.back().adjusted);
      }
      effect.range = high > low ? high - low : 0;
    }
    effects.push_back(std::move(effect));
  }
  return effects;
}

InteractionMeans interaction_means(const AnalysisTable& table, std::size_t first, std::size_t second) {
  const AnalysisFactor& a = table.factors[first];
  const AnalysisFactor& b = table.factors[second];
  InteractionMeans out{.first = a.name,
                       .second = b.name,
                       .first_levels = a.levels,
                       .second_levels = b.levels,
                       .means = Matrix(a.levels.size(), b.levels.size(), 0),
                       .counts = Matrix(a.levels.size(), b.levels.size(), 0)};
  for (std::size_t i = 0; i < table.rows(); ++i) {
    out.means(a.level[i], b.level[i]) += table.y[i];
    ++out.counts(a.level[i], b.level[i]);
  }
  for (std::size_t i = 0; i < a.levels.size(); ++i) {
    for (std::size_t j = 0; j < b.levels.size(); ++j) {
      const double n = out.counts(i, j);
      out.means(i, j) = n > 0 ? out.means(i, j) / n : std::numeric_limits<double>::quiet_NaN();
    }
  }
  return out;
}

PairwiseResult tukey_pairs(const AnalysisTable& table, double level) {
  if (!(level > 0 && level < 1))
    throw InputError({"--level"}, "is not between 0 and 1", "write 95 % as 0.95");
  const AdditiveModel model = analysis::fit_additive(table);
  PairwiseResult result{.df = model.fit.df};
  if (model.fit.df > 0) {
    add_pairs(result, table, model, level);
  } else {
    result.notes.emplace_back("as many parameters as runs: pairs cannot be compared");
  }
  return result;
}

}  // namespace sextant
