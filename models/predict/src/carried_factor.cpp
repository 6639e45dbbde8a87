#include "sextant/predict/carried_factor.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

namespace sextant::predict {
namespace {

// Software differs by more than a factor. Chosen so that the lines "after 3 cases timed on another GPU" of
// docs/accuracy.md are covered.
constexpr double kCarriedWiden = 1.7;

// Standard deviations of log time, rounded from how the steps of each stack that ships differ from what the
// other stacks say of them; of software itself it is larger, since own code also differs in precision, in
// compilation and in how it feeds the device.
constexpr double kSoftware = 0.7;
constexpr double kLeastDevice = 0.15;
constexpr double kNetwork = 0.15;
constexpr double kTiming = 0.15;            // a case of a network on a device
constexpr double kSameOdds = 0.5;           // that the software is the calibrated one
constexpr double kArchitectureShare = 0.7;  // of what sets a device apart, its relatives share
constexpr double kNormal90 = 1.645;         // half-widths of 90 % intervals are so many standard deviations
constexpr std::size_t kMostCells = 400;     // networks x devices; the cost is cubic in them

double square(double x) {
  return x * x;
}

}  // namespace

CarriedFactor::CarriedFactor(std::span<const FactorTiming> timings, const Spread& spread) : spread_(spread) {
  std::map<std::pair<std::string, std::string>, std::size_t> known;
  for (const FactorTiming& timing : timings) {
    const auto next = cells_.size();
    const auto [it, fresh] = known.try_emplace({timing.gpu, timing.net}, next);
    if (fresh && next == kMostCells) {
      known.erase(it);
      continue;
    }
    if (fresh) cells_.push_back({timing, 0});
    Cell& cell = cells_[it->second];
    cell.timings += 1;
    cell.mean.log_ratio += (timing.log_ratio - cell.mean.log_ratio) / cell.timings;
  }
  if (cells_.empty()) return;
  hypotheses_ = {{.software_variance = 0}, {.software_variance = square(kSoftware)}};
  const double same = solve(hypotheses_[0]) + std::log(kSameOdds);
  const double other = solve(hypotheses_[1]) + std::log(1 - kSameOdds);
  hypotheses_[1].probability = 1 / (1 + std::exp(same - other));
  hypotheses_[0].probability = 1 - hypotheses_[1].probability;
}

double CarriedFactor::device_variance(bool known) const {
  if (known) return square(kLeastDevice);
  return std::max(square(kLeastDevice), (square(spread_.new_gpu) - square(spread_.seen)) / square(kNormal90));
}

double CarriedFactor::covariance(const Cell& a, const Cell& b, double software) const {
  const double device = std::min(device_variance(a.mean.known_gpu), device_variance(b.mean.known_gpu));
  double sum = software;
  if (a.mean.architecture == b.mean.architecture) sum += kArchitectureShare * device;
  if (a.mean.gpu == b.mean.gpu) sum += (1 - kArchitectureShare) * device;
  if (a.mean.net == b.mean.net) sum += square(kNetwork);
  return sum;
}

double CarriedFactor::solve(Hypothesis& hypothesis) const {
  const auto n = static_cast<Eigen::Index>(cells_.size());
  Eigen::MatrixXd k(n, n);
  Eigen::VectorXd residuals(n);
  for (Eigen::Index i = 0; i < n; ++i) {
    const Cell& a = cells_[static_cast<std::size_t>(i)];
    for (Eigen::Index j = 0; j < n; ++j) {
      k(i, j) = covariance(a, cells_[static_cast<std::size_t>(j)], hypothesis.software_variance);
    }
    k(i, i) += square(kTiming) / a.timings;
    residuals[i] = a.mean.log_ratio;
  }
  const Eigen::LLT<Eigen::MatrixXd> factor(k);
  const Eigen::VectorXd weights = factor.solve(residuals);
  const Eigen::MatrixXd inverse = factor.solve(Eigen::MatrixXd::Identity(n, n));
  hypothesis.weights.assign(weights.data(), weights.data() + n);
  hypothesis.inverse.assign(inverse.data(), inverse.data() + n * n);
  const double log_determinant = 2 * factor.matrixLLT().diagonal().array().log().sum();
  return -0.5 * (residuals.dot(weights) + log_determinant);
}

CarriedShift CarriedFactor::on(const std::string& architecture, const std::string& net) const {
  if (cells_.empty()) return {};
  const Cell asked{{.gpu = {}, .architecture = architecture, .net = net}, 1};
  const auto n = static_cast<Eigen::Index>(cells_.size());
  std::vector<double> means;
  std::vector<double> variances;
  for (const Hypothesis& h : hypotheses_) {
    Eigen::VectorXd shared(n);
    for (Eigen::Index i = 0; i < n; ++i) {
      shared[i] = covariance(asked, cells_[static_cast<std::size_t>(i)], h.software_variance);
    }
    const Eigen::Map<const Eigen::VectorXd> weights(h.weights.data(), n);
    const Eigen::Map<const Eigen::MatrixXd> inverse(h.inverse.data(), n, n);
    means.push_back(shared.dot(weights));
    // What the device and the network leave open is part of the interval without timings already.
    const double explained = shared.dot(inverse * shared);
    variances.push_back(std::max(0.0, h.software_variance - explained));
  }
  CarriedShift shift;
  for (std::size_t i = 0; i < means.size(); ++i) shift.log_factor += hypotheses_[i].probability * means[i];
  double variance = 0;
  for (std::size_t i = 0; i < means.size(); ++i) {
    variance += hypotheses_[i].probability * (variances[i] + square(means[i] - shift.log_factor));
  }
  shift.half_width = kNormal90 * std::sqrt(variance);
  return shift;
}

double carried_half_width(const Stack& stack, const StackEstimate& e, const CarriedShift& shift) {
  return kCarriedWiden * std::hypot(half_width(stack, e, true), shift.half_width);
}

}  // namespace sextant::predict
