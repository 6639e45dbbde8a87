#include <gmock/gmock.h>

#include "error_of.h"
#include "small_study.h"

namespace sextant::study {
namespace {

using sextant::test::error_of;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kFactor = "[[factor]]\nname = \"batch\"\nlevels = [16, 32]\n";
constexpr const char* kRest = "[[objective]]\nmetric = \"loss\"\n[budget]\ntrials = 5\n";

StudySpec parsed(const std::string& text) {
  return parse_study(text, "folder/s.toml", test::no_catalog());
}
std::string problem(const std::string& text) {
  return error_of([&] { (void)parsed(text); });
}

TEST(StudyFile, ReadsWhatIsThere) {
  const StudySpec study = parsed(
      "strategy = \"random\"\nlimits = [\"seconds <= 60\", \"accuracy >= 0.9\"]\ntimeout = \"2 min\"\n"
      "cost = \"batch * seconds\"\nretries = 2\nparallel = 3\nseed = 4\n" +
      std::string(kFactor) +
      "[[objective]]\nmetric = \"loss\"\n[[objective]]\nmetric = \"rate\"\ngoal = \"maximise\"\n"
      "[budget]\ncost_usd = 2.5\ntime = \"1 h\"\n"
      "[evaluator]\nrun = \"train {batch}\"\npattern.loss = \"l ([0-9]+)\"\nranks = 2\n");
  EXPECT_EQ(study.name, "s");
  EXPECT_EQ(study.problem.limits.size(), 2U);
  EXPECT_FALSE(study.problem.limits[1].at_most);
  EXPECT_EQ(study.problem.limits[1].limit, 0.9);
  EXPECT_TRUE(study.problem.objectives[1].maximise);
  EXPECT_EQ(study.timeout_s, 120);
  EXPECT_EQ(study.budget.seconds, 3600);
  EXPECT_FALSE(study.budget.trials);
  EXPECT_EQ(study.evaluator.kind, "command");
  EXPECT_EQ(study.evaluator.folder, "folder");
  EXPECT_EQ(study.evaluator.settings.at("pattern.loss"), "l ([0-9]+)");
  EXPECT_EQ(study.evaluator.settings.at("ranks"), "2");
  EXPECT_EQ(study.parallel, 3);
}

TEST(StudyFile, AMachineStandsForItsFeatures) {
  const StudySpec study = parsed(
      "[[factor]]\nname = \"vm\"\nkind = \"machine\"\nlevels = [\"aws/p3.2xlarge\", \"aws/p3.8xlarge\"]\n" +
      std::string(kRest));
  const explore::Configuration second = study.problem.space.parse(std::vector<std::string>{"aws/p3.8xlarge"});
  EXPECT_EQ(std::get<double>(study.problem.space.named_value(second, "vm.gpus").value()), 4);
}

TEST(StudyFile, FaultsHaveAPositionAndAHint) {
  const std::string f = kFactor;
  EXPECT_THAT(problem(""), HasSubstr("no factor to choose"));
  EXPECT_THAT(problem(f), HasSubstr("there is no objective"));
  EXPECT_THAT(problem(f + "[[objective]]\nmetric = \"loss\"\n"), HasSubstr("there is no budget"));
  EXPECT_THAT(
      problem("stategy = \"random\"\n" + f + kRest),
      HasSubstr("folder/s.toml:1:11: error: unknown key 'stategy'\n  hint: did you mean 'strategy'?"));
  EXPECT_THAT(problem("strategy = \"randon\"\n" + f + kRest), HasSubstr("did you mean 'random'?"));
  EXPECT_THAT(problem("design = \"sobl\"\n" + f + kRest), HasSubstr("did you mean 'sobol'?"));
  EXPECT_THAT(problem("limits = [\"seconds < 5\"]\n" + f + kRest), HasSubstr("runtime_s <= 3600"));
  EXPECT_THAT(problem("limits = [\"seconds <= nan\"]\n" + f + kRest), HasSubstr("is no limit of a metric"));
  EXPECT_THAT(problem("constraints = [\"batch > 64\"]\n" + f + kRest), HasSubstr("batch > 64"));
  EXPECT_THAT(problem(f + "[[objective]]\nmetric = \"loss\"\ngoal = \"max\"\n"),
              HasSubstr(":6:8: error: 'max'"));
  EXPECT_THAT(problem(f + kRest + "[evaluator]\nkind = \"comand\"\n"), HasSubstr("did you mean 'command'?"));
  EXPECT_THAT(problem(f + "[[objective]]\nmetric = \"a\"\n[budget]\ncost_usd = 3\n"),
              HasSubstr("needs to know what a trial costs"));
  EXPECT_THAT(problem(f + "[[objective]]\nmetric = \"a\"\n[budget]\ntrials = 0\n"), HasSubstr("from 1 to"));
  EXPECT_THAT(problem(f + "[[objective]]\nmetric = \"a\"\n[budget]\ntime = \"-3 s\"\n"),
              HasSubstr("s.toml:7:8"));
  EXPECT_THAT(problem("strategy = \"none\"\n" + f + kRest), HasSubstr("must be a design"));
  EXPECT_THAT(problem("timeout = \"0 s\"\n" + f + kRest), HasSubstr("must be above 0"));
  EXPECT_THAT(problem("give_up = -1\n" + f + kRest),
              HasSubstr("s.toml:1:11: error: 'give_up' must be from 0 to 1000000"));
  // The trials' files go to a folder of the study's name.
  for (const std::string name : {"..", ".", "../x", "a/b", "/x", "a\\u0000b", "a\\u001bb"}) {
    EXPECT_THAT(problem("name = \"" + name + "\"\n" + f + kRest),
                testing::AllOf(HasSubstr("s.toml:1:8: error: "), HasSubstr("is no name for a study")))
        << name;
  }
  EXPECT_THAT(problem("give_up = false\n" + f + kRest), HasSubstr("s.toml:1:11: error: 'give_up'"));
}

// The budget and the strategy may change while a study goes on; what a trial means may not.
TEST(StudyFile, IdentityIsWhatATrialMeans) {
  const std::string base =
      kFactor + std::string("[[objective]]\nmetric = \"loss\"\n[evaluator]\nrun = \"a\"\n");
  const std::string five = study_identity(parsed(base + "[budget]\ntrials = 5\n"));
  EXPECT_EQ(five, study_identity(parsed("strategy = \"random\"\nparallel = 2\ngive_up = 0\n" + base +
                                        "[budget]\ntrials = 9\n")));
  EXPECT_EQ(five, "factor batch: 16, 32\nminimise loss\nevaluator command\nrun = a\n");
  EXPECT_NE(five, study_identity(parsed(base + "pattern = \"x\"\n[budget]\ntrials = 5\n")));
}

}  // namespace
}  // namespace sextant::study
