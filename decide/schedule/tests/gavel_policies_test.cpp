// Gavel's policies without a linear program, on problems made by hand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <numeric>

#include "sextant/core/rng.h"
#include "sextant/schedule/policy.h"

namespace sextant::schedule {
namespace {

using testing::ElementsAre;

// Owns what a ShareProblem points to.
class ProblemMaker {
 public:
  explicit ProblemMaker(std::vector<std::string_view> types, std::vector<double> gpus) {
    problem.types = std::move(types);
    problem.gpus = std::move(gpus);
    problem.price_usd_h.assign(problem.gpus.size(), 0.0);
  }
  void add(std::int64_t id, std::int32_t gpus, std::vector<double> rate, double remaining = 100) {
    problem.jobs.push_back({.slot = static_cast<JobSlot>(id),
                            .id = id,
                            .gpus = gpus,
                            .remaining = remaining,
                            .work = remaining,
                            .rate = keep(std::move(rate))});
  }
  // All pairs of equal size, each at `factor` of its speed alone.
  void pair_all(double factor) {
    for (std::size_t b = 0; b < problem.jobs.size(); ++b) {
      for (std::size_t a = 0; a < b; ++a) {
        if (problem.jobs[a].gpus != problem.jobs[b].gpus) continue;
        problem.pairs.push_back(
            {.first = a, .second = b, .first_rate = scaled(a, factor), .second_rate = scaled(b, factor)});
      }
    }
  }
  ShareProblem problem = {};

 private:
  const double* keep(std::vector<double> values) {
    kept_.push_back(std::make_unique<std::vector<double>>(std::move(values)));
    return kept_.back()->data();
  }
  const double* scaled(std::size_t job, double factor) {
    std::vector<double> rate(problem.jobs[job].rate, problem.jobs[job].rate + problem.types.size());
    for (double& value : rate) value *= factor;
    return keep(std::move(rate));
  }
  std::vector<std::unique_ptr<std::vector<double>>> kept_ = {};
};

std::unique_ptr<SharePolicy> make(const std::string& name, std::uint64_t seed = 0) {
  const PolicyChoice choice = parse_policy(name);
  return choice.policy->share({.parameters = choice.parameters, .seed = seed});
}

std::vector<double> row(const Shares& shares, std::size_t index) {
  std::vector<double> values;
  for (std::size_t t = 0; t < shares.types; ++t) values.push_back(shares.at(index, t));
  return values;
}

// Type that has the whole share of each job; -1: none.
std::vector<int> types_of(const Shares& shares, std::size_t jobs) {
  std::vector<int> types;
  for (std::size_t j = 0; j < jobs; ++j) {
    types.push_back(-1);
    for (std::size_t t = 0; t < shares.types; ++t) {
      if (shares.at(j, t) == 1) types.back() = static_cast<int>(t);
    }
  }
  return types;
}

TEST(GavelPolicies, IsolatedCutsTheClusterIntoEqualParts) {
  ProblemMaker maker({"v100", "k80"}, {2, 4});
  maker.add(0, 1, {1, 1});
  maker.add(1, 6, {1, 1});
  Shares shares;
  make("isolated")->allocate(maker.problem, shares);
  // Half of each type is {1, 2} GPUs: three times what a job of one GPU can use, half of what one of six can.
  EXPECT_THAT(row(shares, 0), ElementsAre(1.0 / 3, 2.0 / 3));
  EXPECT_THAT(row(shares, 1), ElementsAre(1.0 / 6, 2.0 / 6));
}

TEST(GavelPolicies, FifoTakesTheFastestTypeAndStopsAtWhoFitsNowhere) {
  ProblemMaker maker({"v100", "k80"}, {2, 3});
  maker.add(0, 1, {2, 1});
  maker.add(1, 1, {1, 1});  // a tie goes to the first by name
  maker.add(2, 2, {5, 1});  // one v100 is left
  maker.add(3, 4, {5, 1});
  maker.add(4, 1, {5, 1});
  Shares shares;
  make("fifo_perf")->allocate(maker.problem, shares);
  EXPECT_THAT(types_of(shares, 5), ElementsAre(0, 1, 1, -1, -1));
}

TEST(GavelPolicies, FifoPassesOverWhoCannotRunOnWhatIsLeft) {
  ProblemMaker maker({"v100"}, {2});
  maker.add(0, 1, {0});
  maker.add(1, 1, {1});
  Shares shares;
  make("gavel-fifo-perf")->allocate(maker.problem, shares);
  EXPECT_THAT(types_of(shares, 2), ElementsAre(-1, 0));
}

// Python: [random.Random(0).randrange(2) ...] is 1, 1, 0, 1, 1, 1 over k80, v100 in that order.
TEST(GavelPolicies, FifoDrawsTypesAsPythonDoes) {
  ProblemMaker maker({"v100", "k80"}, {9, 9});
  for (std::int64_t id = 0; id < 6; ++id) maker.add(id, 1, {1, 1});
  Shares shares;
  make("gavel-fifo-fixed")->allocate(maker.problem, shares);
  EXPECT_THAT(types_of(shares, 6), ElementsAre(0, 0, 1, 0, 0, 0));
  make("gavel-fifo")->allocate(maker.problem, shares);
  EXPECT_THAT(types_of(shares, 6), ElementsAre(0, 0, 0, 0, 0, 0))
      << "the last type by name, whatever is drawn";
}

TEST(GavelPolicies, FifoKeepsTypesAndHandsThemOn) {
  const auto policy = make("gavel-fifo-fixed");
  ProblemMaker before({"v100", "k80"}, {1, 1});
  before.add(0, 1, {1, 1});
  before.add(1, 1, {1, 1});
  before.add(2, 1, {1, 1});
  Shares shares;
  policy->allocate(before.problem, shares);
  const std::vector<int> first = types_of(shares, 3);
  EXPECT_THAT(first, ElementsAre(0, 1, -1));
  ProblemMaker after({"v100", "k80"}, {1, 1});
  after.add(1, 1, {1, 1});
  after.add(2, 1, {1, 1});
  policy->allocate(after.problem, shares);
  EXPECT_THAT(types_of(shares, 2), ElementsAre(1, 0));
}

TEST(GavelPolicies, GandivaPairsOnlyUnderLoad) {
  ProblemMaker maker({"v100"}, {4});
  for (std::int64_t id = 0; id < 4; ++id) maker.add(id, 1, {1});
  maker.pair_all(0.8);
  Shares shares;
  make("gandiva")->allocate(maker.problem, shares);
  for (std::size_t j = 0; j < 4; ++j) EXPECT_EQ(shares.at(j, 0), 1);
  maker.problem.gpus = {2};
  make("gandiva")->allocate(maker.problem, shares);
  // Python: random.Random(0).sample([0, 1, 2, 3], 2) is 3, 1; the others remain. Two units on two GPUs.
  double pairs = 0;
  for (std::size_t r = 4; r < shares.rows(); ++r) pairs += shares.at(r, 0);
  EXPECT_EQ(pairs, 2);
  const auto pair = std::ranges::find_if(maker.problem.pairs,
                                         [](const SharePair& p) { return p.first == 1 && p.second == 3; });
  EXPECT_EQ(shares.at(4 + static_cast<std::size_t>(pair - maker.problem.pairs.begin()), 0), 1);
}

TEST(GavelPolicies, GandivaDissolvesPairsThatDoNotPay) {
  const auto policy = make("gandiva");
  ProblemMaker maker({"v100"}, {2});
  for (std::int64_t id = 0; id < 4; ++id) maker.add(id, 1, {1});
  maker.pair_all(0.4);  // 0.8 together
  Shares first;
  policy->allocate(maker.problem, first);
  bool changed = false;
  for (int call = 0; call < 20; ++call) {
    Shares next;
    policy->allocate(maker.problem, next);
    changed = changed || next.values != first.values;
  }
  EXPECT_TRUE(changed) << "paired anew at every call";
}

// Time adds up: a job at most all of it, a type at most its GPUs.
TEST(GavelPolicies, SharesAreFeasible) {
  Rng rng = Rng(23).stream("gavel-policies");
  for (int run = 0; run < 300; ++run) {
    ProblemMaker maker({"v100", "p100", "k80"},
                       {static_cast<double>(rng.below(6)), 1.0 + static_cast<double>(rng.below(6)), 4});
    const std::size_t jobs = rng.below(12);
    for (std::size_t j = 0; j < jobs; ++j) {
      const std::int32_t gpus = 1 << rng.below(3);
      const double slow = rng.uniform();
      maker.add(static_cast<std::int64_t>(j), gpus, {1 + rng.uniform(), slow, rng.below(4) == 0 ? 0 : slow});
    }
    maker.pair_all(0.5 + 0.5 * rng.uniform());
    for (const char* const name :
         {"isolated", "gavel-fifo-perf", "gavel-fifo-fixed", "gavel-fifo-packed", "allox", "gandiva"}) {
      Shares shares;
      make(name, static_cast<std::uint64_t>(run))->allocate(maker.problem, shares);
      ASSERT_EQ(shares.rows(), jobs + maker.problem.pairs.size()) << name;
      std::vector<double> of_job(jobs, 0.0);
      for (std::size_t t = 0; t < 3; ++t) {
        double used = 0;
        for (std::size_t r = 0; r < shares.rows(); ++r) {
          const double share = shares.at(r, t);
          EXPECT_GE(share, 0) << name;
          const std::size_t first = r < jobs ? r : maker.problem.pairs[r - jobs].first;
          of_job[first] += share;
          if (r >= jobs) of_job[maker.problem.pairs[r - jobs].second] += share;
          used += share * maker.problem.jobs[first].gpus;
        }
        EXPECT_LE(used, maker.problem.gpus[t] + 1e-9) << name;
      }
      for (const double sum : of_job) EXPECT_LE(sum, 1 + 1e-9) << name;
    }
  }
}

}  // namespace
}  // namespace sextant::schedule
