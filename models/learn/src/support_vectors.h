// Epsilon support vector regression by libsvm (Chang and Lin 2011) on standardised columns.
#pragma once

#include <memory>
#include <vector>

#include "linear_regressor.h"
#include "target.h"

namespace sextant::learn {

enum class SvrKernel { linear, rbf };

struct SvrSettings {
  SvrKernel kernel = SvrKernel::rbf;
  double c = 1;
  double epsilon = 0.1;  // of the standardised response
  double gamma = 0.1;    // rbf: exp(-gamma |a - b|^2)
};

struct SupportVectors {
  SvrSettings settings;
  Scaling scaling;
  Target target;
  stats::Matrix vectors;  // standardised
  std::vector<double> coefficients;
  double rho = 0;
};

SupportVectors train_svr(const Sample& sample, const Target& target, const SvrSettings& settings);
std::unique_ptr<Regressor> make_svr(SupportVectors vectors);

}  // namespace sextant::learn
