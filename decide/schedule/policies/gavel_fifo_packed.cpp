// First come, first served on the fastest type; who finds no GPU joins the running job with which it packs
// best, if together they do half as much again as one alone.
#include <memory>
#include <optional>
#include <unordered_map>

#include "gavel_rows.h"

namespace sextant::schedule::policy_gavel_fifo_packed {
namespace {

class FifoPacked final : public SharePolicy {
 public:
  explicit FifoPacked(double threshold) : threshold_(threshold) {}

  void allocate(const ShareProblem& problem, Shares& out) override {
    out.reset(problem.jobs.size() + problem.pairs.size(), problem.types.size());
    FifoOutcome outcome = fifo_by_speed(problem);
    pair_of_.clear();
    for (std::size_t p = 0; p < problem.pairs.size(); ++p)
      pair_of_.emplace(problem.pairs[p].first * problem.jobs.size() + problem.pairs[p].second, p);
    std::vector<FifoPlace>& alone = outcome.placed;
    for (std::size_t j = outcome.first_waiting; j < problem.jobs.size(); ++j) {
      const auto best = best_partner(problem, alone, j);
      if (!best) break;
      out.at(problem.jobs.size() + best->pair, alone[best->place].type) = 1;
      alone.erase(alone.begin() + static_cast<std::ptrdiff_t>(best->place));
    }
    for (const FifoPlace& place : alone) out.at(place.job, place.type) = 1;
  }

 private:
  struct Partner {
    std::size_t place = 0;
    std::size_t pair = 0;
  };

  [[nodiscard]] std::optional<Partner> best_partner(const ShareProblem& problem,
                                                    const std::vector<FifoPlace>& alone,
                                                    std::size_t job) const {
    std::optional<Partner> best;
    double most = threshold_;
    for (std::size_t i = 0; i < alone.size(); ++i) {
      const auto pair = pair_of_.find(alone[i].job * problem.jobs.size() + job);
      if (pair == pair_of_.end()) continue;
      const double together = normalised(problem, problem.pairs[pair->second], alone[i].type);
      if (together <= most) continue;
      most = together;
      best = Partner{.place = i, .pair = pair->second};
    }
    return best;
  }

  static double normalised(const ShareProblem& problem, const SharePair& pair, std::size_t type) {
    double sum = 0;
    if (pair.first_rate[type] > 0) sum += pair.first_rate[type] / problem.jobs[pair.first].rate[type];
    if (pair.second_rate[type] > 0) sum += pair.second_rate[type] / problem.jobs[pair.second].rate[type];
    return sum;
  }

  double threshold_;
  std::unordered_map<std::size_t, std::size_t> pair_of_ = {};
};

}  // namespace

std::vector<PolicyInfo> plugin() {
  PolicyInfo info{{.id = "gavel-fifo-packed",
                   .summary = "first come, first served, then beside the running job that it packs best with",
                   .reference = "Narayanan et al., OSDI 2020 (Gavel), released code",
                   .parameters = {number_parameter(
                       "threshold", "least sum of speeds relative to alone, to share GPUs", {1.5, 0, 2})}}};
  info.aliases = {"fifo_packed"};
  info.share = [](const PolicySetup& setup) -> std::unique_ptr<SharePolicy> {
    return std::make_unique<FifoPacked>(setup.parameters.number("threshold"));
  };
  info.gavel = "fifo_packed";
  info.packs = true;
  info.takes_idle = false;
  return {info};
}

}  // namespace sextant::schedule::policy_gavel_fifo_packed
