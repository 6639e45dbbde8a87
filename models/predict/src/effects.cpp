#include "sextant/predict/effects.h"

#include <Eigen/Sparse>
#include <algorithm>
#include <cmath>
#include <set>

#include "sextant/core/text.h"

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

// The weights of all groups as one vector, each in units of its standard deviation.
class EffectColumns {
 public:
  explicit EffectColumns(bool device_only) : device_only_(device_only) {}

  struct Entry {
    int column;
    double value;
  };
  // What a row multiplies the weights with; groups that are new get columns.
  std::vector<Entry> row(const CaseLabels& labels) {
    std::vector<Entry> entries;
    const EffectWeights phi = basis(labels);
    for (const Term& term : terms()) {
      if (device_only_ && !term.of_device()) continue;
      const auto [it, fresh] = first_.try_emplace(key(term, labels), count_);
      if (fresh)
        count_ += static_cast<int>(std::ranges::count_if(term.sds, [](double sd) { return sd > 0; }));
      int column = it->second;
      for (std::size_t f = 0; f < kEffectBasis; ++f) {
        if (term.sds[f] > 0) entries.push_back({column++, term.sds[f] * phi[f]});
      }
    }
    return entries;
  }

  [[nodiscard]] int count() const { return count_; }

  void add_to(Effects& effects, const Eigen::VectorXd& solution) const {
    for (const auto& [group, first] : first_) {
      EffectWeights& weights = effects.by_group[group];
      int column = first;
      const Term& term = *std::ranges::find(terms(), group.substr(0, group.find(':')), &Term::name);
      for (std::size_t f = 0; f < kEffectBasis; ++f) {
        if (term.sds[f] > 0) weights[f] += term.sds[f] * solution[column++];
      }
    }
  }

 private:
  bool device_only_;
  int count_ = 0;
  std::map<std::string, int> first_;  // column of a group
};

// The mean of the Gaussian process, by its weights rather than by its rows: groups are nested in each other
// for the most part, so that the normal equations are sparse, and their solution takes little more than
// reading them.
void learn(Effects& effects, std::span<const CaseLabels> rows, std::span<const double> left_over,
           bool device_only) {
  if (rows.empty()) return;
  EffectColumns columns(device_only);
  std::vector<Eigen::Triplet<double>> normal;
  std::vector<double> right;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto entries = columns.row(rows[i]);
    right.resize(static_cast<std::size_t>(columns.count()), 0);
    for (const auto& a : entries) {
      right[static_cast<std::size_t>(a.column)] += a.value * left_over[i];
      for (const auto& b : entries) {
        if (b.column <= a.column) normal.emplace_back(a.column, b.column, a.value * b.value);
      }
    }
  }
  for (int c = 0; c < columns.count(); ++c) normal.emplace_back(c, c, kNoise * kNoise);
  Eigen::SparseMatrix<double> matrix(columns.count(), columns.count());
  matrix.setFromTriplets(normal.begin(), normal.end());
  const Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>, Eigen::Lower> solver(matrix);
  const Eigen::Map<const Eigen::VectorXd> r(right.data(), static_cast<Eigen::Index>(right.size()));
  columns.add_to(effects, solver.solve(r));
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

std::vector<std::int64_t> Effects::batches_of(const CaseLabels& labels) const {
  const std::string prefix = "case:" + labels.net + "|" + labels.mode + "|" + labels.precision + "|";
  std::set<std::int64_t> batches;
  for (auto it = by_group.lower_bound(prefix); it != by_group.end() && it->first.starts_with(prefix); ++it) {
    const std::string_view rest = std::string_view(it->first).substr(prefix.size());  // size|batch|vendor
    const std::size_t begin = rest.find('|') + 1;
    const auto batch = to_integer(rest.substr(begin, rest.find('|', begin) - begin));
    if (batch && *batch > 0) batches.insert(*batch);
  }
  return {batches.begin(), batches.end()};
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
