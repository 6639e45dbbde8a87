#include "sextant/predict/effects.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

namespace sextant::predict {
namespace {

enum class Label { gpu, vendor, net, family, precision, mode, size, batch };

// A kind of group: the labels that its rows share, and the sd of the effects of such groups, of log time,
// in the order of the basis.
struct Term {
  std::string_view name;
  std::vector<Label> labels;
  EffectWeights sds;

  [[nodiscard]] bool of_device() const { return std::ranges::find(labels, Label::gpu) != labels.end(); }
};

constexpr double kNoise = 0.05;  // of log time: what no group explains

std::string text_of(const CaseLabels& l, Label label) {
  switch (label) {
    case Label::gpu:
      return l.gpu;
    case Label::vendor:
      return l.vendor;
    case Label::net:
      return l.net;
    case Label::family:
      return l.family;
    case Label::precision:
      return l.precision;
    case Label::mode:
      return l.mode;
    case Label::size:
      return std::to_string(std::lround(100 * l.size));
    case Label::batch:
      return std::to_string(std::lround(l.samples));
  }
  return {};
}

const std::vector<Term>& terms() {
  using enum Label;
  static const std::vector<Term> all = {
      {"gpu", {gpu}, {0.10}},
      {"gpu|precision", {gpu, precision}, {0.06}},
      {"gpu|mode", {gpu, mode}, {0.06}},
      {"vendor|mode", {vendor, mode}, {0.07}},
      {"family", {family}, {0.06}},
      {"family|precision", {family, precision}, {0.06}},
      {"family|gpu|precision", {family, gpu, precision}, {0.05}},
      {"net", {net}, {0.07, 0.05, 0.03, 0.02, 0.01}},
      {"net|precision", {net, precision}, {0.05}},
      {"net|vendor", {net, mode, vendor}, {0.06, 0, 0.03}},
      {"case", {net, mode, precision, size, batch, vendor}, {0.08}},
      {"net|gpu", {net, gpu, precision, mode}, {0.05, 0.04, 0.03, 0.01, 0.01}},
      {"net|gpu|size", {net, gpu, precision, mode, size}, {0.06, 0, 0.03}},
  };
  return all;
}

std::string group_of(const Term& term, const CaseLabels& labels) {
  std::string group;
  for (const Label label : term.labels) {
    if (!group.empty()) group += '|';
    group += text_of(labels, label);
  }
  return group;
}

std::string key(const Term& term, const CaseLabels& labels) {
  return std::string(term.name) + ":" + group_of(term, labels);
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
    if (device_only && !term.of_device()) continue;
    std::map<std::string, std::vector<std::size_t>> groups;
    for (std::size_t i = 0; i < rows.size(); ++i) groups[group_of(term, rows[i])].push_back(i);
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
    if (device_only && !term.of_device()) continue;
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

bool Effects::knows_family(const CaseLabels& labels) const {
  // Timings of one device alone leave groups of that device only.
  const std::string on_a_device = "net|gpu:" + labels.net + "|";
  const auto timed = by_group.lower_bound(on_a_device);
  if (timed != by_group.end() && timed->first.starts_with(on_a_device)) return true;
  const std::string start = "net:";
  for (auto it = by_group.lower_bound(start); it != by_group.end() && it->first.starts_with(start); ++it) {
    const std::string net = it->first.substr(start.size());
    if (net == labels.net || (!labels.family.empty() && family_of(net) == labels.family)) return true;
  }
  return false;
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

}  // namespace sextant::predict
