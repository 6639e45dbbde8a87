// Strategies on made-up studies with known optima. The table:
//   explore_tests --gtest_filter='MadeUpStudies.*'
#include "made_up_studies.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>

namespace sextant::explore {
namespace {

constexpr std::size_t kFirst = 8;  // trials whose best is compared with that of drawn ones
constexpr test::MadeUpTrials kTrials = {.least = kFirst, .most = 30};
constexpr test::MadeUpTrials kDrawn = {.least = kFirst, .most = kFirst};  // chance never says stop
constexpr std::uint64_t kSeeds = 6;

struct StudyScore {
  double after_8 = 0;  // cost of the best over the optimum; means over the seeds
  double at_stop = 0;
  double worst_stop = 0;
  double stopped_after = 0;
};

StudyScore score(const test::MadeUpStudy& study, const std::string& strategy,
                 const test::MadeUpTrials& trials) {
  StudyScore score;
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    const test::MadeUpSearch search = test::search_made_up(study, strategy, trials, seed);
    const double at_stop = search.ratio[search.stopped_after - 1];
    score.after_8 += search.ratio[kFirst - 1] / kSeeds;
    score.at_stop += at_stop / kSeeds;
    score.worst_stop = std::max(score.worst_stop, at_stop);
    score.stopped_after += static_cast<double>(search.stopped_after) / kSeeds;
  }
  return score;
}

// It stops near the optimum, whatever fails on the way there, and its first runs are about as good as drawn
// ones where they are not better.
TEST(MadeUpStudies, StopsNearTheOptimumAndBeginsNoWorseThanRandom) {
  std::printf("%-24s | sextant: after 8  at stop  worst  trials | random: after 8\n",
              "cost over the optimum");
  for (const test::MadeUpStudy& study : test::made_up_studies()) {
    const StudyScore ours = score(study, "sextant", kTrials);
    const StudyScore chance = score(study, "random", kDrawn);
    std::printf("%-24s | %16.3f %8.3f %6.3f %7.1f | %15.3f\n", study.name.c_str(), ours.after_8, ours.at_stop,
                ours.worst_stop, ours.stopped_after, chance.after_8);
    EXPECT_LE(ours.after_8, 1.08 * chance.after_8) << study.name;
    if (study.deceptive) continue;
    EXPECT_LE(ours.at_stop, 1.05) << study.name;
    EXPECT_LE(ours.worst_stop, 1.15) << study.name;
  }
}

}  // namespace
}  // namespace sextant::explore
