#include "gp_ensemble.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "kernel_choice.h"

namespace sextant::explore {
namespace {

constexpr Eigen::Index kExactAtOnce = 64;

// Conditioned on the values, then on running trials as if they gave what is expected of them: means stay,
// and nobody asks for the same information twice.
GaussianProcess believing(const WeighedKernel& kernel, const EnsembleInput& input) {
  GpData data = residuals(input, kernel.mean);
  GaussianProcess process(kernel.kernel, data, scale_of(input, kernel.mean));
  const Eigen::Index running = input.pending.cols();
  if (running == 0) return process;
  const Eigen::Index seen = data.values.size();
  const Eigen::VectorXd expected = process.predict(input.pending).mean;
  data.points.conservativeResize(Eigen::NoChange, seen + running);
  data.points.rightCols(running) = input.pending;
  data.values.conservativeResize(seen + running);
  data.values.tail(running) = expected;
  data.extra_noise.conservativeResize(seen + running);
  data.extra_noise.tail(running).setZero();
  return {kernel.kernel, data, {std::numeric_limits<double>::infinity(), process.scale()}};
}

double offset(const std::vector<BeliefMean>& means, const EnsembleMember& member, Eigen::Index candidate) {
  return member.mean ? means[*member.mean].at_candidates[candidate] : 0;
}

}  // namespace

GpEnsemble::GpEnsemble(EnsembleInput input, GpPoints candidates) : candidates_(std::move(candidates)) {
  const auto numbers = static_cast<std::size_t>(
      std::max<Eigen::Index>(1, (input.data.values.size() + input.pending.cols()) * candidates_.cols()));
  const std::size_t most = std::clamp<std::size_t>(input.most_numbers / numbers, 1, input.most_kernels);
  for (WeighedKernel& kernel : chosen_kernels(input, most)) {
    members_.push_back({believing(kernel, input), kernel.weight, kernel.mean});
    crosses_.push_back(members_.back().process.cross(candidates_));
  }
  means_ = std::move(input.means);
}

std::vector<NormalPrediction> GpEnsemble::predictions(const EnsembleMember& member,
                                                      std::span<const Eigen::Index> chosen) const {
  const auto& whole = crosses_[static_cast<std::size_t>(&member - members_.data())];
  const std::vector<Eigen::Index> columns(chosen.begin(), chosen.end());
  Eigen::MatrixXd cross = whole(Eigen::all, columns);
  const GpPoints points = candidates_(Eigen::all, columns);
  const GpPrediction found = member.process.predict(cross, self_covariance(member.process.kernel(), points));
  std::vector<NormalPrediction> result(columns.size());
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const auto at = static_cast<Eigen::Index>(i);
    result[i] = {found.mean[at] + offset(means_, member, columns[i]),
                 std::sqrt(found.variance[at] + member.process.noise())};
  }
  return result;
}

// One run that is known cannot leave more variance than it alone would: k(x,x) - k(x,x_i)^2 / k(x_i,x_i).
Eigen::VectorXd GpEnsemble::improvement_bounds(double best) const {
  Eigen::VectorXd bounds = Eigen::VectorXd::Zero(candidates_.cols());
  for (std::size_t m = 0; m < members_.size(); ++m) {
    const GaussianProcess& process = members_[m].process;
    const Eigen::VectorXd mean = process.mean(crosses_[m]);
    const Eigen::VectorXd left =
        process.variance_bound(crosses_[m], self_covariance(process.kernel(), candidates_));
    for (Eigen::Index i = 0; i < bounds.size(); ++i) {
      const NormalPrediction y{mean[i] + offset(means_, members_[m], i),
                               std::sqrt(left[i] + process.noise())};
      bounds[i] += members_[m].weight * expected_improvement(y, best);
    }
  }
  return bounds;
}

// Best first by what they can improve at most.
std::vector<Eigen::Index> GpEnsemble::promising_first(const Eigen::VectorXd& bounds) {
  std::vector<Eigen::Index> order(static_cast<std::size_t>(bounds.size()));
  std::iota(order.begin(), order.end(), Eigen::Index{0});
  std::ranges::stable_sort(order, std::greater<>(), [&](Eigen::Index i) { return bounds[i]; });
  return order;
}

std::vector<EnsemblePick> GpEnsemble::looked_at(std::span<const Eigen::Index> chosen, double best) const {
  std::vector<EnsemblePick> picks(chosen.size());
  for (std::size_t i = 0; i < chosen.size(); ++i) picks[i].candidate = chosen[i];
  for (const EnsembleMember& member : members_) {
    const std::vector<NormalPrediction> y = predictions(member, chosen);
    for (std::size_t i = 0; i < y.size(); ++i) {
      picks[i].improvement += member.weight * expected_improvement(y[i], best);
      picks[i].chance += member.weight * chance_below(y[i], best);
      picks[i].mean += member.weight * y[i].mean;
    }
  }
  return picks;
}

// A chance is at most 1, so bounds without it are bounds.
EnsemblePick GpEnsemble::largest_improvement(double best, const CandidateChances& chances) const {
  const Eigen::VectorXd bounds = improvement_bounds(best);
  const std::vector<Eigen::Index> order = promising_first(bounds);
  EnsemblePick pick;
  pick.improvement = -1;
  for (std::size_t from = 0; from < order.size() && bounds[order[from]] > pick.improvement;
       from += kExactAtOnce) {
    const auto chosen =
        std::span(order).subspan(from).first(std::min<std::size_t>(kExactAtOnce, order.size() - from));
    std::vector<EnsemblePick> picks = looked_at(chosen, best);
    const Eigen::VectorXd counts =
        chances ? chances(chosen) : Eigen::VectorXd(Eigen::VectorXd::Ones(std::ssize(chosen)));
    for (std::size_t i = 0; i < picks.size(); ++i) {
      picks[i].improvement *= counts[static_cast<Eigen::Index>(i)];
      picks[i].chance *= counts[static_cast<Eigen::Index>(i)];
      if (picks[i].improvement > pick.improvement) pick = picks[i];
    }
  }
  return pick;
}

Eigen::VectorXd GpEnsemble::chances_below(double limit, std::span<const Eigen::Index> chosen) const {
  Eigen::VectorXd chances = Eigen::VectorXd::Zero(std::ssize(chosen));
  for (const EnsembleMember& member : members_) {
    const std::vector<NormalPrediction> y = predictions(member, chosen);
    for (std::size_t i = 0; i < y.size(); ++i) {
      chances[static_cast<Eigen::Index>(i)] += member.weight * chance_below(y[i], limit);
    }
  }
  return chances;
}

Eigen::VectorXd GpEnsemble::means() const {
  Eigen::VectorXd mean = Eigen::VectorXd::Zero(candidates_.cols());
  for (std::size_t m = 0; m < members_.size(); ++m) {
    mean += members_[m].weight * members_[m].process.mean(crosses_[m]);
    if (members_[m].mean) mean += members_[m].weight * means_[*members_[m].mean].at_candidates;
  }
  return mean;
}

}  // namespace sextant::explore
