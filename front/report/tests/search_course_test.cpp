#include "sextant/report/search_course.h"

#include <gmock/gmock.h>

#include "count_of.h"
#include "error_of.h"

namespace sextant::report {
namespace {

using testing::HasSubstr;

study::StudySpec study() {
  return study::parse_study(
      "name = \"epoch\"\n[[factor]]\nname = \"x\"\nlow = 1\nhigh = 9\n[[objective]]\nmetric = \"loss\"\n"
      "[budget]\ntrials = 9\n",
      "study.toml", catalog::builtin_catalog());
}

study::StoredTrial trial(std::int64_t number, double loss) {
  study::StoredTrial one;
  one.number = number;
  one.levels = {std::to_string(number)};
  one.outcome = {.state = explore::TrialState::completed, .metrics = {{"loss", loss}}};
  return one;
}

TEST(SearchCourse, OfAStudyIsThatOfItsBestTrials) {
  study::StudyOutcome outcome;
  outcome.trials = {trial(1, 5), trial(2, 7), trial(3, 3), trial(4, 7)};
  const std::string svg = study_course_svg(study(), outcome);
  EXPECT_THAT(svg, HasSubstr("Study epoch, strategy"));
  EXPECT_THAT(svg, HasSubstr("loss"));
  const auto line = [](const std::string& drawn) {
    const std::size_t at = drawn.find("<polyline");
    return drawn.substr(at, drawn.find("/>", at) - at);
  };
  // A trial that is worse than the best moves its own point alone.
  study::StudyOutcome other = outcome;
  other.trials[1] = trial(2, 6);
  EXPECT_EQ(line(study_course_svg(study(), other)), line(svg));
  EXPECT_NE(study_course_svg(study(), other), svg);
  other = outcome;
  other.trials[2] = trial(3, 2);
  EXPECT_NE(line(study_course_svg(study(), other)), line(svg));
}

TEST(SearchCourse, EveryTrialIsAPointAndFailuresAreHollow) {
  study::StudyOutcome outcome;
  outcome.trials = {trial(1, 5), trial(2, 7), trial(3, 3)};
  EXPECT_THAT(study_course_svg(study(), outcome), testing::Not(HasSubstr("without a value")));
  outcome.trials[1].outcome = {.state = explore::TrialState::failed};
  const std::string svg = study_course_svg(study(), outcome);
  EXPECT_THAT(svg, HasSubstr(">best so far<"));
  EXPECT_THAT(svg, HasSubstr(">single trials<"));
  EXPECT_THAT(svg, HasSubstr(">trials without a value<"));
  EXPECT_EQ(count_of(svg, "<circle"), 3U + 2U) << "three trials, and two samples in the legend";
}

TEST(SearchCourse, ThereIsNoneBeforeATrialCompleted) {
  study::StudyOutcome outcome;
  outcome.trials = {trial(1, 5)};
  outcome.trials[0].outcome.state = explore::TrialState::failed;
  EXPECT_THAT(sextant::test::error_of([&] { (void)study_course_svg(study(), outcome); }),
              HasSubstr("nothing to draw"));
}

TEST(SearchCourse, OfTablesIsAMeanOverGroups) {
  const auto result = [](const std::string& group, const std::string& strategy, std::vector<double> best) {
    study::TableSearchResult one;
    one.group = group;
    one.strategy = strategy;
    one.best_over_optimum_mean = std::move(best);
    return one;
  };
  const study::TableSearchReport apart{
      .results = {result("a", "random", {4, 2}), result("b", "random", {2, 1})}, .skipped = {}};
  const study::TableSearchReport mean{.results = {result("a", "random", {3, 1.5})}, .skipped = {}};
  EXPECT_EQ(table_course_svg(apart), table_course_svg(mean));
  EXPECT_THAT(table_course_svg(apart), HasSubstr("random"));
}

}  // namespace
}  // namespace sextant::report
