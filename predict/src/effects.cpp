#include "sextant/predict/effects.h"

#include <Eigen/Dense>
#include <cmath>

namespace sextant {
namespace {

// sd of the effects of a kind of group, of log time. The order of `sds` is that of the basis.
struct Term {
  std::string_view name;
  std::string (*group)(const CaseLabels&);
  EffectWeights sds;
  bool of_device = false;
};

constexpr double kNoise = 0.05;  // of log time: what no group explains

std::string join(std::initializer_list<std::string_view> parts) {
  std::string all;
  for (const auto part : parts) {
    if (!all.empty()) all += '|';
    all += part;
  }
  return all;
}

using L = CaseLabels;

std::string at_size(const L& l) {
  return std::to_string(std::lround(100 * l.size));
}

std::string case_of(const L& l) {
  return join({l.net, l.mode, l.precision, at_size(l), std::to_string(std::lround(100 * l.batch))});
}

const std::vector<Term>& terms() {
  static const std::vector<Term> all = {
      {"gpu", [](const L& l) { return l.gpu; }, {0.10, 0, 0, 0, 0}, true},
      {"gpu|precision",
       [](const L& l) {
         return join({l.gpu, l.precision});
       },
       {0.06, 0, 0, 0, 0},
       true},
      {"gpu|mode",
       [](const L& l) {
         return join({l.gpu, l.mode});
       },
       {0.06, 0, 0, 0, 0},
       true},
      {"vendor|mode",
       [](const L& l) {
         return join({l.vendor, l.mode});
       },
       {0.07, 0, 0, 0, 0}},
      {"family", [](const L& l) { return l.family; }, {0.06, 0, 0, 0, 0}},
      {"family|precision",
       [](const L& l) {
         return join({l.family, l.precision});
       },
       {0.06, 0, 0, 0, 0}},
      {"family|gpu|precision",
       [](const L& l) {
         return join({l.family, l.gpu, l.precision});
       },
       {0.05, 0, 0, 0, 0},
       true},
      {"net", [](const L& l) { return l.net; }, {0.07, 0.05, 0.03, 0.02, 0.01}},
      {"net|precision",
       [](const L& l) {
         return join({l.net, l.precision});
       },
       {0.05, 0, 0, 0, 0}},
      {"net|vendor",
       [](const L& l) {
         return join({l.net, l.mode, l.vendor});
       },
       {0.06, 0, 0.03, 0, 0}},
      {"case",
       [](const L& l) {
         return join({case_of(l), l.vendor});
       },
       {0.08, 0, 0, 0, 0}},
      {"net|gpu",
       [](const L& l) {
         return join({l.net, l.gpu, l.precision, l.mode});
       },
       {0.05, 0.04, 0.03, 0.01, 0.01},
       true},
      {"net|gpu|size",
       [](const L& l) {
         return join({l.net, l.gpu, l.precision, l.mode, at_size(l)});
       },
       {0.06, 0, 0.03, 0, 0},
       true},
  };
  return all;
}

std::string key(const Term& term, const CaseLabels& labels) {
  return std::string(term.name) + ":" + term.group(labels);
}

EffectWeights basis(const CaseLabels& l) {
  return {1, l.size, l.batch, l.size * l.batch, l.batch * l.batch};
}

// Covariance of two rows: over the terms whose group they share.
Eigen::MatrixXd covariance(std::span<const CaseLabels> rows, bool device_only) {
  const auto n = static_cast<Eigen::Index>(rows.size());
  Eigen::MatrixXd k = Eigen::MatrixXd::Zero(n, n);
  std::vector<EffectWeights> phi;
  for (const auto& row : rows) phi.push_back(basis(row));
  for (const Term& term : terms()) {
    if (device_only && !term.of_device) continue;
    std::map<std::string, std::vector<std::size_t>> groups;
    for (std::size_t i = 0; i < rows.size(); ++i) groups[term.group(rows[i])].push_back(i);
    for (const auto& [name, members] : groups) {
      for (const std::size_t a : members) {
        for (const std::size_t b : members) {
          double sum = 0;
          for (std::size_t f = 0; f < kEffectBasis; ++f) {
            sum += term.sds[f] * term.sds[f] * phi[a][f] * phi[b][f];
          }
          k(static_cast<Eigen::Index>(a), static_cast<Eigen::Index>(b)) += sum;
        }
      }
    }
  }
  return k;
}

void learn(Effects& effects, std::span<const CaseLabels> rows, std::span<const double> left_over,
           bool device_only) {
  if (rows.empty()) return;
  Eigen::MatrixXd k = covariance(rows, device_only);
  k.diagonal().array() += kNoise * kNoise;
  const Eigen::Map<const Eigen::VectorXd> r(left_over.data(), static_cast<Eigen::Index>(left_over.size()));
  const Eigen::VectorXd dual = k.llt().solve(r);
  for (const Term& term : terms()) {
    if (device_only && !term.of_device) continue;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const EffectWeights phi = basis(rows[i]);
      EffectWeights& weights = effects.by_group[key(term, rows[i])];
      for (std::size_t f = 0; f < kEffectBasis; ++f) {
        weights[f] += term.sds[f] * term.sds[f] * phi[f] * dual[static_cast<Eigen::Index>(i)];
      }
    }
  }
}

}  // namespace

double Effects::of(const CaseLabels& labels) const {
  const EffectWeights phi = basis(labels);
  double sum = 0;
  for (const Term& term : terms()) {
    const auto it = by_group.find(key(term, labels));
    if (it == by_group.end()) continue;
    for (std::size_t f = 0; f < kEffectBasis; ++f) sum += it->second[f] * phi[f];
  }
  return sum;
}

Effects Effects::scaled(double factor) const {
  Effects smaller = *this;
  for (auto& [group, weights] : smaller.by_group) {
    for (double& weight : weights) weight *= factor;
  }
  return smaller;
}

bool Effects::knows_net(const std::string& net) const {
  return by_group.contains("net:" + net);
}

Effects fit_effects(std::span<const CaseLabels> rows, std::span<const double> left_over) {
  Effects effects;
  learn(effects, rows, left_over, false);
  return effects;
}

Effects refine_effects(const Effects& known, std::span<const CaseLabels> rows,
                       std::span<const double> left_over) {
  Effects effects = known;
  std::vector<double> unexplained;
  for (std::size_t i = 0; i < rows.size(); ++i) unexplained.push_back(left_over[i] - known.of(rows[i]));
  learn(effects, rows, unexplained, true);
  return effects;
}

}  // namespace sextant
