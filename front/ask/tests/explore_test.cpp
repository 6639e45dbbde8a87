// Studies as questions: inline and outside, what stands, and trials as runs of an analysis.
#include "sextant/ask/explore.h"

#include <gmock/gmock.h>

#include <fstream>

#include "error_of.h"
#include "sextant/ask/analyze.h"
#include "temporary_folder.h"

namespace sextant::ask {
namespace {

using sextant::test::error_of;
using testing::HasSubstr;

constexpr const char* kOutside =
    "name = \"outside\"\nstrategy = \"random\"\n[[factor]]\nname = \"x\"\nlow = 1\nhigh = 50\n"
    "[[objective]]\nmetric = \"loss\"\n[budget]\ntrials = 6\n";

class StudyQuestions : public testing::Test {
 protected:
  const catalog::Catalog catalog = catalog::builtin_catalog();
  NoProgress quiet;

  [[nodiscard]] StudyPlace outside() const {
    std::ofstream(folder_.path() / "s.toml") << kOutside;
    return {.study = (folder_.path() / "s.toml").string()};
  }
  [[nodiscard]] ExploreQuestion squares() const {
    ExploreQuestion question;
    question.place.store = (folder_.path() / "squares.sqlite").string();
    question.inline_study = {.run = "echo loss: {x}", .factor = {"x=1..9"}, .minimise = {"loss"}};
    question.strategy = "random";
    question.trials = 3;
    return question;
  }

 private:
  TemporaryFolder folder_;
};

TEST_F(StudyQuestions, TheSameQuestionGoesOn) {
  ExploreQuestion question = squares();
  EXPECT_TRUE(check_study(question, catalog, {}).outcome.trials.empty());
  std::size_t finished = 0;
  StudyHooks hooks;
  hooks.finished = [&](const study::StudySpec& study, const study::StoredTrial&, const study::StudyCourse&) {
    EXPECT_TRUE(study.name.starts_with("run-"));
    ++finished;
  };
  const StudyAnswer three = explore(question, catalog, hooks, quiet);
  ASSERT_TRUE(three.outcome.best);
  EXPECT_EQ(finished, 3U);
  question.trials = 5;
  EXPECT_EQ(explore(question, catalog, hooks, quiet).outcome.trials.size(), 5U);
  EXPECT_EQ(finished, 5U);
  EXPECT_EQ(check_study(question, catalog, {}).outcome.trials.size(), 5U);
}

TEST_F(StudyQuestions, ALoopOutsideIsAnalysed) {
  const StudyPlace place = outside();
  for (int i = 0; i < 6; ++i) {
    const AskTrialsAnswer asked = ask_trials({.place = place}, catalog, {});
    ASSERT_EQ(asked.trials.size(), 1U);
    TellTrialQuestion told{.place = place, .trial = asked.trials[0].number};
    if (i == 5) {
      told.failed = true;
    } else {
      told.metric = {"loss=" + std::to_string(i) + ".5"};
    }
    EXPECT_EQ(tell_trial(told, catalog).outcome.trials.size(), static_cast<std::size_t>(i) + 1);
  }
  const AskTrialsAnswer none = ask_trials({.place = place}, catalog, {});
  EXPECT_TRUE(none.trials.empty());
  EXPECT_THAT(none.warnings, testing::ElementsAre(HasSubstr("no further trial")));
  EXPECT_EQ(study_status({.place = place}, catalog).at(0).outcome.trials.size(), 6U);
  // What the study knows is filled in.
  const analysis::Analysis analysis = analyze({.runs = *place.study}, [&] { return catalog; });
  EXPECT_EQ(analysis.table.response, "loss");
  EXPECT_EQ(analysis.censored, 1U);
  ASSERT_EQ(analysis.table.factors.size(), 1U);
  EXPECT_EQ(analysis.table.factors[0].name, "x");
}

TEST_F(StudyQuestions, ContradictionsAreRefused) {
  ExploreQuestion both = squares();
  both.place.study = "s.toml";
  EXPECT_THAT(error_of([&] { check_study(both, catalog, {}); }),
              HasSubstr("the study file says this already"));
  EXPECT_THAT(error_of([&] { check_study({}, catalog, {}); }), HasSubstr("no study was named"));
  const TellTrialQuestion told{.place = outside(), .trial = 1, .failed = true, .timed_out = true};
  EXPECT_THAT(error_of([&] { tell_trial(told, catalog); }), HasSubstr("are both given"));
}

TEST(InlineStudyText, FactorsByTheirForm) {
  const std::string text =
      inline_study_text({.factor = {"rate=1e-5..0.1:log", "net=a b,c", "batch=16,32"}}, 4);
  EXPECT_THAT(text, HasSubstr("name = \"rate\"\nkind = \"real\"\nlow = 1e-05\nhigh = 0.1\nlog = true\n"));
  EXPECT_THAT(text, HasSubstr("kind = \"categorical\"\nlevels = [\"a b\", \"c\"]\n"));
  EXPECT_THAT(text, HasSubstr("kind = \"ordinal\"\nlevels = [16, 32]\n"));
  EXPECT_THAT(text, HasSubstr("metric = \"seconds\""));
  EXPECT_THAT(error_of([] { inline_study_text({.factor = {"batch"}}, 4); }),
              HasSubstr("'batch' is no factor"));
}

}  // namespace
}  // namespace sextant::ask
