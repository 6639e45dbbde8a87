#include "sextant/predict/kernel_fit.h"

#include <Eigen/Dense>
#include <cmath>
#include <functional>

#include "sextant/predict/kernel_model.h"

namespace sextant::predict {
namespace {

namespace at = coefficient;

using Vector = Eigen::VectorXd;
using Dense = Eigen::MatrixXd;

constexpr double kErrorScale = 0.1;       // of the logarithm: where the loss turns from square to linear
constexpr double kFrameworkSd = 0.6;      // of the logarithm of the host's time
constexpr double kLibrarySd = 0.2;        // of the logarithm of the kernels' time
constexpr double kDepartureNoise = 0.04;  // of the logarithm, of one timed step around its instance's model

// How "every kernel takes exp(x) times as long" reads in coefficients: rates and shares fall.
const Coefficients& device_direction() {
  static const Coefficients direction = [] {
    Coefficients d{};
    for (std::size_t i = 0; i < kConvDirections; ++i) {
      for (std::size_t t = 0; t < 3; ++t) d[at::conv + kConvTerms * i + t] = -1;
      d[at::grouped + i] = -1;
    }
    d[at::gemm] = d[at::batched_gemm] = -1;
    for (std::size_t i = 0; i < kMemoryKinds; ++i) d[at::memory + i] = -1;
    d[at::depthwise] = d[at::depthwise + 1] = d[at::matrix_memory] = -1;
    d[at::depthwise_filter] = d[at::launch] = 1;
    return d;
  }();
  return direction;
}

// Rows of weighted residuals with their derivatives, summed into normal equations as they come.
class NormalEquations {
 public:
  explicit NormalEquations(Eigen::Index n) : matrix(Dense::Zero(n, n)), gradient(Vector::Zero(n)) {}

  // soft L1: 2 (sqrt(1 + z) - 1) with z = (r / scale)^2, as iteratively re-weighted squares.
  void add(double residual, const Vector& by, double scale) {
    const double z = residual * residual / (scale * scale);
    const double root = std::sqrt(1 + z);
    cost += 2 * scale * scale * (root - 1);
    gradient.noalias() += (residual / root) * by;
    matrix.selfadjointView<Eigen::Lower>().rankUpdate(by, 1 / root);
  }

  Dense matrix;  // lower half
  Vector gradient;
  double cost = 0;
};

// Levenberg-Marquardt with the usual tenfold steps of damping.
template <class Assemble>
std::pair<Vector, int> minimise(Vector x, int iterations, const Assemble& assemble) {
  NormalEquations here = assemble(x);
  double damping = 1e-3;
  int used = 0;
  for (; used < iterations; ++used) {
    Dense damped = here.matrix.selfadjointView<Eigen::Lower>();
    damped.diagonal() *= 1 + damping;
    const Vector step = damped.ldlt().solve(-here.gradient);
    // Logarithms: more than a factor of e in one step is a guess.
    const Vector next = x + step * std::min(1.0, 1.0 / std::max(1e-12, step.cwiseAbs().maxCoeff()));
    NormalEquations there = assemble(next);
    if (there.cost < here.cost) {
      const bool settled = here.cost - there.cost < 1e-5 * here.cost;
      x = next;
      here = std::move(there);
      damping = std::max(damping / 10, 1e-9);
      if (settled) break;
    } else {
      damping *= 10;
      if (damping > 1e6) break;
    }
  }
  return {x, used};
}

Vector as_vector(const Coefficients& c) {
  return Eigen::Map<const Vector>(c.data(), static_cast<Eigen::Index>(c.size()));
}

// A residual of log time, the value that it concerns, and its weight.
using Sink = std::function<void(double residual, const Differentiable& of, double weight)>;

// The residuals of one timed step: of its whole time, and of its profile by kind, each kind weighted by
// its share of the profile.
void add_step(const Observation& row, const Coefficients& c, double profile_weight, const Sink& sink) {
  const StepGradient g = step_gradient(*row.kernels, row.device, c);
  sink(std::log(g.total.value / row.seconds), g.total, 1);
  double profiled = 0;
  for (const double t : row.profile) profiled += t;
  if (profiled <= 0 || profile_weight <= 0) return;
  for (std::size_t k = 0; k < kKernelKinds; ++k) {
    if (row.profile[k] <= 0 || g.by_kind[k].value <= 0) continue;
    sink(std::log(g.by_kind[k].value / row.profile[k]), g.by_kind[k],
         profile_weight * std::sqrt(row.profile[k] / profiled));
  }
}

Vector relative(const Differentiable& d, Eigen::Index parameters) {
  Vector by = Vector::Zero(parameters);
  for (std::size_t i = 0; i < at::count; ++i) by[static_cast<Eigen::Index>(i)] = d.by[i] / d.value;
  return by;
}

// Parameters of the shared fit: coefficients, then one for each framework and library but the usual.
class SharedProblem {
 public:
  SharedProblem(std::span<const Observation* const> rows, const FitOptions& options)
      : rows_(rows), options_(options) {
    for (const Observation* row : rows) {
      if (!row->software.framework.empty()) frameworks_.emplace(row->software.framework, 0);
      if (!row->software.library.empty()) libraries_.emplace(row->software.library, 0);
    }
    for (auto& [name, index] : frameworks_) index = parameters_++;
    for (auto& [name, index] : libraries_) index = parameters_++;
  }

  [[nodiscard]] Vector start() const {
    Vector x = Vector::Zero(parameters_);
    x.head(at::count) = as_vector(options_.start);
    return x;
  }

  [[nodiscard]] SharedFit unpack(const Vector& x) const {
    SharedFit fit;
    for (std::size_t i = 0; i < at::count; ++i) fit.coefficients[i] = x[static_cast<Eigen::Index>(i)];
    for (const auto& [name, index] : frameworks_) fit.frameworks[name] = x[index];
    for (const auto& [name, index] : libraries_) fit.libraries[name] = x[index];
    return fit;
  }

  [[nodiscard]] NormalEquations assemble(const Vector& x) const {
    NormalEquations sum(parameters_);
    const SharedFit fit = unpack(x);
    for (const Observation* row : rows_) {
      const Coefficients c = coefficients_for(fit, row->software, nullptr);
      add_step(*row, c, options_.profile_weight, [&](double r, const Differentiable& of, double weight) {
        sum.add(weight * r, weight * by_parameters(of, row->software), kErrorScale);
      });
    }
    add_pull(x, sum);
    return sum;
  }

 private:
  [[nodiscard]] Vector by_parameters(const Differentiable& d, const Software& software) const {
    Vector by = relative(d, parameters_);
    if (const auto it = frameworks_.find(software.framework); it != frameworks_.end()) {
      by[it->second] = by[at::host_step] + by[at::host_call] + by[at::host_gradient];
    }
    if (const auto it = libraries_.find(software.library); it != libraries_.end()) {
      for (std::size_t i = 0; i < at::count; ++i) {
        by[it->second] += device_direction()[i] * by[static_cast<Eigen::Index>(i)];
      }
    }
    return by;
  }

  void add_pull(const Vector& x, NormalEquations& sum) const {
    const auto pull = [&](Eigen::Index i, double centre, double sd) {
      Vector by = Vector::Zero(parameters_);
      by[i] = kErrorScale / sd;
      sum.add(kErrorScale * (x[i] - centre) / sd, by, kErrorScale);
    };
    for (std::size_t i = 0; i < at::count; ++i) {
      pull(static_cast<Eigen::Index>(i), options_.start[i], coefficient_table()[i].stack_sd);
    }
    for (const auto& [name, index] : frameworks_) pull(index, 0, kFrameworkSd);
    for (const auto& [name, index] : libraries_) pull(index, 0, kLibrarySd);
  }

  std::span<const Observation* const> rows_;
  const FitOptions& options_;
  std::map<std::string, Eigen::Index> frameworks_;  // to the parameter
  std::map<std::string, Eigen::Index> libraries_;
  Eigen::Index parameters_ = at::count;
};

}  // namespace

Coefficients coefficients_for(const SharedFit& shared, const Software& software,
                              const Coefficients* departure) {
  Coefficients c = shared.coefficients;
  if (const auto it = shared.frameworks.find(software.framework); it != shared.frameworks.end()) {
    for (const std::size_t i : {at::host_step, at::host_call, at::host_gradient}) c[i] += it->second;
  }
  if (const auto it = shared.libraries.find(software.library); it != shared.libraries.end()) {
    for (std::size_t i = 0; i < c.size(); ++i) c[i] += it->second * device_direction()[i];
  }
  if (departure != nullptr) {
    for (std::size_t i = 0; i < c.size(); ++i) c[i] += (*departure)[i];
  }
  return c;
}

SharedFit fit_shared(std::span<const Observation* const> rows, const FitOptions& options) {
  const SharedProblem problem(rows, options);
  const auto [x, used] = minimise(problem.start(), options.iterations,
                                  [&](const Vector& at_x) { return problem.assemble(at_x); });
  SharedFit fit = problem.unpack(x);
  fit.iterations = used;
  return fit;
}

Coefficients fit_departure(std::span<const Observation* const> rows, const SharedFit& shared,
                           double profile_weight) {
  constexpr double kOutlier = 3;    // in units of the noise: a timing further off than this is half believed
  constexpr double kFarPull = 1e3;  // of the pull, which is a plain square
  const auto assemble = [&](const Vector& x) {
    NormalEquations sum(at::count);
    Coefficients departure;
    for (std::size_t i = 0; i < at::count; ++i) departure[i] = x[static_cast<Eigen::Index>(i)];
    for (const Observation* row : rows) {
      const Coefficients c = coefficients_for(shared, row->software, &departure);
      add_step(*row, c, profile_weight, [&](double r, const Differentiable& of, double weight) {
        const double scale = weight / kDepartureNoise;
        sum.add(scale * r, scale * relative(of, at::count), kOutlier);
      });
    }
    for (std::size_t i = 0; i < at::count; ++i) {
      const double sd = coefficient_table()[i].device_sd;
      Vector by = Vector::Zero(at::count);
      by[static_cast<Eigen::Index>(i)] = 1 / sd;
      sum.add(departure[i] / sd, by, kFarPull);
    }
    return sum;
  };
  const Vector x = minimise(Vector::Zero(at::count), 20, assemble).first;
  Coefficients departure;
  for (std::size_t i = 0; i < at::count; ++i) departure[i] = x[static_cast<Eigen::Index>(i)];
  return departure;
}

}  // namespace sextant::predict
