// Values of R 4.2 (kruskal.test, cor.test) where a source is not named.
#include "sextant/stats/ranks.h"

#include <gtest/gtest.h>

#include <vector>

#include "sextant/core/error.h"
#include "sextant/core/rng.h"

namespace sextant::stats {
namespace {

using Values = std::vector<double>;

TEST(StatsRanks, KruskalWallisByHandAndWithTies) {
  // Ranks 1..3, 4..6, 7..9: H = 12/(9 10) (36 + 225 + 576)/3 - 30 = 7.2.
  const auto plain =
      kruskal_wallis(std::vector<Values>{{10.1, 9.8, 10.3}, {12.2, 12.6, 11.9}, {15.1, 14.7, 15.4}});
  EXPECT_NEAR(plain.h, 7.2, 1e-13);
  EXPECT_NEAR(plain.p, 0.02732372244729252, 1e-14);
  EXPECT_TRUE(plain.small_groups);
  EXPECT_EQ(plain.mean_ranks, (Values{2, 5, 8}));
  const auto tied = kruskal_wallis(std::vector<Values>{{3, 5, 5, 8, 9}, {5, 6, 7, 9}, {8, 9, 9, 12, 14, 15}});
  EXPECT_NEAR(tied.h, 7.369266055045872, 1e-13);
  EXPECT_NEAR(tied.p, 0.02510638638589956, 1e-14);
  const auto equal = kruskal_wallis(std::vector<Values>{{1, 1}, {1, 1}});
  EXPECT_EQ(equal.h, 0);
  EXPECT_EQ(equal.p, 1);
  EXPECT_THROW(kruskal_wallis(std::vector<Values>{{1, 2}}), InputError);
  EXPECT_THROW(kruskal_wallis(std::vector<Values>{{1, 2}, {}}), InputError);
}

TEST(StatsRanks, BlocksWithOneValueEachAreFriedmansTest) {
  // scipy.stats.friedmanchisquare of the three columns.
  const Values a{8.2, 7.1, 9.4, 6.6, 8.8, 7.7};
  const Values b{8.9, 7.1, 9.9, 7.5, 9.1, 8.4};
  const Values c{9.5, 7.8, 9.7, 7.4, 9.9, 8.4};
  std::vector<std::vector<Values>> blocks;
  for (std::size_t i = 0; i < a.size(); ++i) blocks.push_back({{a[i]}, {b[i]}, {c[i]}});
  const auto test = blocked_kruskal_wallis(blocks);
  EXPECT_NEAR(test.h, 8.454545454545455, 1e-12);
  EXPECT_NEAR(test.p, 0.014592133055970144, 1e-13);
}

TEST(StatsRanks, BlocksOfAnySize) {
  // By NumPy: weighted rank sums and the pseudo-inverse of their covariance.
  const std::vector<std::vector<Values>> blocks = {{{3, 5, 5}, {6, 7}, {8, 2}}, {{1, 2}, {2, 4, 9}, {11}}};
  const auto two = blocked_kruskal_wallis(blocks);
  EXPECT_NEAR(two.h, 3.5578019833969257, 1e-12);
  EXPECT_NEAR(two.p, 0.16882358387191831, 1e-13);
  // One block: Kruskal and Wallis, ties and all.
  const std::vector<Values> groups = {{3, 5, 5, 8, 9}, {5, 6, 7, 9}, {8, 9, 9, 12, 14, 15}};
  const auto one = blocked_kruskal_wallis(std::vector<std::vector<Values>>{groups});
  EXPECT_NEAR(one.h, kruskal_wallis(groups).h, 1e-12);
  EXPECT_EQ(one.df, 2);
  // Blocks far apart do not hide what holds within each.
  std::vector<std::vector<Values>> apart;
  for (int i = 0; i < 8; ++i) apart.push_back({{100.0 * i, 100.0 * i + 1}, {100.0 * i + 2, 100.0 * i + 3}});
  EXPECT_LT(blocked_kruskal_wallis(apart).p, 1e-4);
  EXPECT_EQ(blocked_kruskal_wallis(std::vector<std::vector<Values>>{{{1}, {1}}}).p, 1);
  EXPECT_THROW(blocked_kruskal_wallis(std::vector<std::vector<Values>>{{{1, 2}, {}}}), InputError);
}

TEST(StatsRanks, CorrelationsWithoutTies) {
  const Values a{1, 2, 3, 4, 5};
  const Values b{2, 1, 4, 3, 5};
  EXPECT_NEAR(spearman(a, b).value, 0.8, 1e-14);
  EXPECT_NEAR(spearman(a, b).p, 16.0 / 120, 1e-14);  // of the 120 orders
  EXPECT_NEAR(kendall(a, b).value, 0.6, 1e-14);
  EXPECT_NEAR(kendall(a, b).p, 0.2333333333333334, 1e-14);
  const Values x{3, 1, 4, 15, 9, 2, 6, 5, 35, 8, 97, 93};
  const Values y{2, 7, 1, 8, 28, 18, 3, 4, 45, 90, 52, 35};
  EXPECT_NEAR(kendall(x, y).value, 0.4545454545454545, 1e-14);
  EXPECT_NEAR(kendall(x, y).p, 0.04473689858238461, 1e-14);
  EXPECT_EQ(to_string(kendall(x, y).method), "exact");
}

TEST(StatsRanks, CorrelationsWithTies) {
  const Values a{1, 2, 2, 4, 5, 6, 7, 7, 9, 10, 11, 12};
  const Values b{2, 1, 3, 3, 6, 5, 9, 8, 8, 12, 10, 11};
  EXPECT_NEAR(kendall(a, b).value, 0.8125, 1e-14);
  EXPECT_NEAR(kendall(a, b).p, 0.0003191186695811584, 1e-15);
  EXPECT_EQ(to_string(kendall(a, b).method), "normal");
  EXPECT_NEAR(spearman(a, b).value, 0.9401408450704226, 1e-14);
  EXPECT_NEAR(spearman(a, b).p, 5.471108995187294e-06, 1e-16);
  EXPECT_EQ(to_string(spearman(a, b).method), "t");
}

TEST(StatsRanks, LawsOverRandomOrders) {
  Rng rng = Rng(2).stream("ranks");
  for (int trial = 0; trial < 40; ++trial) {
    const std::size_t n = 4 + rng.below(12);
    Values a;
    Values b;
    for (std::size_t i = 0; i < n; ++i) {
      a.push_back(rng.uniform());
      b.push_back(rng.uniform());
    }
    Values cubes;
    Values down;
    for (const double x : a) cubes.push_back(x * x * x);
    for (const double x : b) down.push_back(-x);
    // A monotone change of units changes nothing; turning one side round changes the sign.
    EXPECT_EQ(spearman(cubes, b).value, spearman(a, b).value);
    EXPECT_EQ(kendall(cubes, b).p, kendall(a, b).p);
    EXPECT_NEAR(kendall(a, down).value, -kendall(a, b).value, 1e-15);
    EXPECT_NEAR(spearman(a, down).p, spearman(a, b).p, 1e-12);
    EXPECT_NEAR(spearman(a, a).value, 1, 1e-15);
  }
}

TEST(StatsRanks, Edges) {
  EXPECT_THROW(spearman(Values{1, 2}, Values{1, 2}), InputError);
  EXPECT_THROW(spearman(Values{1, 1, 1}, Values{1, 2, 3}), InputError);
  EXPECT_THROW(kendall(Values{1, 2, 3}, Values{1, 2}), InputError);
  EXPECT_THROW(ranked(Values{}), InputError);
  EXPECT_EQ(ranked(Values{5, 1, 5}).ranks, (Values{2.5, 1, 2.5}));
  EXPECT_EQ(ranked(Values{5, 1, 5}).tie_term, 6);
}

}  // namespace
}  // namespace sextant::stats
