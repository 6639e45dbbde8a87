#include "sextant/analysis/analysis_table.h"

#include <gmock/gmock.h>

#include "analysis_support.h"
#include "error_of.h"
#include "sextant/analysis/analysis.h"

namespace sextant::analysis::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string fault(const std::string& csv, const AnalysisRequest& request) {
  return sextant::test::error_of([&] { static_cast<void>(runs(csv, request)); });
}

TEST(AnalysisTable, LevelsAndCovariates) {
  const AnalysisTable table =
      runs("n,kind,x,y\n16,b,0.1,1\n2,a,0.2,2\n8,b,0.3,3\n16.0,a,0.4,4\n2,b,0.5,5\n8,a,0.6,7\n",
           {.response = "y"});
  ASSERT_EQ(table.factors.size(), 3U);
  EXPECT_THAT(table.factors[0].levels, ElementsAre("2", "8", "16"));  // as numbers; 16.0 is 16
  EXPECT_FALSE(table.factors[0].covariate);
  EXPECT_THAT(table.factors[1].level, ElementsAre(1, 0, 1, 0, 1, 0));
  EXPECT_TRUE(table.factors[2].covariate);
}

TEST(AnalysisTable, ColumnsThatAreNoFactors) {
  const AnalysisTable table =
      runs("id,same,m,y\nr1,q,a,1\nr2,q,a,2\nr3,q,b,3\nr4,q,b,4\n", {.response = "y"});
  EXPECT_EQ(table.factors.size(), 1U);
  EXPECT_THAT(testing::PrintToString(table.notes), HasSubstr("id is left out"));
  EXPECT_THAT(testing::PrintToString(table.notes), HasSubstr("same is left out: it never changes"));
}

TEST(AnalysisTable, ColumnsThatOthersDetermine) {
  std::string csv = "type,count,family,total,elapsed,y\n";
  const char* const types[] = {"a1", "a2", "b1"};
  const int cores[] = {2, 4, 3};
  for (int i = 0; i < 36; ++i) {
    const int count = 1 + i / 3 % 4;
    csv += std::string(types[i % 3]) + "," + std::to_string(count) + "," + types[i % 3][0] + "," +
           std::to_string(cores[i % 3] * count) + "," + std::to_string(10.5 + i * i) + "," +
           std::to_string(i % 7) + "\n";
  }
  const AnalysisTable table = runs(csv, {.response = "y"});
  ASSERT_EQ(table.factors.size(), 2U);
  EXPECT_THAT(table.notes, ElementsAre("family is left out: type determines it",
                                       "total is left out: type and count determine it",
                                       HasSubstr("elapsed is left out: its numbers hardly repeat")));
  // Asked for, they are taken.
  EXPECT_EQ(runs(csv, {.response = "y", .factors = {"type", "family", "elapsed"}}).factors.size(), 3U);
}

TEST(AnalysisTable, Faults) {
  EXPECT_THAT(fault("a,y\nu,1\n", {.response = "z"}), HasSubstr("z"));
  EXPECT_THAT(fault("a,y\n", {.response = "y"}), HasSubstr("no rows"));
  EXPECT_THAT(fault("a,y\nu,1\n", {.response = "y"}), HasSubstr("only 1 complete row"));
  EXPECT_THAT(fault("a,y\nu,1\nv,x\nu,2\n", {.response = "y"}), HasSubstr("runs.csv:3:3"));
  EXPECT_THAT(fault("a,y\nu,nan\nv,nan\nu,nan\n", {.response = "y"}), HasSubstr("runs.csv:2:3"));
  EXPECT_THAT(fault("a,y\nu,1e200\nv,2\nu,3\n", {.response = "y"}), HasSubstr("above 1e150"));
  EXPECT_THAT(fault("a,y\nu,1\nv,\nu,3\n", {.response = "y"}), HasSubstr("`censored`"));
  EXPECT_THAT(fault("a,y\nu,1\nv,1\nu,1\n", {.response = "y"}), HasSubstr("never changes"));
  EXPECT_THAT(fault("a,y\nu,1\nu,2\nu,3\n", {.response = "y"}), HasSubstr("no column can be a factor"));
  EXPECT_THAT(fault("a,y\nu,1\nv,2\nu,3\n", {.response = "y", .factors = {"y"}}),
              HasSubstr("is the response"));
  EXPECT_THAT(fault("a,y\nu,1\nv,2\nu,3\n", {.response = "y", .censored = "a"}), HasSubstr("COLUMN=VALUE"));
  EXPECT_THAT(fault("a,y\nu,1\nv,-2\nu,3\n", {.response = "y", .log = true}), HasSubstr("logarithm"));
}

TEST(AnalysisTable, EverythingAtOnce) {
  const Analysis all = analyze(runs(kUnbalanced, {.response = "time"}));
  EXPECT_EQ(all.table.rows(), 14U);
  EXPECT_EQ(all.interactions.size(), 1U);          // p = 0.005
  EXPECT_EQ(all.interactions[0].first, "batch");   // a number goes across
  EXPECT_EQ(all.interactions[0].counts(1, 2), 3);  // 64, small
  ASSERT_TRUE(all.repetitions);
  EXPECT_TRUE(all.repetitions->pure);
  EXPECT_NEAR(all.repetitions->sd, std::sqrt(8.79 / 8), 1e-12);  // the model has a mean per cell
  EXPECT_EQ(all.repetitions->df, 8);
  ASSERT_TRUE(all.importance);
  EXPECT_EQ(all.importance->factors[0].factor, "machine");
}

TEST(AnalysisTable, AliasesOfAFractionalDesign) {
  // 2^(7-4): D = AB, E = AC, F = BC, G = ABC; 2^(4-1) with D = ABC has main effects clear of pairs.
  std::string seven = "A,B,C,D,E,F,G,y\n";
  std::string four = "A,B,C,D,y\n";
  for (int i = 0; i < 8; ++i) {
    const int a = i % 2 * 2 - 1;
    const int b = i / 2 % 2 * 2 - 1;
    const int c = i / 4 * 2 - 1;
    const std::string y = std::to_string(3 * a + c + 0.1 * (i * i % 5)) + "\n";
    for (const int level : {a, b, c, a * b, a * c, b * c, a * b * c}) seven += std::to_string(level) + ",";
    seven += y;
    for (const int level : {a, b, c, a * b * c}) four += std::to_string(level) + ",";
    four += y;
  }
  const auto aliases =
      effect_aliases(runs(seven, {.response = "y", .factors = {"A", "B", "C", "D", "E", "F", "G"}}));
  ASSERT_EQ(aliases.size(), 7U);
  EXPECT_THAT(aliases[0].interactions, ElementsAre("B x D", "C x E", "F x G"));
  EXPECT_THAT(aliases[3].interactions, ElementsAre("A x B", "C x G", "E x F"));
  const AnalysisTable clear = runs(four, {.response = "y", .factors = {"A", "B", "C", "D"}});
  EXPECT_TRUE(effect_aliases(clear).empty());
  EXPECT_TRUE(effect_aliases(runs(kUnbalanced, {.response = "time"})).empty());
}

TEST(AnalysisTable, AFactorMadeOfTheResponseIsAskedAbout) {
  std::string csv = "machine,cost,time\n";
  for (int i = 0; i < 30; ++i) {
    const double time = 10 + i * i % 17 + 0.1 * i;
    csv += std::string(i % 2 == 0 ? "a," : "b,") + std::to_string(0.4 * time) + "," + std::to_string(time) +
           "\n";
  }
  const auto notes = [&](const std::vector<std::string>& factors) {
    return testing::PrintToString(analyze(runs(csv, {.response = "time", .factors = factors})).notes);
  };
  EXPECT_THAT(notes({"machine", "cost"}), HasSubstr("computed from the response"));
  EXPECT_THAT(notes({"machine"}), testing::Not(HasSubstr("computed from the response")));
}

// 31,000 different runs and 1000 parameters.
TEST(AnalysisTable, WhatWouldTakeMinutesIsRefused) {
  std::string csv = "machine,x,y\n";
  for (int i = 0; i < 31000; ++i) {
    csv += "m" + std::to_string(i % 1000) + "," + std::to_string(i) + "," + std::to_string(i * 7919 % 10007) +
           "\n";
  }
  const AnalysisTable table = runs(csv, {.response = "y", .factors = {"machine", "x"}});
  EXPECT_THAT(sextant::test::error_of([&] { static_cast<void>(analyze(table)); }),
              HasSubstr("1000 parameters for 31000 runs"));
}

TEST(AnalysisTable, TooManyLevelsIsAnError) {
  EXPECT_THAT(sextant::test::error_of([&] {
                static_cast<void>(
                    analyze(runs("a,b,y\np,u,1\nq,v,2\nr,w,4\n", {.response = "y", .factors = {"a", "b"}})));
              }),
              HasSubstr("more levels than the runs"));
}

}  // namespace
}  // namespace sextant::analysis::test
