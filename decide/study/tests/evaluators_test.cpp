// What evaluators make of configurations: words that stay words, rows of tables, answers of this program.
#include <gmock/gmock.h>

#include <fstream>

#include "command_template.h"
#include "error_of.h"
#include "metric_sources.h"
#include "sextant/core/rng.h"
#include "sextant/measure/shell_words.h"
#include "sextant/study/evaluator.h"
#include "slurm_cluster.h"
#include "small_study.h"

namespace sextant::study {
namespace {

using sextant::test::error_of;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;
using testing::UnorderedElementsAre;

StudySpec text_study(const TemporaryFolder& folder, const std::string& levels, const std::string& evaluator,
                     const std::string& keys = "") {
  return parse_study("strategy = \"random\"\n" + keys + "[[factor]]\nname = \"name\"\nlevels = " + levels +
                         "\n[[objective]]\nmetric = \"loss\"\n[budget]\ntrials = 3\n[evaluator]\n" +
                         evaluator,
                     (folder.path() / "s.toml").string(), test::no_catalog());
}

explore::TrialOutcome run_one(const StudySpec& study, const std::string& level, const TemporaryFolder& folder,
                              const OwnCommand& own = {}) {
  const auto evaluator =
      evaluators()
          .get(study.evaluator.kind)
          .make({.study = study, .own = {.within = own}, .scratch = folder.path() / "runs"});
  explore::Trial trial;
  trial.number = 1;
  trial.configuration = study.problem.space.parse(std::vector<std::string>{level});
  return evaluator->run(trial);
}

// Whatever a value holds, it is one word: nothing of it is run, split or expanded.
TEST(CommandEvaluator, ValuesAreNeverRead) {
  const TemporaryFolder folder;
  for (const std::string value : {"a b", "$(touch hit)", "`touch hit`", "; touch hit", "' ; touch hit; '",
                                  "\\\" x", "* ?", "{name}", "-n", "a|b&c>d"}) {
    std::string quoted;
    for (const char c : value) quoted += (c == '"' || c == '\\' ? "\\" : "") + std::string(1, c);
    const std::string levels = "[\"" + quoted + "\", \"other\"]";
    for (const std::string run :
         {"run = \"printf '%s|loss 1' {name}\"\n", "shell = true\nrun = \"printf '%s|loss 1' {name}\"\n",
          "shell = true\nrun = \"printf '%s|loss 1' \\\"{name}\\\"\"\n",
          "shell = true\nrun = \"f() { printf '%s|loss 1' {name|none}; }; f other\"\n",
          "shell = true\nrun = \"sh -c 'printf %s \\\"$SEXTANT_FACTOR_name|loss 1\\\"'\"\n",
          "run = \"sh -c 'printf \\\"%s|loss 1\\\" \\\"$1\\\"' x {name}\"\n"}) {
      const TemporaryFolder runs;
      const explore::TrialOutcome result = run_one(text_study(folder, levels, run), value, runs);
      EXPECT_EQ(result.state, explore::TrialState::completed) << value << " " << run << result.message;
      std::ifstream log(runs.path() / "runs" / "trial-1" / "log");
      const std::string output{std::istreambuf_iterator<char>(log), {}};
      EXPECT_EQ(output, value + "|loss 1") << run;
    }
  }
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "hit"));
}

// Where a shell would not put a value, the line is refused before anything runs.
TEST(CommandEvaluator, ALineThatTheShellReadsOtherwiseIsRefused) {
  const TemporaryFolder folder;
  const auto problem = [&](const std::string& run) {
    return error_of([&] {
      (void)run_one(text_study(folder, "[\"a\", \"b\"]", "shell = true\nrun = '''" + run + "'''\n"), "a",
                    folder);
    });
  };
  EXPECT_THAT(problem("echo 'loss {name}' 1"),
              AllOf(HasSubstr("no value between single quotes"), HasSubstr("$SEXTANT_FACTOR_name"),
                    HasSubstr("s.toml:")));
  EXPECT_THAT(problem("echo loss \\{name}"), HasSubstr("a backslash stands before {name}"));
  EXPECT_THAT(problem("echo loss ${name}"), HasSubstr("write {name} without the dollar sign"));
  EXPECT_THAT(problem(" "), HasSubstr("the command is empty"));
  EXPECT_EQ(problem("echo \"loss 1 ${HOME} {name}\""), "no error");
}

TEST(CommandEvaluator, AnAbsentFactorHasItsFallbackInAShell) {
  const TemporaryFolder folder;
  const StudySpec study = parse_study(
      "[[factor]]\nname = \"mode\"\nlevels = [\"on\", \"off\"]\n[[factor]]\nname = \"size\"\nlevels = [4, "
      "8]\n"
      "when = \"mode == 'on'\"\n[[objective]]\nmetric = \"loss\"\n[budget]\ntrials = 2\n[evaluator]\nshell = "
      "true\n"
      "run = \"echo loss {size|7}\"\n",
      (folder.path() / "study.toml").string(), test::no_catalog());
  const auto loss = [&](const std::vector<std::string>& levels) {
    const TemporaryFolder runs;
    explore::Trial trial;
    trial.number = 1;
    trial.configuration = study.problem.space.parse(levels);
    const auto evaluator = evaluators().get("command").make({.study = study, .scratch = runs.path()});
    return evaluator->run(trial).metrics.at("loss");
  };
  EXPECT_EQ(loss({"off", ""}), 7);
  EXPECT_EQ(loss({"on", "8"}), 8);
}

TEST(CommandEvaluator, TheTrialIsInTheEnvironment) {
  const TemporaryFolder folder;
  const explore::TrialOutcome result =
      run_one(text_study(folder, "[\"a\", \"b\"]",
                         "shell = true\nrun = \"test -d $SEXTANT_TRIAL_FOLDER && echo loss $SEXTANT_TRIAL "
                         "{trial} \\\"$SEXTANT_CONFIGURATION\\\"\"\n"),
              "b", folder);
  EXPECT_EQ(result.metrics.at("loss"), 1) << result.message;
}

TEST(CommandEvaluator, MetricsByPatternPathAndFile) {
  const TemporaryFolder folder;
  const auto loss = [&](const std::string& evaluator) {
    const TemporaryFolder runs;
    const explore::TrialOutcome result = run_one(text_study(folder, "[\"a\", \"b\"]", evaluator), "a", runs);
    return result.state == explore::TrialState::completed ? number_text(result.metrics.at("loss"))
                                                          : result.message;
  };
  EXPECT_EQ(loss("run = \"printf 'loss: 3\\\\nloss: 2.5e-1\\\\n'\"\n"), "0.25");
  EXPECT_EQ(loss("run = \"printf 'step 9 err=4 end'\"\npattern = \"err=([0-9]+)\"\n"), "4");
  EXPECT_EQ(
      loss("run = \"printf 'log\\\\n{\\\"final\\\": {\\\"l\\\": [7, 8]}}\\\\n'\"\njson = \"final.l.1\"\n"),
      "8");
  EXPECT_EQ(loss("shell = true\nrun = \"echo loss 6 > out.{name}\"\noutput = \"out.{name}\"\n"), "6");
  EXPECT_THAT(loss("run = \"echo done\"\n"),
              HasSubstr("metric 'loss' was not found in the output; it ends: done"));
  EXPECT_THAT(loss("run = \"echo done\"\njson = \"a.b\"\n"), HasSubstr("at JSON path 'a.b'"));
}

// Matchers that go back and try again would take longer than anybody lives, or recurse too deeply.
TEST(CommandEvaluator, NoPatternTakesLongerThanItsOutput) {
  const TemporaryFolder folder;
  const TemporaryFolder runs;
  const auto study = [&](const std::string& pattern) {
    return text_study(folder, "[\"a\", \"b\"]", "run = \"printf %05000d 0\"\npattern = '" + pattern + "'\n");
  };
  EXPECT_THAT(run_one(study("(0+)+x"), "a", runs).message, HasSubstr("was not found"));
  const std::string nested = std::string(20'000, '(') + "0" + std::string(20'000, ')');
  EXPECT_THAT(error_of([&] { run_one(study(nested), "a", runs); }), HasSubstr("is too long"));
}

TEST(CommandEvaluator, NumbersAsPeoplePrintThem) {
  const TemporaryFolder folder;
  const auto loss = [&](const std::string& printed) {
    const TemporaryFolder runs;
    const explore::TrialOutcome result =
        run_one(text_study(folder, "[\"a\", \"b\"]", "run = \"echo 'loss " + printed + "'\"\n"), "a", runs);
    return result.state == explore::TrialState::completed ? number_text(result.metrics.at("loss")) : "none";
  };
  for (const auto& [printed, read] : std::map<std::string, std::string>{{"12", "12"},
                                                                        {"12.", "12"},
                                                                        {".5", "0.5"},
                                                                        {"-1.5e3s", "-1500"},
                                                                        {"3ms", "3"},
                                                                        {"7, 8", "7"},
                                                                        {"0.5,0.6", "0.5"},
                                                                        {"1e2", "100"}}) {
    EXPECT_EQ(loss(printed), read) << printed;
  }
  // A decimal comma, thousands, another base: nothing is better than the first digits.
  for (const std::string printed : {"1,5", "10,25", "1,000,000", "0x1f"}) EXPECT_EQ(loss(printed), "none");
}

TEST(CommandEvaluator, OnSlurm) {
  if (const std::string obstacle = sextant::test::SlurmCluster::obstacle(); !obstacle.empty())
    GTEST_SKIP() << obstacle;
  const sextant::test::SlurmCluster cluster;
  ASSERT_TRUE(cluster.ready()) << cluster.logs();
  const TemporaryFolder folder;
  const StudySpec study = text_study(
      folder, "[\"a b\", \"c\"]",
      "runner = \"slurm\"\nranks = 2\nshell = true\nrun = \"echo in $SLURM_JOB_ID {name}: loss 5\"\n");
  const explore::TrialOutcome result = run_one(study, "a b", folder);
  EXPECT_EQ(result.state, explore::TrialState::completed) << result.message;
  EXPECT_EQ(result.metrics.at("loss"), 5);
}

TEST(CommandEvaluator, OnMpi) {
  if (!measure::find_program("mpirun")) GTEST_SKIP() << "mpirun is not installed";
  const TemporaryFolder folder;
  const StudySpec study =
      text_study(folder, "[\"a b\", \"c\"]",
                 "runner = \"mpi\"\nranks = 2\nrun = \"sh -c 'echo loss $OMPI_COMM_WORLD_SIZE'\"\n");
  const explore::TrialOutcome result = run_one(study, "a b", folder);
  EXPECT_EQ(result.state, explore::TrialState::completed) << result.message;
  EXPECT_EQ(result.metrics.at("loss"), 2);
}

TEST(TableEvaluator, PlaysRowsBack) {
  const TemporaryFolder folder;
  std::ofstream(folder.path() / "t.csv")
      << "case,name,loss,done\nw,4,1.5,1\nw,4.0,2.5,1\nw,8,9,0\nw,16,,1\nv,4,7,1\n";
  const StudySpec study =
      text_study(folder, "[4, 8, 16, 32]",
                 "kind = \"table\"\nfile = \"t.csv\"\nwhere = \"case=w\"\ncensored = \"done=0\"\n");
  EXPECT_EQ(run_one(study, "4", folder).metrics.at("loss"), 2);  // the mean of two runs
  const explore::TrialOutcome stopped = run_one(study, "8", folder);
  EXPECT_EQ(stopped.state, explore::TrialState::timed_out);
  EXPECT_EQ(stopped.bound, 9);
  EXPECT_THAT(run_one(study, "16", folder).message, HasSubstr("no number for 'loss'"));
  EXPECT_THAT(run_one(study, "32", folder).message, HasSubstr("no such run"));
}

TEST(TableEvaluator, ATableWithoutTheObjectiveIsRefused) {
  const TemporaryFolder folder;
  std::ofstream(folder.path() / "t.csv") << "name,los\n4,1\n";
  const auto problem = [&](const std::string& more) {
    return error_of([&] {
      run_one(text_study(folder, "[4, 8]", "kind = \"table\"\nfile = \"t.csv\"\n" + more), "4", folder);
    });
  };
  EXPECT_THAT(problem(""), HasSubstr("no column for metric 'loss'\n  hint: did you mean 'los'?"));
  EXPECT_THAT(problem("where = \"nam=4\"\n"), HasSubstr("did you mean 'name'?"));
}

TEST(OwnEvaluator, TakesMetricsFromTheAnswer) {
  const TemporaryFolder folder;
  std::vector<std::string> asked;
  OwnAnswer answer{.rows = {{.numbers = {{"loss", 3}}, .truths = {{"fits", true}}}}};
  const OwnCommand own = [&](const std::vector<std::string>& words, const Interrupted&) {
    asked = words;
    return answer;
  };
  const StudySpec study =
      text_study(folder, "[\"a b\", \"c\"]", "kind = \"predict\"\nargs = \"net --gpu {name}\"\n");
  const explore::TrialOutcome result = run_one(study, "a b", folder, own);
  EXPECT_EQ(result.state, explore::TrialState::completed);
  EXPECT_THAT(result.metrics, ElementsAre(Pair("loss", 3)));
  EXPECT_THAT(asked, ElementsAre("predict", "net", "--gpu", "a b"));
  answer.rows[0] = {.numbers = {{"los", 3}}};
  EXPECT_THAT(run_one(study, "c", folder, own).message, HasSubstr("there are: los"));
}

TEST(OwnEvaluator, WhatIsNoAnswerIsAFailedTrial) {
  const TemporaryFolder folder;
  const StudySpec study =
      text_study(folder, "[\"a\", \"b\"]", "kind = \"predict\"\nargs = \"net --gpu {name}\"\n");
  const auto message = [&](const OwnAnswer& answer) {
    const explore::TrialOutcome result =
        run_one(study, "a", folder, [&](const auto&, const auto&) { return answer; });
    EXPECT_EQ(result.state, explore::TrialState::failed);
    EXPECT_THAT(result.metrics, IsEmpty());
    return result.message;
  };
  const OwnAnswer::Row row{.numbers = {{"loss", 3}}, .truths = {{"fits", false}}};
  EXPECT_EQ(message({.rows = {row}}), "the answer says: fits = false");
  EXPECT_EQ(message({.rows = {row, row}}), "the answer has 2 rows; a trial is one");
  EXPECT_EQ(message({}), "the answer has 0 rows; a trial is one");
  EXPECT_EQ(message({.exit_code = 2, .errors = "unknown GPU\n", .rows = {row}}), "exit 2: unknown GPU");
  EXPECT_THROW(message({.exit_code = 130}), EvaluationInterrupted);
}

TEST(OwnEvaluator, SimulationsTakeTime) {
  const TemporaryFolder folder;
  const StudySpec study =
      text_study(folder, "[\"a\", \"b\"]", "kind = \"simulate\"\nargs = \"--policy {name}\"\n");
  const OwnAnswer answer{.rows = {{.numbers = {{"loss", 3}}}}};
  const explore::TrialOutcome result =
      run_one(study, "a", folder, [&](const auto&, const auto&) { return answer; });
  EXPECT_GE(result.metrics.at("seconds"), 0) << result.message;
}

// A law: words that are quoted for a shell are the same words when the line is taken apart.
TEST(ShellWords, SplitUndoesQuote) {
  Rng rng = Rng(1).stream("words");
  constexpr std::string_view kLetters = "ab '\"\\$`*{}\n\t;&|";
  for (int i = 0; i < 1000; ++i) {
    std::vector<std::string> words(1 + rng.below(4));
    for (std::string& word : words) {
      const std::uint64_t length = rng.below(6);
      for (std::uint64_t c = 0; c < length; ++c) word += kLetters[rng.below(kLetters.size())];
    }
    EXPECT_EQ(measure::split_shell_words(measure::shell_line(words)), words);
  }
  EXPECT_THAT(measure::split_shell_words("a 'b c'\"d $e\" f\\ g \"\" "),
              ElementsAre("a", "b cd $e", "f g", ""));
}

}  // namespace
}  // namespace sextant::study
