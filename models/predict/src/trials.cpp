#include "sextant/predict/trials.h"

#include <Eigen/Dense>
#include <algorithm>
#include <limits>
#include <map>

#include "sextant/predict/kernel_model.h"

namespace sextant::predict {
namespace {

constexpr double kTrialNoise = 0.08;  // of log time, of a timed case around the model of its device

// Derivatives of log time by the departures, in units of how far devices usually depart.
Eigen::MatrixXd sensitivities(std::span<const Observation* const> candidates, const SharedFit& shared) {
  constexpr auto kWidth = static_cast<Eigen::Index>(coefficient::count);
  Eigen::MatrixXd rows(static_cast<Eigen::Index>(candidates.size()), kWidth);
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const Observation& o = *candidates[i];
    const Differentiable t =
        step_gradient(*o.kernels, o.device, coefficients_for(shared, o.software, nullptr)).total;
    for (std::size_t j = 0; j < coefficient::count; ++j) {
      rows(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) =
          t.by[j] / t.value * coefficient_table()[j].device_sd;
    }
  }
  return rows;
}

Eigen::MatrixXd after(Eigen::MatrixXd covariance, const Eigen::MatrixXd& rows,
                      const std::vector<Eigen::Index>& timed) {
  for (const Eigen::Index i : timed) {
    const Eigen::VectorXd gain = covariance * rows.row(i).transpose();
    covariance -= gain * gain.transpose() / (kTrialNoise * kTrialNoise + rows.row(i).dot(gain));
  }
  return covariance;
}

double mean_variance(const Eigen::MatrixXd& covariance, const Eigen::MatrixXd& rows) {
  return (rows * covariance).cwiseProduct(rows).sum();
}

}  // namespace

std::vector<std::string> choose_trials(const TrialChoice& choice, const SharedFit& shared) {
  const Eigen::MatrixXd rows = sensitivities(choice.candidates, shared);
  std::map<std::string, std::vector<Eigen::Index>> groups;
  for (std::size_t i = 0; i < choice.candidates.size(); ++i) {
    groups[choice.groups.empty() ? std::to_string(i) : choice.groups[i]].push_back(
        static_cast<Eigen::Index>(i));
  }
  Eigen::MatrixXd covariance = Eigen::MatrixXd::Identity(rows.cols(), rows.cols());
  std::vector<std::string> chosen;
  while (chosen.size() < std::min(choice.count, groups.size())) {
    double best = std::numeric_limits<double>::infinity();
    std::string name;
    for (const auto& [group, members] : groups) {
      if (std::ranges::find(chosen, group) != chosen.end()) continue;
      const double left = mean_variance(after(covariance, rows, members), rows);
      if (left < best) {
        best = left;
        name = group;
      }
    }
    covariance = after(covariance, rows, groups.at(name));
    chosen.push_back(name);
  }
  return chosen;
}

}  // namespace sextant::predict
