// Many Gaussian processes with drawn kernels, weighted by the marginal likelihood of what was seen: a
// prediction that is as unsure as it should be after few runs. With many runs one kernel carries all the
// weight; then few are kept, chosen on a part of the runs, refined on all.
#pragma once

#include <functional>
#include <vector>

#include "acquisition.h"
#include "kernel_prior.h"

namespace sextant::explore {

// Somebody's belief, or another study's surface, as the mean around which a process varies: a number per
// point of the data and per candidate, in the unit of the values. Only differences count.
struct BeliefMean {
  Eigen::VectorXd at_data;
  Eigen::VectorXd at_candidates;
  double chance = 0;      // share of the draws that start from it
  double typical_sd = 1;  // how far the truth is from it
};

struct EnsembleInput {
  const FeatureMap& features;
  GpData data;       // completed trials, and failed ones as vague bad values
  GpPoints pending;  // of running trials
  ScalePrior scale;  // in the unit of the values
  KernelPrior prior = {};
  std::vector<BeliefMean> means = {};
  std::size_t draws = 160;
  std::size_t most_kernels = 160;        // kept; 1: that of the largest likelihood alone
  std::size_t most_numbers = 2'000'000;  // trials times candidates times kernels kept: time of a step
  Rng stream;
};

struct EnsembleMember {
  GaussianProcess process;               // of values less the mean; running trials are believed as predicted
  double weight = 0;                     // sum to 1
  std::optional<std::size_t> mean = {};  // index
};

struct EnsemblePick {
  Eigen::Index candidate = 0;
  double improvement = 0;  // expected, times the chance to count
  double chance = 0;       // of a value below the best
  double mean = 0;
};

// Of candidates by their index, between 0 and 1; empty: 1 for all. Asked only of those that matter.
using CandidateChances = std::function<Eigen::VectorXd(std::span<const Eigen::Index>)>;

class GpEnsemble {
 public:
  // At least one value. Candidates may be none.
  GpEnsemble(EnsembleInput input, GpPoints candidates);

  [[nodiscard]] const std::vector<EnsembleMember>& members() const { return members_; }
  // Candidate with the largest expected improvement over `best`, noise included, times its chance to count.
  // Exact: candidates that an upper bound rules out are not looked at.
  [[nodiscard]] EnsemblePick largest_improvement(double best, const CandidateChances& chances) const;
  // P(value < limit) of these candidates.
  [[nodiscard]] Eigen::VectorXd chances_below(double limit, std::span<const Eigen::Index> chosen) const;
  [[nodiscard]] Eigen::VectorXd means() const;  // of every candidate

 private:
  [[nodiscard]] Eigen::VectorXd improvement_bounds(double best) const;
  [[nodiscard]] std::vector<NormalPrediction> predictions(const EnsembleMember& member,
                                                          std::span<const Eigen::Index> chosen) const;
  static std::vector<Eigen::Index> promising_first(const Eigen::VectorXd& bounds);
  [[nodiscard]] std::vector<EnsemblePick> looked_at(std::span<const Eigen::Index> chosen, double best) const;

  GpPoints candidates_;
  std::vector<BeliefMean> means_;
  std::vector<EnsembleMember> members_;
  std::vector<Eigen::MatrixXd> crosses_;  // by member: data and running by candidates
};

}  // namespace sextant::explore
