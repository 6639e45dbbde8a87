#include <algorithm>
#include <cmath>
#include <limits>

#include "sextant/core/error.h"
#include "sextant/core/rng.h"
#include "sextant/core/stats/bootstrap.h"
#include "sextant/core/stats/linear_model.h"
#include "sextant/core/text.h"
#include "sextant/explore/analysis/scaling_laws.h"

namespace sextant {
namespace {

constexpr int kMostSteps = 200;
constexpr double kSettled = 1e-12;  // relative change of the sum of squares
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// What is linear in its parameters: time per unit of work n / X = d + b n + c n (n-1) for all laws but
// Gustafson's, whose X = d + b n is. Non-negative parameters hold s in [0, 1] and k >= 0.
struct LawShape {
  std::string law;
  std::size_t columns = 1;
  bool inverse = true;
};

double column_of(std::size_t column, double n) {
  if (column == 0) return 1;
  return column == 1 ? n : n * (n - 1);
}

double model_at(const std::vector<double>& parameters, double n) {
  double value = 0;
  for (std::size_t j = 0; j < parameters.size(); ++j) value += parameters[j] * column_of(j, n);
  return value;
}

struct LogFit {
  std::vector<double> parameters;
  std::vector<double> residuals;  // log observed less log fitted
  double squares = 0;
};

void set_residuals(LogFit& fit, std::span<const double> n, std::span<const double> y) {
  fit.residuals.assign(n.size(), 0);
  fit.squares = 0;
  for (std::size_t i = 0; i < n.size(); ++i) {
    const double model = model_at(fit.parameters, n[i]);
    fit.residuals[i] = model > 0 ? std::log(y[i] / model) : kInfinity;
    fit.squares += fit.residuals[i] * fit.residuals[i];
  }
}

// Gauss-Newton on log y with bounds: the rows over the model m, against 1 + log(y / m), by non-negative least
// squares; half a step where a whole one does not help.
LogFit fit_logs(std::span<const double> n, std::span<const double> y, std::size_t columns) {
  Design design{.x = Matrix(n.size(), columns), .y = std::vector<double>(n.size(), 1)};
  for (std::size_t i = 0; i < n.size(); ++i) {
    for (std::size_t j = 0; j < columns; ++j) design.x(i, j) = column_of(j, n[i]) / y[i];
  }
  LogFit best{.parameters = fit_nnls(design).coefficients, .residuals = {}};
  set_residuals(best, n, y);
  for (int step = 0; step < kMostSteps; ++step) {
    for (std::size_t i = 0; i < n.size(); ++i) {
      const double model = model_at(best.parameters, n[i]);
      for (std::size_t j = 0; j < columns; ++j) design.x(i, j) = column_of(j, n[i]) / model;
      design.y[i] = 1 + std::log(y[i] / model);
    }
    const std::vector<double> aim = fit_nnls(design).coefficients;
    LogFit next;
    double share = 1;
    do {
      next.parameters = best.parameters;
      for (std::size_t j = 0; j < columns; ++j) next.parameters[j] += share * (aim[j] - best.parameters[j]);
      set_residuals(next, n, y);
      share /= 2;
    } while (!(next.squares <= best.squares) && share > 1e-6);
    if (!(next.squares <= best.squares)) break;
    const bool settled = best.squares - next.squares <= kSettled * best.squares;
    best = std::move(next);
    if (settled) break;
  }
  return best;
}

// Observed quantity of a law: n / X, or X itself.
std::vector<double> observed(std::span<const CountPoint> points, bool inverse) {
  std::vector<double> y;
  for (const CountPoint& point : points) {
    y.push_back(inverse ? point.count / point.throughput : point.throughput);
  }
  return y;
}

// c / d: one over the square of the best count; 0 where throughput grows on.
double curvature(const std::vector<double>& parameters) {
  if (!(parameters[2] > 0)) return 0;
  return parameters[0] > parameters[2] ? parameters[2] / parameters[0] : 1;
}

Interval best_count_interval(std::span<const double> n, const LogFit& fit, double level, std::uint64_t seed) {
  // Fitted values with residuals drawn anew, widened by what the parameters took from them.
  const auto count = static_cast<double>(n.size());
  const double widen = count > 3 ? std::sqrt(count / (count - 3)) : 1;
  const auto statistic = [&](std::span<const std::size_t> rows) {
    std::vector<double> y;
    for (std::size_t i = 0; i < n.size(); ++i) {
      y.push_back(model_at(fit.parameters, n[i]) * std::exp(widen * fit.residuals[rows[i]]));
    }
    return curvature(fit_logs(n, y, 3).parameters);
  };
  const BootstrapOptions options{.resamples = 1000, .level = level, .method = BootstrapMethod::percentile};
  const Interval at = bootstrap_rows(n.size(), statistic, Rng(seed).stream("scaling"), options).interval;
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
  std::vector<double> n;
  for (const CountPoint& point : points) n.push_back(point.count);
  const LogFit fit = fit_logs(n, observed(points, shape.inverse), shape.columns);
  ScalingCurve curve{.law = shape.law};
  set_law(curve, shape, fit.parameters);
  const auto count = static_cast<double>(n.size());
  curve.relative_error = std::sqrt(fit.squares / count);
  const double parameters = static_cast<double>(shape.columns) + 1;  // and the variance
  if (count - parameters - 1 > 0) {
    const double variance = std::max(fit.squares / count, 1e-30);
    curve.aicc = count * std::log(variance) + 2 * parameters +
                 2 * parameters * (parameters + 1) / (count - parameters - 1);
  }
  if (shape.columns == 3) {
    const double c = curvature(fit.parameters);
    if (c > 0) curve.best_count = 1 / std::sqrt(c);
    curve.best_count_interval = best_count_interval(n, fit, level, seed);
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
    throw InputError({"--scaling"}, "'" + count + "' is not a number everywhere", "name a column of counts");
  const std::size_t workloads = table.group ? table.factors[*table.group].levels.size() : 1;
  std::vector<WorkloadScaling> out;
  for (std::size_t w = 0; w < workloads; ++w) {
    std::vector<CountPoint> points;
    for (std::size_t i = 0; i < table.rows(); ++i) {
      if (table.censored[i] || (table.group && table.factors[*table.group].level[i] != w)) continue;
      points.push_back({counts.number[i], table.maximise ? table.y[i] : 1 / table.y[i]});
    }
    out.push_back(
        {table.group ? table.factors[*table.group].levels[w] : "", fit_scaling_curves(points, level, seed)});
  }
  return out;
}

}  // namespace sextant
