// Intervals from what was left out. With J the slopes, W the weights and S the inverse curvature, the
// residuals of a group that the fit had not seen are (1 - J S J' W)^-1 r to first order, so no fit is made
// again.
#include <algorithm>
#include <cmath>
#include <optional>

#include "sextant/stats/quantiles.h"
#include "step_equations.h"

namespace sextant::llm {
namespace {

constexpr double kTail = 0.9;
constexpr double kSharedRows = 8;  // the middle of all software counts as so many rows of each
constexpr double kLeast = 0.03;
constexpr double kMost = 1.5;
constexpr std::size_t kLargestGroup = 400;  // rows; others of a larger group are kept

using Groups = std::map<std::string, std::vector<std::size_t>>;  // positions among the kept rows

Eigen::MatrixXd covariances(const StepLinear& linear, const std::vector<std::size_t>& group,
                            const Eigen::MatrixXd& inverse) {
  const auto n = static_cast<Eigen::Index>(group.size());
  Eigen::MatrixXd out(n, n);
  Eigen::VectorXd spread(inverse.rows());
  for (Eigen::Index a = 0; a < n; ++a) {
    spread.setZero();
    for (const auto& entry : linear.slopes[group[static_cast<std::size_t>(a)]])
      spread += entry.slope * inverse.col(entry.unknown);
    for (Eigen::Index b = 0; b < n; ++b) {
      double sum = 0;
      for (const auto& entry : linear.slopes[group[static_cast<std::size_t>(b)]])
        sum += entry.slope * spread(entry.unknown);
      out(a, b) = sum;
    }
  }
  return out;
}

// |residual| of each kept row with its group left out.
std::vector<double> left_out(const StepLinear& linear, const Groups& groups, const Eigen::MatrixXd& inverse) {
  std::vector<double> out(linear.residuals.size(), 0);
  for (const auto& [name, group] : groups) {
    const auto n = static_cast<Eigen::Index>(group.size());
    Eigen::MatrixXd system = -covariances(linear, group, inverse);
    Eigen::VectorXd residuals(n);
    for (Eigen::Index a = 0; a < n; ++a) {
      system.col(a) *= linear.weights[group[static_cast<std::size_t>(a)]];
      residuals(a) = linear.residuals[group[static_cast<std::size_t>(a)]];
    }
    system.diagonal().array() += 1;
    const Eigen::VectorXd solved = system.partialPivLu().solve(residuals);
    for (Eigen::Index a = 0; a < n; ++a) out[group[static_cast<std::size_t>(a)]] = std::abs(solved(a));
  }
  return out;
}

Groups group_by(const StepProblem& problem, const std::vector<std::size_t>& kept,
                std::string StepRow::*name) {
  Groups groups;
  for (std::size_t i = 0; i < kept.size(); ++i) {
    auto& group = groups[problem.rows[kept[i]].*name];
    if (group.size() < kLargestGroup) group.push_back(i);
  }
  return groups;
}

// Software on one architecture, where it was timed on another one too.
Groups pairs_with_others(const StepProblem& problem, const std::vector<std::size_t>& kept) {
  Groups pairs = group_by(problem, kept, &StepRow::pair);
  std::map<std::string, int> architectures;
  const auto stack_of_pair = [](const std::string& pair) { return pair.substr(0, pair.rfind(' ')); };
  for (const auto& [pair, rows] : pairs) architectures[stack_of_pair(pair)] += 1;
  std::erase_if(pairs, [&](const auto& entry) { return architectures[stack_of_pair(entry.first)] < 2; });
  return pairs;
}

// What covers so much of the left-out residuals where each group counts the same: the next device is one more
// of the devices, however many rows each of them has.
std::optional<double> width_of_groups(const Groups& groups, const std::vector<double>& residuals) {
  struct Weighed {
    double residual;
    double weight;
  };
  std::vector<Weighed> all;
  for (const auto& [name, group] : groups) {
    const double weight = 1 / static_cast<double>(group.size() * groups.size());
    for (const std::size_t i : group) all.push_back({residuals[i], weight});
  }
  std::ranges::sort(all, {}, &Weighed::residual);
  double covered = 0;
  for (const Weighed& one : all) {
    covered += one.weight;
    if (covered >= kTail) return one.residual;
  }
  return {};
}

double middle_of(std::vector<double> values) {
  return stats::sample_quantile(values, 0.5);
}

}  // namespace

StepWidths widths_of(const StepProblem& problem, const std::vector<std::size_t>& kept,
                     const std::vector<double>& unknowns) {
  const StepLinear linear = linearise(problem, kept, unknowns);
  const auto n = linear.curvature.rows();
  const Eigen::MatrixXd inverse = linear.curvature.llt().solve(Eigen::MatrixXd::Identity(n, n));
  const auto by_model = left_out(linear, group_by(problem, kept, &StepRow::model_group), inverse);
  const auto by_count = left_out(linear, group_by(problem, kept, &StepRow::count_group), inverse);
  // Steps on one node with the software of 2021 are thousands; they would hide what other groups say.
  Groups gpus;
  for (std::size_t i = 0; i < kept.size(); ++i) {
    const StepRow& row = problem.rows[kept[i]];
    if (!row.stack.starts_with("megatron-deepspeed")) gpus[row.gpu].push_back(i);
  }
  const auto by_gpu = left_out(linear, gpus, inverse);
  const Groups pairs = pairs_with_others(problem, kept);
  const auto by_pair = left_out(linear, pairs, inverse);
  struct Scores {
    std::vector<double> model;
    std::vector<double> count;
  };
  std::map<std::string, Scores> stacks;
  for (std::size_t i = 0; i < kept.size(); ++i) {
    Scores& scores = stacks[problem.rows[kept[i]].stack];
    scores.model.push_back(by_model[i]);
    scores.count.push_back(by_count[i]);
  }
  StepWidths widths;
  std::vector<double> all;
  for (const auto& [stack, scores] : stacks) {
    const double width =
        std::max(stats::sample_quantile(scores.model, kTail), stats::sample_quantile(scores.count, kTail));
    widths.stacks[stack] = width;
    all.push_back(width);
  }
  widths.other = std::clamp(middle_of(all), kLeast, kMost);
  for (auto& [stack, width] : widths.stacks) {
    const auto rows = static_cast<double>(stacks[stack].model.size());
    width = std::clamp((rows * width + kSharedRows * widths.other) / (rows + kSharedRows), kLeast, kMost);
  }
  widths.new_gpu = std::clamp(width_of_groups(gpus, by_gpu).value_or(widths.new_gpu), widths.other, kMost);
  widths.new_pair =
      std::clamp(width_of_groups(pairs, by_pair).value_or(widths.new_pair), widths.other, kMost);
  return widths;
}

}  // namespace sextant::llm
