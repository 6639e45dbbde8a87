#include "sextant/report/analysis_report.h"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "count_of.h"
#include "sextant/core/error.h"
#include "sextant/core/rng.h"
#include "sextant/report/analysis_plots.h"

namespace sextant::report {
namespace {

using testing::HasSubstr;
using testing::Not;

analysis::Analysis analysis_of(const std::string& csv, const analysis::AnalysisRequest& request,
                               const analysis::AnalysisOptions& options = {}) {
  return analyze(analysis_table(CsvTable::parse(csv, "runs.csv"), request), options);
}

// Two factors with repetitions and a clear interaction; numbers made up.
const char* const kRuns =
    "machine,batch,y\na,1,10\na,1,10.4\na,2,12\na,2,12.3\na,4,14.2\na,4,14\n"
    "b<c,1,20\nb<c,1,20.6\nb<c,2,27\nb<c,2,26.8\nb<c,4,39\nb<c,4,39.5\n";

// Of what people see.
std::vector<std::string> shown_titles(const Result& result) {
  std::vector<std::string> titles;
  for (const Section& section : result.sections) {
    if (section.shown) titles.push_back(section.title);
  }
  return titles;
}

TEST(AnalysisReport, SectionsInTheirOrder) {
  const Result result = analysis_result(analysis_of(kRuns, {.response = "y"}));
  EXPECT_THAT(
      shown_titles(result),
      testing::ElementsAre("What explains y", "Importance", "Effects of levels",
                           "Interaction of batch and machine", "Pairs of levels (Tukey)",
                           "Straight lines, each factor alone", "Repetitions that show a difference"));
  const Table& anova = result.sections.at(0).table;
  EXPECT_EQ(anova.rows.at(0).at(0).shown, "machine");
  EXPECT_EQ(anova.rows.at(0).at(4).shown, "< 0.0001");
  EXPECT_EQ(anova.rows.at(0).at(8).shown, "evidence");
}

TEST(AnalysisReport, WhatIsAskedForIsTheAnswer) {
  const Result result = analysis_result(analysis_of(kRuns, {.response = "y"}), {.show = {"pairs"}});
  EXPECT_EQ(result.sections.front().key, "pairs");
  EXPECT_THAT(shown_titles(result), testing::ElementsAre("Pairs of levels (Tukey)"));
  EXPECT_EQ(to_json(result)["anova"].size(), 4U) << "files have all of it";
}

TEST(AnalysisReport, LargePIsNoEvidence) {
  const Json json = to_json(analysis_result(
      analysis_of("m,y\na,1\na,2\na,3\nb,1.1\nb,2\nb,2.9\n", {.response = "y"}), {.all = true}));
  EXPECT_EQ(json["anova"][0]["verdict"], "no evidence");
  EXPECT_EQ(json["ranks"][0]["verdict"], "no evidence");
}

// What matters most, how sure that is, what does not: a sentence each.
TEST(AnalysisReport, AVerdictInSentences) {
  const auto verdict = [](const std::string& csv, const analysis::AnalysisRequest& request) {
    const Result result = analysis_result(analysis_of(csv, request));
    const std::string text = to_json(result)["verdict"];
    EXPECT_EQ(result.sections.front().table.notes.front(), text);
    return text;
  };
  const std::string both = verdict(kRuns, {.response = "y"});
  EXPECT_THAT(both,
              testing::MatchesRegex("machine matters most: it explains [0-9]+ % of the variance of y \\(p < "
                                    "0.0001\\); then batch \\([0-9]+ %, p < 0.0001\\). Factors that act "
                                    "together: machine x batch \\(p < 0.0001\\)."));
  EXPECT_THAT(verdict("m,y\na,1\na,2\na,3\nb,1.1\nb,2\nb,2.9\n", {.response = "y"}),
              testing::StartsWith("There is no evidence that m matters; an effect may still be too small"));
  EXPECT_THAT(verdict("m,y\na,1\nb,2\nc,5\n", {.response = "y", .factors = {"m"}}),
              HasSubstr("nothing says how sure that is"));
  std::string one = "m,coin,y\n";
  for (int i = 0; i < 16; ++i) {
    one += std::string(i % 2 == 0 ? "a," : "b,") + (i / 2 % 2 == 0 ? "heads," : "tails,") +
           std::to_string(10 * (i % 2) + 0.01 * (i * 7 % 5)) + "\n";
  }
  const std::string only = verdict(one, {.response = "y"});
  EXPECT_THAT(only, testing::AllOf(testing::StartsWith("m matters: it explains "),
                                   HasSubstr("There is no evidence that coin matters;")));
}

// Neither the responses nor their logarithms pass the checks. The small effect of `machine` is clear beside
// that of `gpus`, though not to a test of `machine` alone: the verdict goes by the former.
TEST(AnalysisReport, TheVerdictNeverContradictsTheTable) {
  Rng rng = Rng(3).stream("verdict");
  std::string csv = "machine,gpus,y\n";
  for (int i = 0; i < 48; ++i) {
    const double tail = std::pow(rng.normal(), 5) / 20 * (i / 2 % 4 + 1);
    csv += std::string(i % 2 == 0 ? "a," : "b,") + "g" + std::to_string(i / 2 % 4) + "," +
           std::to_string(1000.0 * (i / 2 % 4) + 60 * (i % 2) + tail) + "\n";
  }
  const Result result = analysis_result(analysis_of(csv, {.response = "y"}));
  const Json json = to_json(result);
  ASSERT_FALSE(json["checks"]["normal"].get<bool>());
  ASSERT_EQ(json["ranks"][0]["verdict"], "no evidence") << "of machine alone";
  EXPECT_EQ(json["anova"][0]["verdict"], "evidence");
  EXPECT_LT(json["anova"][0]["rank_p"].get<double>(), 0.05);
  EXPECT_THAT(json["verdict"].get<std::string>(),
              testing::AllOf(HasSubstr("then machine ("), HasSubstr("only what holds by F and by ranks"),
                             Not(HasSubstr("no evidence that machine"))));
  EXPECT_THAT(shown_titles(result), Not(testing::Contains("By ranks, each factor alone")));
}

TEST(AnalysisReport, AScreenShowsTheClearestPairs) {
  std::string csv = "m,y\n";
  for (int i = 0; i < 24; ++i) csv += std::to_string(i / 3) + "x," + std::to_string(i * 7 % 5 + i) + "\n";
  const Result result = analysis_result(analysis_of(csv, {.response = "y"}));
  const auto every = std::ranges::find(result.sections, "pairs", &Section::key);
  ASSERT_NE(every, result.sections.end());
  EXPECT_FALSE(every->shown);
  EXPECT_EQ(every->table.rows.size(), 28U);
  const auto shown = std::next(every);
  EXPECT_EQ(shown->key, "");
  EXPECT_EQ(shown->table.rows.size(), 20U);
  EXPECT_THAT(shown->table.notes.front(), HasSubstr("The 20 clearest of 28 pairs"));
}

TEST(AnalysisReport, JsonHasEverySection) {
  const Json json = to_json(analysis_result(analysis_of(kRuns, {.response = "y"}, {.scaling = "batch"})));
  EXPECT_EQ(json["schema"], "sextant.analysis/2");
  for (const std::string& key : analysis_section_ids()) EXPECT_TRUE(json[key].is_array()) << key;
  for (const char* key : {"factors", "variances", "aliases", "model", "checks", "scatter", "notes"}) {
    EXPECT_TRUE(json.contains(key)) << key;
  }
  EXPECT_EQ(json["rows"], 12);
  EXPECT_EQ(json["anova"].size(), 3U + 1U);
  EXPECT_EQ(json["anova"][3]["term"], "residual");
  EXPECT_EQ(json["pairs"].size(), 1U + 3U);
  EXPECT_EQ(json["pairs"][0]["interval"].size(), 2U);
  EXPECT_EQ(json["interactions"].size(), 6U);
  EXPECT_EQ(json["scaling"].size(), 4U);
  EXPECT_EQ(Json::parse(json.dump()), json);  // no NaN, no infinity
}

TEST(AnalysisReport, ScalingSaysWhenTheBestCountWasNotMeasured) {
  std::string csv = "n,rate\n";
  for (const int n : {1, 2, 4, 8, 12, 16}) {
    csv += std::to_string(n) + "," + std::to_string(100.0 * n / (1 + 0.02 * (n - 1) + 0.001 * n * (n - 1))) +
           "\n";
  }
  const Result result =
      analysis_result(analysis_of(csv, {.response = "rate", .maximise = true}, {.scaling = "n"}));
  const auto shown = std::ranges::find_if(result.sections, [](const Section& section) {
    return section.shown && section.title == "Diminishing returns";
  });
  ASSERT_NE(shown, result.sections.end());
  // sqrt(0.98 / 0.001) = 31.3
  EXPECT_THAT(shown->table.rows.at(0).at(6).shown, HasSubstr("31.3 (beyond 16"));
  EXPECT_NEAR(to_json(result)["scaling"][0]["best_count"].get<double>(), 31.3, 0.1);
}

TEST(AnalysisPlots, PicturesAreWholeEscapedAndRepeatable) {
  const analysis::Analysis analysis = analysis_of(kRuns, {.response = "y"}, {.scaling = "batch"});
  const auto pictures = analysis_pictures(analysis);
  std::vector<std::string> names;
  for (const NamedPicture& picture : pictures) {
    names.push_back(picture.name);
    EXPECT_TRUE(picture.svg.starts_with("<svg ")) << picture.name;
    EXPECT_TRUE(picture.svg.ends_with("</svg>\n")) << picture.name;
    EXPECT_THAT(picture.svg, Not(HasSubstr("nan"))) << picture.name;
    EXPECT_THAT(picture.svg, Not(HasSubstr("inf"))) << picture.name;
    EXPECT_THAT(picture.svg, Not(HasSubstr("b<c"))) << picture.name;
  }
  EXPECT_THAT(names, testing::ElementsAre("main-effects", "interactions", "residuals", "pareto", "scaling"));
  EXPECT_THAT(pictures[0].svg, HasSubstr("b&lt;c"));
  EXPECT_EQ(analysis_pictures(analysis)[2].svg, pictures[2].svg);
}

TEST(AnalysisPlots, WithoutScatterAndWithCovariates) {
  // As many parameters as runs, a covariate, and a level that nothing tells from another.
  const std::vector<std::pair<std::string, std::vector<std::string>>> cases = {
      {"a,y\nu,1\nv,2\nw,4\n", {"a"}},
      {"x,y\n1,1\n2,2.1\n3,2.9\n4,4.2\n", {"x"}},
      {"m,f,y\np,a,1\np,a,2\nq,b,3\nq,b,5\nr,b,4\nr,b,4.5\n", {"m", "f"}}};
  for (const auto& [csv, factors] : cases) {
    for (const NamedPicture& picture :
         analysis_pictures(analysis_of(csv, {.response = "y", .factors = factors}))) {
      EXPECT_THAT(picture.svg, Not(HasSubstr("nan"))) << csv << picture.name;
    }
  }
}

TEST(AnalysisPlots, ManyFactorsLevelsAndRunsStayReadable) {
  Rng rng = Rng(1).stream("levels");
  std::string wide = "y";
  for (int f = 0; f < 40; ++f) wide += ",f" + std::to_string(f);
  std::string tall = "y,machine\n";
  wide += "\n";
  for (int i = 0; i < 64; ++i) {
    wide += std::to_string(i * 37 % 101);
    for (int f = 0; f < 40; ++f) wide += rng.below(2) == 0 ? ",a" : ",b";
    wide += "\n";
  }
  const std::string factors = main_effects_svg(analysis_of(wide, {.response = "y"}));
  EXPECT_EQ(count_of(factors, "<rect"), 1U + 30U);
  EXPECT_THAT(factors, HasSubstr("the 30 largest of 40"));
  for (int i = 0; i < 3000; ++i) {
    tall += std::to_string(i * 7919 % 10007) + ",a-machine-of-a-long-name-" + std::to_string(i % 120) + "\n";
  }
  const analysis::Analysis levels = analysis_of(tall, {.response = "y"});
  const std::string effects = main_effects_svg(levels);
  EXPECT_EQ(count_of(effects, "r=\"1.60\""), 120U);
  EXPECT_THAT(effects, HasSubstr("a-machin\u2026-name-56"));  // the end tells names apart
  EXPECT_LT(count_of(residuals_svg(levels), "<circle"), 6000U);
}

TEST(AnalysisPlots, ConvergenceDrawsStepsAndSkipsWhatIsNotKnown) {
  const double none = std::numeric_limits<double>::quiet_NaN();
  const std::string svg = to_svg(
      ConvergencePlot{"best so far", "cost_usd", {{"sextant", {none, 3, 2, 2}}, {"random", {4, 4, 3, 2.5}}}});
  EXPECT_THAT(svg, Not(HasSubstr("nan")));
  EXPECT_THAT(svg, HasSubstr("sextant"));
  EXPECT_THROW(to_svg(ConvergencePlot{"t", "m", {{"a", {none}}}}), InputError);
}

}  // namespace
}  // namespace sextant::report
