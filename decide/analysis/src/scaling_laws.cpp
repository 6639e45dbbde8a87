#include "sextant/analysis/scaling_laws.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "log_law_fit.h"
#include "sextant/core/error.h"
#include "sextant/core/infinity.h"
#include "sextant/core/rng.h"
#include "sextant/core/text.h"
#include "sextant/stats/bootstrap.h"

namespace sextant::analysis {
namespace {

using analysis::CountMeans;
using analysis::LogLawFit;

// What is linear in its parameters: time per unit of work n / X = d + b n + c n (n-1) for all laws but
// Gustafson's, whose X = d + b n is. Non-negative parameters hold s in [0, 1] and k >= 0.
struct LawShape {
  std::string law;
  std::size_t columns = 1;
  bool inverse = true;
};

// Logarithms of what a law is about, n / X or X itself, run by run and as means of each count.
struct LogRuns {
  std::vector<double> log_y;       // of each run
  std::vector<std::size_t> place;  // of each run's count among the means
  CountMeans means;
};

LogRuns log_runs(std::span<const CountPoint> points, bool inverse) {
  LogRuns runs;
  std::map<double, std::size_t> place;
  for (const CountPoint& point : points) place.emplace(point.count, 0);
  for (auto& [count, index] : place) {
    index = runs.means.count.size();
    runs.means.count.push_back(count);
  }
  runs.means.log_y.assign(place.size(), 0);
  runs.means.runs.assign(place.size(), 0);
  for (const CountPoint& point : points) {
    runs.log_y.push_back(std::log(inverse ? point.count / point.throughput : point.throughput));
    runs.place.push_back(place.at(point.count));
    runs.means.log_y[runs.place.back()] += runs.log_y.back();
    ++runs.means.runs[runs.place.back()];
  }
  for (std::size_t k = 0; k < place.size(); ++k) runs.means.log_y[k] /= runs.means.runs[k];
  return runs;
}

// Observed less fitted, run by run.
std::vector<double> residuals_of(const LogRuns& runs, const LogLawFit& fit) {
  std::vector<double> fitted;
  for (const double n : runs.means.count) fitted.push_back(std::log(analysis::law_at(fit.parameters, n)));
  std::vector<double> residuals;
  for (std::size_t i = 0; i < runs.log_y.size(); ++i) {
    residuals.push_back(runs.log_y[i] - fitted[runs.place[i]]);
  }
  return residuals;
}

// c / d: one over the square of the best count; 0 where throughput grows on.
double curvature(const std::vector<double>& parameters) {
  if (!(parameters[2] > 0)) return 0;
  return parameters[0] > parameters[2] ? parameters[2] / parameters[0] : 1;
}

// Fitted values with residuals drawn anew, widened by what the parameters took from them.
stats::Interval best_count_interval(const LogRuns& runs, const LogLawFit& fit, double level,
                                    std::uint64_t seed) {
  const auto count = static_cast<double>(runs.log_y.size());
  const double widen = count > 3 ? std::sqrt(count / (count - 3)) : 1;
  const std::vector<double> residuals = residuals_of(runs, fit);
  CountMeans drawn = runs.means;
  const auto statistic = [&](std::span<const std::size_t> rows) {
    std::ranges::fill(drawn.log_y, 0.0);
    for (std::size_t i = 0; i < rows.size(); ++i) drawn.log_y[runs.place[i]] += residuals[rows[i]];
    for (std::size_t k = 0; k < drawn.count.size(); ++k) {
      drawn.log_y[k] =
          std::log(analysis::law_at(fit.parameters, drawn.count[k])) + widen * drawn.log_y[k] / drawn.runs[k];
    }
    return curvature(analysis::fit_log_law(drawn, 3).parameters);
  };
  const stats::BootstrapOptions options{
      .resamples = 1000, .level = level, .method = stats::BootstrapMethod::percentile};
  const stats::Interval at =
      bootstrap_rows(runs.log_y.size(), statistic, Rng(seed).stream("scaling"), options).interval;
  const auto count_of = [](double c) { return c > 0 ? std::max(1.0, 1 / std::sqrt(c)) : kInfinity; };
  return {count_of(at.high), count_of(at.low)};
}

// Positive root of s (n-1) + k n (n-1) = 1.
std::optional<double> half_count(double serial, double crosstalk) {
  if (crosstalk > 0) {
    const double b = serial - crosstalk;
    return (-b + std::sqrt(b * b + 4 * crosstalk * (1 + serial))) / (2 * crosstalk);
  }
  return serial > 0 ? std::optional<double>(1 + 1 / serial) : std::nullopt;
}

void set_law(ScalingCurve& curve, const LawShape& shape, const std::vector<double>& parameters) {
  const double d = parameters[0];
  const double b = parameters.size() > 1 ? parameters[1] : 0;
  const double c = parameters.size() > 2 ? parameters[2] : 0;
  if (!shape.inverse) {
    curve.rate = d + b;
    curve.serial = d / (d + b);
    return;
  }
  const double one = std::max(d + b, std::numeric_limits<double>::min());  // time of one unit of work alone
  curve.rate = 1 / one;
  curve.serial = b / one;
  curve.crosstalk = c / one;
  curve.half_count = half_count(curve.serial, curve.crosstalk);
}

ScalingCurve curve_of(std::span<const CountPoint> points, const LawShape& shape, double level,
                      std::uint64_t seed) {
  const LogRuns runs = log_runs(points, shape.inverse);
  const LogLawFit fit = analysis::fit_log_law(runs.means, shape.columns);
  ScalingCurve curve{.law = shape.law};
  set_law(curve, shape, fit.parameters);
  double squares = 0;
  for (const double residual : residuals_of(runs, fit)) squares += residual * residual;
  const auto count = static_cast<double>(points.size());
  curve.relative_error = std::sqrt(squares / count);
  const double parameters = static_cast<double>(shape.columns) + 1;  // and the variance
  if (count - parameters - 1 > 0) {
    const double variance = std::max(squares / count, 1e-30);
    curve.aicc = count * std::log(variance) + 2 * parameters +
                 2 * parameters * (parameters + 1) / (count - parameters - 1);
  }
  if (shape.columns == 3) {
    const double c = curvature(fit.parameters);
    if (c > 0) curve.best_count = 1 / std::sqrt(c);
    curve.best_count_interval = best_count_interval(runs, fit, level, seed);
  }
  return curve;
}

void check_points(std::span<const CountPoint> points) {
  for (const CountPoint& point : points) {
    if (!(point.count >= 1) || !(point.count <= 1e9)) {
      throw InputError({}, "a count of " + number_text(point.count), "counts are 1 to 1e9");
    }
    if (!(point.throughput >= 1e-100) || !(point.throughput <= 1e100)) {
      throw InputError({}, "a throughput of " + number_text(point.throughput), "positive, 1e-100 to 1e100");
    }
  }
  const auto varies = [&](const CountPoint& point) { return point.count != points.front().count; };
  if (points.size() < 3 || std::ranges::none_of(points, varies)) {
    throw InputError({}, "scaling needs three runs with two different counts", "add runs with other counts");
  }
}

}  // namespace

double ScalingCurve::throughput(double count) const {
  if (law == "gustafson") return rate * (serial + (1 - serial) * count);
  return rate * count / (1 + serial * (count - 1) + crosstalk * count * (count - 1));
}

ScalingCurves fit_scaling_curves(std::span<const CountPoint> points, double level, std::uint64_t seed) {
  check_points(points);
  ScalingCurves out{.points = {points.begin(), points.end()}};
  for (const CountPoint& point : points) out.largest_count = std::max(out.largest_count, point.count);
  const std::vector<LawShape> shapes = {
      {"linear", 1, true}, {"amdahl", 2, true}, {"usl", 3, true}, {"gustafson", 2, false}};
  for (const LawShape& shape : shapes) out.curves.push_back(curve_of(points, shape, level, seed));
  std::ranges::stable_sort(out.curves, {},
                           [](const ScalingCurve& curve) { return curve.aicc.value_or(kInfinity); });
  return out;
}

std::vector<WorkloadScaling> scaling_of(const AnalysisTable& table, const std::string& count, double level,
                                        std::uint64_t seed) {
  const AnalysisFactor& counts = table.factors[find_factor(table, count)];
  if (!counts.numeric)
    throw InputError(at_field("scaling"), "'" + count + "' is not a number everywhere",
                     "name a column of counts");
  const std::size_t workloads = table.group ? table.factors[*table.group].levels.size() : 1;
  std::vector<WorkloadScaling> out;
  for (std::size_t w = 0; w < workloads; ++w) {
    std::vector<CountPoint> points;
    for (std::size_t i = 0; i < table.rows(); ++i) {
      if (table.censored[i] || (table.group && table.factors[*table.group].level[i] != w)) continue;
      points.push_back({counts.number[i], table.maximise ? table.y[i] : 1 / table.y[i]});
    }
    out.push_back({table.group ? table.factors[*table.group].levels[w] : "", count,
                   fit_scaling_curves(points, level, seed)});
  }
  return out;
}

}  // namespace sextant::analysis
