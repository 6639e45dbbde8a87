// Divide and conquer: over drawn coordinates, the updates that reach furthest along the direction in which
// all differ most are left out, c f of them; the mean of those that were left in every time. Shejwalkar,
// Houmansadr, NDSS 2021. Attackers that agree are found; one that hides behind a larger one, or in a
// coordinate that is not drawn, is not.
#include <Eigen/Dense>
#include <algorithm>

#include "flat_math.h"
#include "krum_scores.h"
#include "rule_parts.h"

namespace sextant::robust::rule_dnc {
namespace {

class Dnc final : public AggregationRule {
 public:
  explicit Dnc(const RuleSetup& setup)
      : coordinates_(static_cast<std::size_t>(setup.parameters.count("coordinates"))),
        iterations_(setup.parameters.count("iterations")),
        excess_(setup.parameters.number("c")),
        threads_(setup.threads) {}

  void aggregate(const RuleRound& round, Aggregation& out) override {
    const std::size_t n = round.updates.size();
    const auto wanted = static_cast<std::size_t>(excess_ * static_cast<double>(round.attackers));
    const std::size_t keep = n - std::min(wanted, n - 1);
    Selection selection{.scores = std::vector<double>(n, 0)};
    std::vector<std::int64_t> kept(n, 0);
    std::vector<std::size_t> last;
    for (std::int64_t k = 0; k < iterations_; ++k) {
      const Rng rng = round.rng.stream("coordinates", static_cast<std::uint64_t>(k));
      const std::vector<double> scores =
          outlier_scores(round.updates, draw_coordinates(round.updates.dimension, coordinates_, rng));
      last = smallest(scores, keep);
      for (const std::size_t i : last) ++kept[i];
      for (std::size_t i = 0; i < n; ++i) selection.scores[i] = std::max(selection.scores[i], scores[i]);
    }
    for (std::size_t i = 0; i < n; ++i) {
      if (kept[i] == iterations_) selection.chosen.push_back(i);
    }
    if (selection.chosen.empty()) selection.chosen = last;
    average_selected(round.updates, selection, threads_, out);
  }

 private:
  // Squared projections of the centered rows on their first right singular vector: with the rows' Gram matrix
  // G and its first eigenvector u, these are the eigenvalue times u^2.
  static std::vector<double> outlier_scores(const Updates& updates,
                                            const std::vector<std::size_t>& coordinates) {
    const auto n = static_cast<Eigen::Index>(updates.size());
    const auto count = static_cast<Eigen::Index>(coordinates.size());
    Eigen::MatrixXd rows(n, count);
    for (Eigen::Index k = 0; k < count; ++k) {
      const std::size_t coordinate = coordinates[static_cast<std::size_t>(k)];
      for (Eigen::Index i = 0; i < n; ++i) {
        rows(i, k) = static_cast<double>(updates.rows[static_cast<std::size_t>(i)].values[coordinate]);
      }
    }
    rows.rowwise() -= rows.colwise().mean().eval();
    const Eigen::MatrixXd gram = rows * rows.transpose();
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(gram);
    std::vector<double> scores(updates.size(), 0);
    if (solver.info() != Eigen::Success) return scores;
    const double largest = std::max(solver.eigenvalues()(n - 1), 0.0);
    for (Eigen::Index i = 0; i < n; ++i) {
      const double u = solver.eigenvectors()(i, n - 1);
      scores[static_cast<std::size_t>(i)] = largest * u * u;
    }
    return scores;
  }

  std::size_t coordinates_;
  std::int64_t iterations_;
  double excess_;
  std::size_t threads_;
};

}  // namespace

std::vector<AggregationRuleInfo> plugin() {
  AggregationRuleInfo info;
  info.id = "dnc";
  info.summary = "leaves out those that reach furthest along the direction in which all differ most";
  info.reference = "Shejwalkar, Houmansadr, NDSS 2021";
  info.parameters = {
      attackers_parameter(),
      count_parameter("coordinates", "drawn in an iteration", {.fallback = 10000, .low = 1, .high = 1e7}),
      count_parameter("iterations", "draws; an update is used that was left in each time",
                      {.fallback = 1, .low = 1, .high = 100}),
      number_parameter("c", "updates left out in an iteration, in f", {.fallback = 1, .low = 0, .high = 10}),
      bucket_parameter()};
  info.aliases = {"divide-and-conquer"};
  info.claims = {.bounded = false};
  info.most_attackers = less_than_half;
  info.cost = "n^2 coordinates + n^3 + n d";
  info.make = [](const RuleSetup& setup) -> std::unique_ptr<AggregationRule> {
    return std::make_unique<Dnc>(setup);
  };
  return {info};
}

}  // namespace sextant::robust::rule_dnc
