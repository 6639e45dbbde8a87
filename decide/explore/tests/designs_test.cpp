// One contract for all designs, and what sets the space-filling ones apart.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

#include "error_of.h"
#include "latin_hypercube.h"
#include "sextant/explore/design.h"
#include "space_fixture.h"

namespace sextant::explore {
namespace {

using sextant::test::error_of;
using test::categorical_factor;
using test::integer_factor;
using test::ordinal_factor;
using test::real_factor;
using test::two_level_space;

SearchSpace mixed_space() {
  SearchFactor servers = integer_factor("servers", 1, 8);
  servers.condition = Expression::parse("strategy == 'ps'");
  SearchFactor batch = integer_factor("batch", 8, 512);
  batch.log = true;
  return {{categorical_factor("strategy", {"ring", "tree", "ps"}), integer_factor("workers", 1, 16), batch,
           servers, real_factor("scale", 0.1, 1), ordinal_factor("buffer", {"1", "4", "16"})},
          {Expression::parse("workers * batch <= 4096")}};
}

SearchSpace plain_space() {
  return {{integer_factor("workers", 1, 16), real_factor("scale", 0.05, 1),
           ordinal_factor("batch", {"8", "16", "32"})},
          {}};
}

std::vector<std::string> texts_of(const SearchSpace& space, const PlannedDesign& design) {
  std::vector<std::string> texts;
  for (const PlannedRun& run : design.runs) {
    texts.push_back(std::to_string(run.block) + "/" + std::to_string(run.replicate) + " " +
                    space.text(run.configuration));
  }
  return texts;
}

// A full factorial of a mixed space is too large without a limit.
std::string text_for(const DesignInfo& info) {
  return info.id == "full-factorial" ? "full-factorial:levels=2" : info.id;
}

TEST(Designs, ContractOverAllOfThem) {
  ASSERT_GE(designs().all().size(), 8U);
  const std::vector<SearchSpace> spaces = {plain_space(), mixed_space()};
  for (const DesignInfo& info : designs().all()) {
    EXPECT_FALSE(info.summary.empty() || info.reference.empty()) << info.id;
    for (const SearchSpace& space : spaces) {
      const DesignRequest request{.space = space, .seed = 5};
      const PlannedDesign design = plan_design(text_for(info), request);
      ASSERT_FALSE(design.runs.empty()) << info.id;
      std::set<std::string> distinct;
      for (const PlannedRun& run : design.runs) {
        EXPECT_TRUE(space.valid(run.configuration)) << info.id << " " << space.text(run.configuration);
        distinct.insert(space.text(run.configuration));
      }
      EXPECT_EQ(distinct.size(), design.runs.size()) << info.id;
      EXPECT_EQ(texts_of(space, plan_design(text_for(info), request)), texts_of(space, design)) << info.id;
      const PlannedDesign thrice = plan_design(text_for(info), {.space = space, .replicates = 3, .seed = 5});
      EXPECT_EQ(thrice.runs.size(), 3 * design.runs.size()) << info.id;
    }
  }
}

TEST(Designs, ThoseOfAnyNumberKeepIt) {
  const std::vector<SearchSpace> spaces = {plain_space(), mixed_space()};
  for (const char* text : {"latin-hypercube", "sobol", "random", "d-optimal", "ernest"}) {
    for (const SearchSpace& space : spaces) {
      for (const std::size_t runs : {9U, 17U}) {
        const PlannedDesign design = plan_design(text, {.space = space, .runs = runs, .seed = 1});
        EXPECT_EQ(design.runs.size(), runs) << text;
      }
    }
  }
}

TEST(Designs, ASmallSpaceIsTakenWhole) {
  const SearchSpace space({integer_factor("a", 0, 2), integer_factor("b", 0, 1)},
                          {Expression::parse("a + b < 3")});
  for (const char* text : {"latin-hypercube", "sobol", "random"}) {
    const PlannedDesign design = plan_design(text, {.space = space, .runs = 20});
    EXPECT_EQ(design.runs.size(), 5U) << text;
    EXPECT_NE(design.notes.front().find("only 5 valid"), std::string::npos) << text << design.notes.front();
  }
}

TEST(Designs, OrderIsDrawnAndBlocksFollowEachOther) {
  const SearchSpace space = two_level_space(5);
  const PlannedDesign one = plan_design("full-factorial", {.space = space, .seed = 1});
  const PlannedDesign other = plan_design("full-factorial", {.space = space, .seed = 2});
  EXPECT_NE(texts_of(space, one), texts_of(space, other));
  auto a = texts_of(space, one);
  auto b = texts_of(space, other);
  std::ranges::sort(a);
  std::ranges::sort(b);
  EXPECT_EQ(a, b);
  const PlannedDesign blocks = plan_design("full-factorial", {.space = space, .blocks = 4});
  EXPECT_TRUE(std::ranges::is_sorted(blocks.runs, {}, &PlannedRun::block));
}

// A law: no factor rises or falls with the order, so that a drift of the machine is nobody's effect. The
// correlation of a sign with places 1 to 16 is the difference of mean places over 2 sd: 2 x sqrt((16^2 - 1) /
// 12) = 9.22.
TEST(Designs, NoFactorFollowsTheOrder) {
  const SearchSpace space = two_level_space(5);
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const PlannedDesign design = plan_design("fractional:runs=16", {.space = space, .seed = seed});
    for (std::size_t f = 0; f < 5; ++f) {
      double difference = 0;
      for (std::size_t i = 0; i < 16; ++i) {
        difference += (design.runs[i].configuration.values[f] > 0 ? 1 : -1) * static_cast<double>(i) / 8;
      }
      EXPECT_LE(std::abs(difference) / 9.22, 0.5) << seed << " " << f;
    }
  }
}

TEST(Designs, ReplicatesAreBlocksWhereTheyCanBe) {
  const SearchSpace space = two_level_space(3);
  const PlannedDesign design = plan_design("full-factorial", {.space = space, .replicates = 4, .blocks = 2});
  std::map<std::string, std::map<std::size_t, int>> seen;
  for (const PlannedRun& run : design.runs) ++seen[space.text(run.configuration)][run.block];
  ASSERT_EQ(seen.size(), 8U);
  for (const auto& [text, blocks] : seen)
    EXPECT_EQ(blocks, (std::map<std::size_t, int>{{0, 2}, {1, 2}})) << text;
  // Otherwise dealt evenly.
  const PlannedDesign dealt = plan_design("sobol", {.space = plain_space(), .runs = 20, .blocks = 3});
  std::map<std::size_t, int> sizes;
  for (const PlannedRun& run : dealt.runs) ++sizes[run.block];
  EXPECT_EQ(sizes, (std::map<std::size_t, int>{{0, 7}, {1, 7}, {2, 6}}));
}

TEST(Designs, RunsThatConstraintsRemoveAreNamed) {
  const SearchSpace space({integer_factor("workers", 1, 16), integer_factor("batch", 8, 512)},
                          {Expression::parse("workers * batch <= 4096")});
  const PlannedDesign design = plan_design("full-factorial:levels=2", {.space = space});
  EXPECT_EQ(design.runs.size(), 3U);
  EXPECT_EQ(design.notes.front(), "1 of 4 runs break constraints and are left out: workers=16 batch=512");
  const SearchSpace none({integer_factor("a", 0, 4)}, {Expression::parse("a == 2")});
  EXPECT_NE(error_of([&] {
              (void)plan_design("full-factorial:levels=2", {.space = none});
            }).find("no run of the design"),
            std::string::npos);
}

TEST(Designs, FullFactorialCountsItsRuns) {
  const SearchSpace space = plain_space();
  EXPECT_EQ(plan_design("full-factorial", {.space = space}).runs.size(), 16U * 3U * 3U);
  EXPECT_EQ(plan_design("full-factorial:levels=2", {.space = space}).runs.size(), 8U);
  EXPECT_NE(error_of([&] {
              (void)plan_design("full-factorial", {.space = space, .runs = 10}, at_field("design"));
            }).find("`design`: error: a full factorial has 144 runs here, more than the 10 asked for"),
            std::string::npos);
  const SearchSpace huge({integer_factor("a", 0, 1e9), integer_factor("b", 0, 1e9)}, {});
  EXPECT_NE(error_of([&] { (void)plan_design("full-factorial", {.space = huge}); }).find("levels=2"),
            std::string::npos);
}

TEST(Designs, WrongRequestsAreRefused) {
  const SearchSpace space = two_level_space(3);
  const auto fault = [&](const std::string& text, std::size_t replicates, std::size_t blocks) {
    return error_of([&] {
      (void)plan_design(text, {.space = space, .replicates = replicates, .blocks = blocks},
                        at_field("design"));
    });
  };
  EXPECT_NE(fault("ful-factorial", 1, 1).find("did you mean 'full-factorial'?"), std::string::npos);
  EXPECT_NE(fault("sobol:scrambel=0", 1, 1).find("scramble"), std::string::npos);
  EXPECT_NE(fault("full-factorial", 0, 1).find("at least one replicate"), std::string::npos);
  EXPECT_NE(fault("full-factorial", 1, 9).find("8 runs for 9 blocks"), std::string::npos);
  EXPECT_NE(fault("ernest", 1, 1).find("say which it is: ernest:machines=NAME"), std::string::npos);
}

// The law of Latin hypercubes: each of n strata of each axis holds one point.
TEST(LatinHypercube, OnePointInEachStratum) {
  Rng rng = Rng(1).stream("lhs");
  for (const std::size_t n : {1U, 2U, 7U, 40U}) {
    const auto points =
        latin_hypercube({.points = n, .tries = 5, .exchanges = 200, .levels = {0, 0, 3, 0}}, rng);
    ASSERT_EQ(points.size(), n);
    for (std::size_t axis = 0; axis < 4; ++axis) {
      std::set<int> strata;
      for (const auto& point : points) strata.insert(static_cast<int>(point[axis] * static_cast<double>(n)));
      EXPECT_EQ(strata.size(), n);
    }
  }
  const SearchSpace space({real_factor("a", 0, 1), real_factor("b", 2, 4)}, {});
  std::set<int> strata;
  const PlannedDesign design = plan_design("lhs", {.space = space, .runs = 25});
  for (const PlannedRun& run : design.runs)
    strata.insert(static_cast<int>((run.configuration.values[1] - 2) * 12.5));
  EXPECT_EQ(strata.size(), 25U);
}

TEST(LatinHypercube, PointsAreFurtherApartThanInOneDraw) {
  Rng rng = Rng(2).stream("lhs");
  double plain = 0;
  double best = 0;
  double exchanged = 0;
  constexpr int kSamples = 20;
  for (int i = 0; i < kSamples; ++i) {
    plain +=
        smallest_distance(latin_hypercube({.points = 20, .tries = 1, .levels = {0, 0, 0}}, rng)) / kSamples;
    best +=
        smallest_distance(latin_hypercube({.points = 20, .tries = 200, .levels = {0, 0, 0}}, rng)) / kSamples;
    exchanged += smallest_distance(latin_hypercube(
                     {.points = 20, .tries = 50, .exchanges = 2000, .levels = {0, 0, 0}}, rng)) /
                 kSamples;
  }
  EXPECT_GT(best, 1.5 * plain);
  EXPECT_GT(exchanged, 1.2 * best);
}

}  // namespace
}  // namespace sextant::explore
