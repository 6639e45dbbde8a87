#include "sextant/predict/operator_regression.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "sextant/core/error.h"
#include "sextant/stats/linear_model.h"
#include "sextant/stats/quantiles.h"

namespace sextant::predict {
namespace {

constexpr double kClockNoise = 1.5e-6;  // s, of one timing
constexpr double kLeastTime = 1e-7;     // s; below it nothing is told apart
constexpr double kOutlier = 2.5;        // standard deviations
constexpr std::size_t kMostPoints = 900;
constexpr std::size_t kSmoothnessPoints = 400;

// Most of the correction varies over several length scales, the rest within half of one.
double covariance(double squared_distance) {
  return 0.6 * std::exp(-squared_distance / 8) + 0.4 * std::exp(-2 * squared_distance);
}

double squared_distance(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return sum;
}

// Timed calls, those that lie close together taken as one point in their midst.
struct Distinct {
  std::vector<std::vector<double>> points;
  Eigen::VectorXd residuals;  // mean logarithm of the time against its cost
  Eigen::VectorXd scatter;    // variance of the clock
  Eigen::VectorXd counts;     // by how many the noise is divided
};

struct Cluster {
  std::vector<double> sum;
  double residual = 0;
  double clock = 0;
  double count = 0;
};
using Clusters = std::map<std::vector<double>, Cluster>;

// Cells of the given width; 0: equal calls only, which repeated blocks make.
Clusters clusters(std::span<const TimedCall> timed, const CallCost& cost, double width) {
  Clusters all;
  for (const TimedCall& t : timed) {
    std::vector<double> cell = t.call.coordinates;
    if (width > 0)
      std::ranges::transform(cell, cell.begin(), [&](double x) { return std::floor(x / width); });
    Cluster& cluster = all[cell];
    const double seconds = std::max(t.seconds, kLeastTime);
    cluster.sum.resize(cell.size());
    for (std::size_t i = 0; i < cell.size(); ++i) cluster.sum[i] += t.call.coordinates[i];
    cluster.residual += std::log(seconds / std::max(cost.seconds(t.call.flop, t.call.bytes), kLeastTime));
    cluster.clock += (kClockNoise / seconds) * (kClockNoise / seconds);
    ++cluster.count;
  }
  return all;
}

// The cost of a fit grows with the third power of the points, so cells widen until these are few enough.
Distinct distinct(std::span<const TimedCall> timed, const CallCost& cost, std::size_t most) {
  Clusters found = clusters(timed, cost, 0);
  for (double width = 0.1; found.size() > most; width *= 1.3) found = clusters(timed, cost, width);
  const auto n = static_cast<Eigen::Index>(found.size());
  Distinct d{.points = {},
             .residuals = Eigen::VectorXd(n),
             .scatter = Eigen::VectorXd(n),
             .counts = Eigen::VectorXd(n)};
  for (auto& [cell, cluster] : found) {
    const auto i = static_cast<Eigen::Index>(d.points.size());
    for (double& x : cluster.sum) x /= cluster.count;
    d.points.push_back(std::move(cluster.sum));
    d.residuals(i) = cluster.residual / cluster.count;
    d.scatter(i) = cluster.clock / cluster.count / cluster.count;
    d.counts(i) = cluster.count;
  }
  return d;
}

double median(const Eigen::VectorXd& values) {
  return stats::sample_quantile(std::vector<double>(values.begin(), values.end()), 0.5);
}

Eigen::MatrixXd covariances(const std::vector<std::vector<double>>& points) {
  const auto n = static_cast<Eigen::Index>(points.size());
  Eigen::MatrixXd k(n, n);
  for (Eigen::Index i = 0; i < n; ++i) {
    for (Eigen::Index j = 0; j <= i; ++j) {
      k(i, j) = covariance(
          squared_distance(points[static_cast<std::size_t>(i)], points[static_cast<std::size_t>(j)]));
      k(j, i) = k(i, j);
    }
  }
  return k;
}

Eigen::VectorXd variances(const Distinct& d, const Smoothness& s) {
  return d.scatter.array() + s.noise * s.noise / d.counts.array();
}

Eigen::LLT<Eigen::MatrixXd> factor(const Eigen::MatrixXd& k, double signal, const Eigen::VectorXd& noise) {
  Eigen::MatrixXd sum = signal * signal * k;
  sum.diagonal() += noise;
  return Eigen::LLT<Eigen::MatrixXd>(sum);
}

double log_likelihood(const Eigen::MatrixXd& k, const Eigen::VectorXd& y, const Distinct& d,
                      const Smoothness& s) {
  const auto llt = factor(k, s.signal, variances(d, s));
  const Eigen::VectorXd half = llt.matrixL().solve(y);
  const Eigen::MatrixXd lower = llt.matrixL();
  return -0.5 * half.squaredNorm() - lower.diagonal().array().log().sum();
}

void check(std::span<const TimedCall> timed) {
  if (timed.empty()) throw InputError({}, "there are no timed operators");
  for (const TimedCall& t : timed) {
    if (t.call.coordinates.size() != timed.front().call.coordinates.size()) {
      throw InputError({}, "operators of kind '" + t.call.kind + "' differ in their coordinates");
    }
    if (!std::isfinite(t.seconds) || t.seconds < 0) {
      throw InputError({}, "the time of an operator of kind '" + t.call.kind + "' is not a positive number");
    }
  }
}

// Robustness: points far from the first fit count for less in the second.
Eigen::VectorXd solve_robustly(const Eigen::MatrixXd& k, const Eigen::VectorXd& y, const Distinct& d,
                               const Smoothness& s) {
  Eigen::VectorXd noise = variances(d, s);
  const Eigen::VectorXd first = factor(k, s.signal, noise).solve(y);
  const Eigen::VectorXd residual = y - s.signal * s.signal * (k * first);
  noise.array() *= 1 + residual.array().square() / (kOutlier * kOutlier * noise.array());
  return s.signal * s.signal * factor(k, s.signal, noise).solve(y);
}

}  // namespace

double OperatorRegression::seconds(const OperatorCall& call) const {
  double correction = offset;
  for (std::size_t i = 0; i < points.rows(); ++i) {
    correction += weights[i] * covariance(squared_distance(points.row(i), call.coordinates));
  }
  return std::max(cost.seconds(call.flop, call.bytes), kLeastTime) * std::exp(correction);
}

double OperatorRegression::distance(const OperatorCall& call) const {
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < points.rows(); ++i) {
    least = std::min(least, squared_distance(points.row(i), call.coordinates));
  }
  return least;
}

CallCost fit_call_cost(std::span<const TimedCall> timed) {
  check(timed);
  constexpr double kRate = 1e11;       // FLOP/s; units that make the columns of one size
  constexpr double kBandwidth = 1e10;  // B/s
  constexpr double kCall = 1e-6;       // s
  stats::Design design{.x = stats::Matrix(timed.size(), 3), .y = {}};
  for (std::size_t i = 0; i < timed.size(); ++i) {
    design.x(i, 0) = 1;
    design.x(i, 1) = timed[i].call.flop / kRate / kCall;
    design.x(i, 2) = timed[i].call.bytes / kBandwidth / kCall;
    design.y.push_back(std::max(timed[i].seconds, kLeastTime) / kCall);
    design.weights.push_back(1 / (design.y.back() * design.y.back()));  // relative errors
  }
  CallCost cost;
  for (int pass = 0; pass < 8; ++pass) {
    const stats::NnlsFit fit = fit_nnls(design);
    cost = {fit.coefficients[0] * kCall, fit.coefficients[1] / kRate, fit.coefficients[2] / kBandwidth};
    for (std::size_t i = 0; i < timed.size(); ++i) {
      const double modelled =
          std::max(cost.seconds(timed[i].call.flop, timed[i].call.bytes), kLeastTime) / kCall;
      const double off = std::log(modelled / design.y[i]) / 0.3;
      design.weights[i] = 1 / (design.y[i] * design.y[i]) / (1 + off * off);
    }
  }
  return cost;
}

Smoothness fit_smoothness(std::span<const TimedCall> timed) {
  const Distinct d = distinct(timed, fit_call_cost(timed), kSmoothnessPoints);
  const Eigen::VectorXd y = d.residuals.array() - median(d.residuals);
  const Eigen::MatrixXd k = covariances(d.points);
  Smoothness best;
  double greatest = -std::numeric_limits<double>::infinity();
  for (const double signal : {0.2, 0.35, 0.6}) {
    for (const double noise : {0.03, 0.06, 0.1, 0.17, 0.3}) {
      const double likelihood = log_likelihood(k, y, d, {signal, noise});
      if (!(likelihood > greatest)) continue;
      greatest = likelihood;
      best = {signal, noise};
    }
  }
  return best;
}

OperatorRegression fit_operator_regression(std::span<const TimedCall> timed, const Smoothness& smoothness) {
  OperatorRegression fit;
  fit.cost = fit_call_cost(timed);
  fit.smoothness = smoothness;
  for (const TimedCall& t : timed) fit.largest_flop = std::max(fit.largest_flop, t.call.flop);
  const Distinct d = distinct(timed, fit.cost, kMostPoints);
  fit.offset = median(d.residuals);
  const Eigen::VectorXd y = d.residuals.array() - fit.offset;
  const Eigen::VectorXd weights = solve_robustly(covariances(d.points), y, d, smoothness);
  fit.weights.assign(weights.begin(), weights.end());
  fit.points = stats::Matrix::from_rows(d.points);
  return fit;
}

}  // namespace sextant::predict
