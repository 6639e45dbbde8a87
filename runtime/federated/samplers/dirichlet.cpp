// Each label's samples are cut among the clients in proportions drawn from Dirichlet(alpha): a small alpha
// gives a label to few clients, a large one comes close to equal shares.
#include <algorithm>
#include <cmath>

#include "sextant/federated/sampler.h"

namespace sextant::federated::sampler_dirichlet {
namespace {

// The logarithm of a value of Gamma(shape, 1): with a small shape the value itself may be too small for a
// double. Marsaglia, Tsang 2000: A simple method for generating gamma variables.
double log_gamma_draw(double shape, Rng& rng) {
  double boost = 0;
  if (shape < 1) {
    boost = std::log1p(-rng.uniform()) / shape;
    shape += 1;
  }
  const double d = shape - 1.0 / 3;
  const double c = 1 / std::sqrt(9 * d);
  while (true) {
    const double x = rng.normal();
    const double root = 1 + c * x;
    if (root <= 0) continue;
    const double v = root * root * root;
    const double u = std::log1p(-rng.uniform());
    if (u < 0.5 * x * x + d - d * v + d * std::log(v)) return boost + std::log(d * v);
  }
}

std::vector<double> proportions(std::size_t clients, double alpha, Rng& rng) {
  std::vector<double> values(clients);
  for (double& value : values) value = log_gamma_draw(alpha, rng);
  const double most = *std::ranges::max_element(values);
  for (double& value : values) value = std::exp(value - most);
  return values;
}

Shares share(const Parameters& parameters, const LabelledSamples& samples, std::int64_t clients, Rng rng) {
  Shares shares(static_cast<std::size_t>(clients));
  std::vector<std::vector<std::int64_t>*> to;
  for (auto& one : shares) to.push_back(&one);
  std::uint64_t label = 0;
  for (std::vector<std::int64_t>& items : samples_by_label(samples)) {
    Rng own = rng.stream("label", label++);
    shuffle(items, own);
    deal_by_share(items, proportions(shares.size(), parameters.number("alpha"), own), to);
  }
  return shares;
}

}  // namespace

std::vector<SamplerInfo> plugin() {
  return {{{.id = "dirichlet",
            .summary = "each label is cut among the clients in proportions from a Dirichlet distribution",
            .reference = "Hsu, Qi, Brown, Measuring the Effects of Non-Identical Data Distribution, 2019; "
                         "drawn for each label",
            .parameters = {number_parameter("alpha", "small: a label belongs to few clients; large: alike",
                                            {.fallback = 0.5, .low = 1e-3, .high = 1e6})}},
           {},
           share}};
}

}  // namespace sextant::federated::sampler_dirichlet
