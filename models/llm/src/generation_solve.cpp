// Levenberg and Marquardt's method on logarithms of seconds; all coefficients are drawn to what is assumed of
// them, and far rows weigh less.
#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <set>

#include "generation_law.h"

namespace sextant::llm {
namespace {

constexpr double kSpreadOfRows = 0.1;  // of the logarithm
constexpr double kFarRow = 2;          // spreads, beyond which a row weighs less
constexpr double kRowsOfGroup = 100;   // of an engine on a device; more weigh together as these do
constexpr double kDifference = 1e-4;
constexpr int kMostRounds = 40;
constexpr int kMostAttempts = 6;
constexpr double kEnoughGain = 1e-4;  // of the objective

std::string group_of(const GenerationCase& at) {
  return at.engine + " " + at.gpu.id;
}

}  // namespace

struct GenerationProblem::Equations {
  Eigen::MatrixXd matrix;
  Eigen::VectorXd gradient;
};

GenerationProblem::GenerationProblem(const std::vector<TimedGeneration>& rows) : timed_(rows) {
  for (std::size_t i = 0; i < kGenerationFields; ++i) {
    const GenerationPrior& prior = generation_priors()[i];
    unknowns_.push_back({i, std::log(prior.mean), prior.deviation});
  }
  std::map<std::string, double> counts;
  for (const TimedGeneration& row : rows) counts[group_of(row.at)] += 1;
  for (const TimedGeneration& timed : rows) {
    Row row;
    row.weight = std::sqrt(std::min(1.0, kRowsOfGroup / counts[group_of(timed.at)])) / kSpreadOfRows;
    for (std::size_t i = 0; i < kGenerationFields; ++i) row.unknowns.push_back(i);
    for (const auto& key : generation_departures(timed.at)) {
      const auto [found, added] = places_.try_emplace(key);
      for (std::size_t i = 0; added && i < kGenerationFields; ++i) {
        const double deviation = departure_deviation(key.first, i);
        found->second.push_back(deviation > 0 ? std::optional(unknowns_.size()) : std::nullopt);
        if (deviation > 0) unknowns_.push_back({i, 0, deviation});
      }
      for (const auto& place : found->second) {
        if (place) row.unknowns.push_back(*place);
      }
    }
    rows_.push_back(std::move(row));
  }
}

GenerationValues GenerationProblem::values(std::size_t row, const std::vector<double>& x) const {
  GenerationValues logarithms{};
  for (const std::size_t u : rows_[row].unknowns) logarithms[unknowns_[u].field] += x[u];
  return logarithms;
}

double GenerationProblem::residual(std::size_t row, const GenerationValues& logarithms) const {
  const TimedGeneration& timed = timed_[row];
  const GenerationSeconds s = generation_seconds(timed.counted, plain_values(logarithms));
  return std::log((timed.first_token ? s.first : s.total) / timed.seconds);
}

double GenerationProblem::objective(const std::vector<bool>& kept, const std::vector<double>& x) const {
  double sum = 0;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    if (!kept[i]) continue;
    const double z = residual(i, values(i, x)) * rows_[i].weight / kFarRow;
    sum += 2 * kFarRow * kFarRow * (std::sqrt(1 + z * z) - 1);
  }
  for (std::size_t u = 0; u < unknowns_.size(); ++u) {
    const double z = (x[u] - unknowns_[u].mean) / unknowns_[u].deviation;
    sum += z * z;
  }
  return sum;
}

void GenerationProblem::add_row(std::size_t row, const std::vector<double>& x, Equations& to) const {
  GenerationValues logarithms = values(row, x);
  const double r = residual(row, logarithms);
  GenerationValues slope{};
  for (std::size_t i = 0; i < kGenerationFields; ++i) {
    const double before = logarithms[i];
    logarithms[i] += kDifference;
    slope[i] = (residual(row, logarithms) - r) / kDifference;
    logarithms[i] = before;
  }
  const double w = rows_[row].weight;
  const double z = r * w / kFarRow;
  const double weight = w * w / std::sqrt(1 + z * z);
  for (const std::size_t a : rows_[row].unknowns) {
    const double scaled = weight * slope[unknowns_[a].field];
    to.gradient[static_cast<Eigen::Index>(a)] += scaled * r;
    for (const std::size_t b : rows_[row].unknowns)
      to.matrix(static_cast<Eigen::Index>(b), static_cast<Eigen::Index>(a)) +=
          scaled * slope[unknowns_[b].field];
  }
}

GenerationProblem::Equations GenerationProblem::equations(const std::vector<bool>& kept,
                                                          const std::vector<double>& x) const {
  const auto n = static_cast<Eigen::Index>(x.size());
  Equations e{Eigen::MatrixXd::Zero(n, n), Eigen::VectorXd::Zero(n)};
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    if (kept[i]) add_row(i, x, e);
  }
  for (std::size_t u = 0; u < unknowns_.size(); ++u) {
    const auto i = static_cast<Eigen::Index>(u);
    const double precision = 1 / (unknowns_[u].deviation * unknowns_[u].deviation);
    e.matrix(i, i) += precision;
    e.gradient[i] += precision * (x[u] - unknowns_[u].mean);
  }
  return e;
}

std::vector<double> GenerationProblem::solve(const std::vector<bool>& kept,
                                             const std::vector<double>& start) const {
  std::vector<double> x = start;
  for (std::size_t u = x.size(); u < unknowns_.size(); ++u) x.push_back(unknowns_[u].mean);
  double best = objective(kept, x);
  double damping = 1e-2;
  for (int round = 0; round < kMostRounds; ++round) {
    const Equations e = equations(kept, x);
    const double before = best;
    for (int attempt = 0; attempt < kMostAttempts && best == before; ++attempt) {
      Eigen::MatrixXd damped = e.matrix;
      damped.diagonal() *= 1 + damping;
      const Eigen::VectorXd step = damped.llt().solve(e.gradient).cwiseMin(1).cwiseMax(-1);
      std::vector<double> next = x;
      for (std::size_t u = 0; u < next.size(); ++u) next[u] -= step[static_cast<Eigen::Index>(u)];
      const double value = objective(kept, next);
      damping = value < best ? std::max(1e-6, damping / 5) : damping * 6;
      if (value >= best) continue;
      x = std::move(next);
      best = value;
    }
    if (before - best < kEnoughGain * before) break;
  }
  return x;
}

GenerationModel GenerationProblem::model(const std::vector<bool>& kept, const std::vector<double>& x) const {
  GenerationModel model;
  model.shared.assign(x.begin(), x.begin() + kGenerationFields);
  std::set<std::pair<std::string, std::string>> seen;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    if (!kept[i]) continue;
    const GenerationCase& at = timed_[i].at;
    model.engines[at.engine] += 1;
    model.gpus[at.gpu.id] += 1;
    model.networks[at.model.name] += 1;
    model.rows += 1;
    model.mean_error += std::abs(std::expm1(residual(i, values(i, x))));
    for (const auto& key : generation_departures(at)) seen.insert(key);
  }
  model.mean_error /= std::max(1, model.rows);
  for (const auto& [key, places] : places_) {
    if (!seen.contains(key)) continue;
    auto& departures = model.departures[key];
    for (const auto& place : places) departures.push_back(place ? x[*place] : 0);
  }
  return model;
}

double log_error(const GenerationModel& model, const TimedGeneration& row) {
  const GenerationSeconds s = generation_seconds(row.counted, values_of(model, row.at));
  return std::log((row.first_token ? s.first : s.total) / row.seconds);
}

}  // namespace sextant::llm
