// Questions about tables and files of runs: strategies on recorded runs, designs, analyses, spans.
#include <gmock/gmock.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "error_of.h"
#include "sextant/ask/analyze.h"
#include "sextant/ask/design.h"
#include "sextant/ask/spans.h"
#include "sextant/ask/table_search.h"
#include "temporary_folder.h"

namespace sextant::ask {
namespace {

using sextant::test::error_of;
using testing::ElementsAre;
using testing::HasSubstr;

class TableQuestions : public testing::Test {
 protected:
  [[nodiscard]] std::string file(const std::string& name, const std::string& text) const {
    std::ofstream(folder_.path() / name) << text;
    return (folder_.path() / name).string();
  }
  static catalog::Catalog no_catalog() { throw InputError("the catalogue is not needed"); }

 private:
  TemporaryFolder folder_;
};

TEST_F(TableQuestions, StrategiesOnRecordedRuns) {
  TableSearchQuestion question;
  question.table =
      file("runs.csv", "case,vm,ok,cost\na,s,1,10\na,l,1,20\nb,s,1,8\nb,l,1,4\nc,s,0,\nc,l,0,\n");
  question.config = {"vm"};
  question.objective = "cost";
  question.censored = "ok=0";
  question.strategy = {"random"};
  question.trials = 2;
  NoProgress quiet;
  EXPECT_THAT(error_of([&] { search_table(question, quiet); }), HasSubstr("group"));
  question.group = "case";
  const TableSearchAnswer answer = search_table(question, quiet);
  EXPECT_THAT(answer.warnings, ElementsAre("no run of 'c' completed: it is left out"));
  const std::vector<study::StrategyScore> scores = strategy_scores(answer.report);
  ASSERT_EQ(scores.size(), 1U);
  EXPECT_EQ(scores[0].groups, 2U);
  EXPECT_EQ(scores[0].best_over_optimum[1], 1);      // both were tried
  EXPECT_EQ(scores[0].search_cost_over_optimum, 3);  // (10 + 20) / 10 and (8 + 4) / 4
}

TEST_F(TableQuestions, ADesignOfASpace) {
  const std::string space = file("space.toml",
                                 "[[factor]]\nname = \"a\"\nlevels = [1, 2]\n[[factor]]\nname = \"b\"\n"
                                 "levels = [1, 2, 3]\n");
  const DesignAnswer answer =
      plan_design({.space = space, .design = "full-factorial", .replicates = 2}, catalog::builtin_catalog());
  EXPECT_EQ(answer.design.runs.size(), 12U);
  EXPECT_EQ(answer.space.factors().size(), 2U);
}

TEST_F(TableQuestions, AnAnalysisOfATable) {
  AnalyzeQuestion question;
  question.runs = file("runs.csv", "vm,time\ns,10\ns,11\ns,10.5\nl,5\nl,5.5\nl,5.2\n");
  EXPECT_THAT(error_of([&] { analyze(question, no_catalog); }),
              HasSubstr("the column to explain is missing"));
  question.response = "time";
  const analysis::Analysis analysis = analyze(question, no_catalog);
  ASSERT_EQ(analysis.table.factors.size(), 1U);
  EXPECT_EQ(analysis.table.factors[0].name, "vm");
  question.detect = {"5%", "none"};
  EXPECT_THAT(error_of([&] { analyze(question, no_catalog); }), HasSubstr("'none' is not a positive share"));
  question.detect = {};
  question.power = 0.04;
  EXPECT_THAT(error_of([&] { analyze(question, no_catalog); }), HasSubstr("chance of a false alarm"));
  question.study = "speed";
  question.power = 0.8;
  EXPECT_THAT(error_of([&] { analyze(question, no_catalog); }), HasSubstr("keeps no study"));
}

TEST_F(TableQuestions, SpansInTheirOtherForm) {
  spans::SpanSet set;
  set.processes = {{0, "worker 0"}};
  for (std::int64_t i = 0; i < 4; ++i) {
    const std::int64_t start = i * 1000;
    set.spans.push_back({.id = 10 * static_cast<spans::SpanId>(i) + 1,
                         .name = "iteration",
                         .start_ns = start,
                         .end_ns = start + 900,
                         .attributes = {{"iteration", i}}});
    set.spans.push_back({.id = 10 * static_cast<spans::SpanId>(i) + 2,
                         .parent = 10 * static_cast<spans::SpanId>(i) + 1,
                         .name = "forward",
                         .start_ns = start,
                         .end_ns = start + 800});
  }
  const std::string perfetto = file("spans.json", to_perfetto(set).dump());
  const Json otlp = convert_spans({.file = {perfetto}, .to = "otlp"});
  EXPECT_TRUE(otlp.contains("resourceSpans"));
  const auto analysis = std::get<spans::SpanAnalysis>(
      analyze_spans({.file = {perfetto}, .skip = 1, .what_if = {"forward=inf"}}));
  EXPECT_EQ(analysis.iterations, 3);
  ASSERT_EQ(analysis.what_if.size(), 1U);
  EXPECT_THAT(error_of([&] { analyze_spans({.file = {perfetto}, .what_if = {"forward"}}); }),
              HasSubstr("'forward' is not a phase and how many times"));
  EXPECT_THAT(error_of([&] { convert_spans({.file = {perfetto}, .to = "jaeger"}); }),
              HasSubstr("'jaeger' is not known here"));
}

}  // namespace
}  // namespace sextant::ask
