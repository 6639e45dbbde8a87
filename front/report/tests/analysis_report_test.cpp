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

std::string column_text(const AnalysisSection& section, std::size_t row, std::size_t column) {
  return section.table.rows.at(row).at(column).shown;
}

TEST(AnalysisReport, SectionsInTheirOrder) {
  const auto sections = analysis_sections(analysis_of(kRuns, {.response = "y"}));
  std::vector<std::string> ids;
  for (const AnalysisSection& section : sections) ids.push_back(section.id);
  EXPECT_THAT(ids, testing::ElementsAre("anova", "importance", "effects", "interactions", "pairs",
                                        "regression", "repetitions"));
  EXPECT_EQ(column_text(sections[0], 0, 0), "machine");
  EXPECT_EQ(column_text(sections[0], 0, 7), "evidence");
  EXPECT_EQ(column_text(sections[0], 0, 4), "< 0.0001");
}

TEST(AnalysisReport, LargePIsNoEvidence) {
  const auto sections =
      analysis_sections(analysis_of("m,y\na,1\na,2\na,3\nb,1.1\nb,2\nb,2.9\n", {.response = "y"}), true);
  EXPECT_EQ(column_text(sections[0], 0, 7), "no evidence");
  EXPECT_EQ(sections[1].id, "ranks");
  EXPECT_EQ(column_text(sections[1], 0, 6), "no evidence");
}

TEST(AnalysisReport, JsonHasEverySection) {
  const Json json = to_json(analysis_of(kRuns, {.response = "y"}, {.scaling = "batch"}));
  EXPECT_EQ(json["schema"], "sextant.analysis/1");
  for (const char* key :
       {"factors", "anova", "checks", "kruskal_wallis", "importance", "effects", "interactions", "pairs",
        "regression", "transfer", "scaling", "repetitions", "notes"}) {
    EXPECT_TRUE(json.contains(key)) << key;
  }
  EXPECT_EQ(json["rows"], 12);
  EXPECT_EQ(json["anova"]["terms"].size(), 3U);
  EXPECT_EQ(json["pairs"].size(), 1U + 3U);
  EXPECT_EQ(json["interactions"][0]["cells"].size(), 6U);
  EXPECT_EQ(json["scaling"][0]["curves"].size(), 4U);
  EXPECT_EQ(Json::parse(json.dump()), json);  // no NaN, no infinity
}

TEST(AnalysisReport, ScalingSaysWhenTheBestCountWasNotMeasured) {
  std::string csv = "n,rate\n";
  for (const int n : {1, 2, 4, 8, 12, 16}) {
    csv += std::to_string(n) + "," + std::to_string(100.0 * n / (1 + 0.02 * (n - 1) + 0.001 * n * (n - 1))) +
           "\n";
  }
  const auto sections =
      analysis_sections(analysis_of(csv, {.response = "rate", .maximise = true}, {.scaling = "n"}));
  const auto found = std::ranges::find(sections, "scaling", &AnalysisSection::id);
  ASSERT_NE(found, sections.end());
  // sqrt(0.98 / 0.001) = 31.3
  EXPECT_THAT(column_text(*found, 0, 6), HasSubstr("31.3 (beyond 16"));
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
  EXPECT_THAT(effects, HasSubstr("a-machin\u2026-name-54"));  // the end tells names apart
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
