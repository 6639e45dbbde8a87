// Gavel's stand-in for Gandiva: where more GPUs are asked for than there are, jobs are paired at random and
// stay together while that pays; every job or pair gets an equal part of the cluster.
#include <algorithm>
#include <map>
#include <memory>
#include <unordered_map>

#include "gavel_rows.h"
#include "sextant/core/python_random.h"

namespace sextant::schedule::policy_gandiva {
namespace {

class Gandiva final : public SharePolicy {
 public:
  explicit Gandiva(std::uint64_t seed) : random_(seed) {}

  void allocate(const ShareProblem& problem, Shares& out) override {
    const std::size_t jobs = problem.jobs.size();
    out.reset(jobs + problem.pairs.size(), problem.types.size());
    if (problem.types.empty()) return;
    order_ = types_by_name(problem);
    index_.clear();
    pair_of_.clear();
    for (std::size_t j = 0; j < jobs; ++j) index_.emplace(problem.jobs[j].id, j);
    for (std::size_t p = 0; p < problem.pairs.size(); ++p)
      pair_of_.emplace(problem.pairs[p].first * jobs + problem.pairs[p].second, p);
    forget(problem);
    if (asks_for_more(problem)) {
      pair_up(problem);
      split_over_pairs(problem, out);
    } else {
      for (std::size_t j = 0; j < jobs; ++j)
        equal_split(problem, order_, {.units = static_cast<double>(jobs), .gpus = problem.jobs[j].gpus},
                    &out.at(j, 0));
    }
  }

 private:
  [[nodiscard]] bool asks_for_more(const ShareProblem& problem) const {
    double asked = 0;
    double there = 0;
    for (const ShareJob& job : problem.jobs) asked += job.gpus;
    for (const double gpus : problem.gpus) there += gpus;
    return asked > there;
  }

  // Pairs of which one has ended, or that do less together than one alone over all types.
  void forget(const ShareProblem& problem) {
    std::erase_if(partner_of_, [&](const auto& entry) {
      const auto first = index_.find(entry.first);
      const auto second = index_.find(entry.second);
      if (first == index_.end() || second == index_.end()) return true;
      return gain(problem, std::min(first->second, second->second), std::max(first->second, second->second)) <
             1;
    });
  }

  [[nodiscard]] double gain(const ShareProblem& problem, std::size_t first, std::size_t second) const {
    const auto found = pair_of_.find(first * problem.jobs.size() + second);
    if (found == pair_of_.end()) return 0;
    const SharePair& pair = problem.pairs[found->second];
    double sum = 0;
    for (const std::size_t t : order_) {
      if (pair.first_rate[t] <= 0 || pair.second_rate[t] <= 0) return 0;
      sum += pair.first_rate[t] / problem.jobs[first].rate[t];
      sum += pair.second_rate[t] / problem.jobs[second].rate[t];
    }
    return sum;
  }

  // As many draws as there are jobs to pair; jobs of different size are drawn in vain.
  void pair_up(const ShareProblem& problem) {
    std::vector<std::size_t> single;
    for (std::size_t j = 0; j < problem.jobs.size(); ++j) {
      if (!partner_of_.contains(problem.jobs[j].id)) single.push_back(j);
    }
    const std::size_t draws = single.size();
    for (std::size_t i = 0; i < draws && single.size() > 1; ++i) {
      const auto [a, b] = draw_two(single.size());
      const ShareJob& first = problem.jobs[single[a]];
      const ShareJob& second = problem.jobs[single[b]];
      if (first.gpus != second.gpus) continue;
      partner_of_[first.id] = second.id;
      partner_of_[second.id] = first.id;
      single.erase(single.begin() + static_cast<std::ptrdiff_t>(std::max(a, b)));
      single.erase(single.begin() + static_cast<std::ptrdiff_t>(std::min(a, b)));
    }
  }

  // Python's random.sample(range(n), 2).
  std::pair<std::size_t, std::size_t> draw_two(std::size_t n) {
    constexpr std::size_t kCopies = 21;  // up to this many, Python draws from a copy
    const auto first = static_cast<std::size_t>(random_.below(n));
    if (n <= kCopies) {
      const auto second = static_cast<std::size_t>(random_.below(n - 1));
      return {first, second == first ? n - 1 : second};
    }
    auto second = static_cast<std::size_t>(random_.below(n));
    while (second == first) second = static_cast<std::size_t>(random_.below(n));
    return {first, second};
  }

  void split_over_pairs(const ShareProblem& problem, Shares& out) {
    const std::size_t jobs = problem.jobs.size();
    const std::size_t paired = partner_of_.size() / 2;
    const auto units = static_cast<double>(jobs - paired);
    for (std::size_t j = 0; j < jobs; ++j) {
      const auto partner = partner_of_.find(problem.jobs[j].id);
      std::size_t row = j;
      if (partner != partner_of_.end()) {
        const auto other = index_.find(partner->second)->second;
        if (other < j) continue;
        const auto pair = pair_of_.find(j * jobs + other);
        if (pair == pair_of_.end()) continue;  // nothing is known of them: they wait, as in Gavel
        row = jobs + pair->second;
      }
      equal_split(problem, order_, {.units = units, .gpus = problem.jobs[j].gpus}, &out.at(row, 0));
    }
  }

  PythonRandom random_;
  std::map<std::int64_t, std::int64_t> partner_of_ = {};  // by id, both ways
  std::vector<std::size_t> order_ = {};
  std::unordered_map<std::int64_t, std::size_t> index_ = {};   // of ids in the problem
  std::unordered_map<std::size_t, std::size_t> pair_of_ = {};  // first * jobs + second
};

}  // namespace

std::vector<PolicyInfo> plugin() {
  PolicyInfo info{
      {.id = "gandiva",
       .summary = "equal parts; under load, random pairs of jobs share GPUs as long as that is faster",
       .reference = "Xiao et al., OSDI 2018, as Gavel stands in for it (OSDI 2020)"}};
  info.share = [](const PolicySetup& setup) -> std::unique_ptr<SharePolicy> {
    return std::make_unique<Gandiva>(setup.seed);
  };
  info.gavel = "gandiva";
  info.packs = true;
  return {info};
}

}  // namespace sextant::schedule::policy_gandiva
