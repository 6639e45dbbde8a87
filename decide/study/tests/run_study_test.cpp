// Studies with real commands on a real store.
#include "sextant/study/run_study.h"

#include <gmock/gmock.h>

#include <atomic>
#include <fstream>
#include <thread>

#include "error_of.h"
#include "sextant/core/csv.h"
#include "small_study.h"

namespace sextant::study {
namespace {

using sextant::test::error_of;
using test::options_in;
using test::study_of;
using testing::Each;
using testing::HasSubstr;
using testing::SizeIs;

class RunStudy : public testing::Test {
 protected:
  [[nodiscard]] StudySpec study(const std::string& keys, const std::string& tables) const {
    return study_of(folder_, "strategy = \"random\"\n" + keys, tables);
  }
  [[nodiscard]] std::string location() const { return (folder_.path() / "s.sqlite").string(); }
  StudyOutcome run(const StudySpec& spec, StudyRunOptions options) {
    const auto store = open_study_store(location());
    options.location = location();
    return run_study(spec, *store, options, progress_);
  }
  StudyOutcome run(const StudySpec& spec) { return run(spec, options_in(folder_)); }

  TemporaryFolder folder_;
  NoProgress progress_;
};

constexpr const char* kTen = "[budget]\ntrials = 10\n";
constexpr const char* kEcho = "[evaluator]\nrun = \"echo loss: {x}\"\n";

TEST_F(RunStudy, FindsTheBestAndGoesOnWhereItEnded) {
  const StudyOutcome ten = run(study("", std::string(kTen) + kEcho));
  EXPECT_EQ(ten.end, StudyEnd::budget);
  ASSERT_THAT(ten.trials, SizeIs(10));
  ASSERT_TRUE(ten.best);
  for (const StoredTrial& trial : ten.trials) {
    EXPECT_EQ(trial.outcome.state, explore::TrialState::completed);
    EXPECT_GE(trial.outcome.metrics.at("loss"), ten.trials[*ten.best].outcome.metrics.at("loss"));
    EXPECT_GT(trial.outcome.metrics.at("seconds"), 0);
  }
  EXPECT_THAT(run(study("", std::string(kTen) + kEcho)).trials, SizeIs(10));
  const StudyOutcome more = run(study("", std::string("[budget]\ntrials = 12\n") + kEcho));
  ASSERT_THAT(more.trials, SizeIs(12));
  EXPECT_EQ(more.trials[9].finished_at, ten.trials[9].finished_at);
}

// Whoever runs it, and however often it is stopped, the configurations are the same.
TEST_F(RunStudy, WorkersDoNotRepeatEachOther) {
  StudySpec spec = study("parallel = 4", std::string(kTen) + "[evaluator]\nrun = \"echo loss: {x}\"\n");
  const StudyOutcome outcome = run(spec);
  std::set<std::vector<std::string>> seen;
  for (const StoredTrial& trial : outcome.trials) {
    EXPECT_EQ(trial.attempts, 1);
    seen.insert(trial.levels);
  }
  EXPECT_THAT(seen, SizeIs(10));
}

TEST_F(RunStudy, FailuresAreRecordedWithTheirReason) {
  const StudyOutcome outcome = run(study(
      "", "[budget]\ntrials = 3\n[evaluator]\nrun = \"echo no memory for {x}; exit 3\"\nshell = true\n"));
  EXPECT_FALSE(outcome.best);
  EXPECT_THAT(outcome.trials, Each(test::in_state(explore::TrialState::failed)));
  EXPECT_EQ(outcome.trials[0].outcome.message, "exit 3: no memory for " + outcome.trials[0].levels[0]);
}

TEST_F(RunStudy, NumbersThatAreNoneAreFailures) {
  for (const std::string output : {"loss: nan", "loss: inf", "loss: -inf", "nothing", ""}) {
    const StudyOutcome outcome =
        run(study("name = \"of " + output + "\"",
                  "[budget]\ntrials = 1\n[evaluator]\nrun = \"echo " + output + "\"\n"));
    EXPECT_EQ(outcome.trials.at(0).outcome.state, explore::TrialState::failed) << output;
    EXPECT_THAT(outcome.trials[0].outcome.message, HasSubstr("metric 'loss'")) << output;
  }
}

TEST_F(RunStudy, GivesUpWhereNothingEverCompletes) {
  const StudyOutcome outcome = run(study("", "[budget]\ntrials = 100\n[evaluator]\nrun = \"false\"\n"));
  EXPECT_EQ(outcome.end, StudyEnd::all_failed);
  EXPECT_THAT(outcome.trials, SizeIs(10));
  // It goes on with another number: that is not what a trial means.
  const auto more = [&](const std::string& key) {
    return run(study(key, "[budget]\ntrials = 20\n[evaluator]\nrun = \"false\"\n"));
  };
  EXPECT_THAT(more("give_up = 12").trials, SizeIs(12));
  const StudyOutcome never = more("give_up = 0");
  EXPECT_EQ(never.end, StudyEnd::budget);
  EXPECT_THAT(never.trials, SizeIs(20));
}

TEST_F(RunStudy, AFrontIsSearchedUntilItHardlyGrows) {
  const auto front = [&](const std::string& keys) {
    StudySpec spec = study_of(folder_, keys,
                              "[budget]\ntrials = 40\n[evaluator]\nshell = true\n"
                              "run = \"x={x}; echo loss $x; echo waste $((x + 1000000 / x))\"\n");
    spec.problem.objectives.push_back({.metric = "waste"});
    return run(spec);
  };
  const StudyOutcome outcome = front("");
  EXPECT_EQ(outcome.end, StudyEnd::strategy_stopped);
  EXPECT_GT(outcome.front.size(), 5U);
  EXPECT_LT(outcome.trials.size(), 40U);
  const StudyOutcome all = front("stop = false");
  EXPECT_EQ(all.end, StudyEnd::budget);
}

TEST_F(RunStudy, ACommandThatHangsIsStoppedWithAllThatItStarted) {
  const StudyOutcome outcome =
      run(study("timeout = \"300 ms\"\ncost = \"2 * seconds\"",
                "[budget]\ntrials = 1\n[evaluator]\nrun = \"sleep 1000 & sleep 1000\"\nshell = true\n"));
  const StoredTrial& trial = outcome.trials.at(0);
  EXPECT_EQ(trial.outcome.state, explore::TrialState::timed_out);
  EXPECT_THAT(trial.outcome.message, HasSubstr("stopped after 0.3 s"));
  EXPECT_NEAR(trial.cost, 2 * trial.outcome.metrics.at("seconds"), 1e-9);
}

TEST_F(RunStudy, AFailedRunIsRetried) {
  const StudyOutcome outcome =
      run(study("retries = 1",
                "[budget]\ntrials = 1\n[evaluator]\nshell = true\n"
                "run = \"test -e again && echo loss 1 && exit; : > again; exit 1\"\n"));
  EXPECT_EQ(outcome.trials.at(0).outcome.state, explore::TrialState::completed)
      << outcome.trials[0].outcome.message;
}

TEST_F(RunStudy, TheDesignRunsFirstInItsReplicates) {
  const StudyOutcome outcome = run(study_of(
      folder_, "strategy = \"none\"\ndesign = \"latin-hypercube\"\ndesign_runs = 4\nreplicates = 2", kEcho));
  EXPECT_EQ(outcome.end, StudyEnd::design_done);
  ASSERT_THAT(outcome.trials, SizeIs(8));
  EXPECT_EQ(outcome.trials[7].reason, "design 8 of 8");
  std::map<std::string, int> times;
  for (const StoredTrial& trial : outcome.trials) ++times[trial.levels[0]];
  EXPECT_THAT(times, SizeIs(4));
}

// 100 dollars each: a fourth would start only below 300 spent.
TEST_F(RunStudy, DollarsEndAStudy) {
  const StudyOutcome outcome =
      run(study("cost = \"100 + 0 * seconds\"", std::string("[budget]\ncost_usd = 300\n") + kEcho));
  EXPECT_THAT(outcome.trials, SizeIs(3));
  EXPECT_DOUBLE_EQ(outcome.cost_usd, 300);
  EXPECT_EQ(outcome.trials[0].outcome.metrics.at("cost_usd"), 100);
}

TEST_F(RunStudy, TimeEndsAStudy) {
  const StudyOutcome outcome = run(study(
      "", "[budget]\ntime = \"400 ms\"\n[evaluator]\nshell = true\nrun = \"sleep 0.1; echo loss {x}\"\n"));
  EXPECT_GE(outcome.trials.size(), 1U);
  EXPECT_LE(outcome.trials.size(), 4U);
  EXPECT_THAT(
      run(study(
              "",
              "[budget]\ntime = \"100 ms\"\n[evaluator]\nshell = true\nrun = \"sleep 0.1; echo loss {x}\"\n"))
          .trials,
      SizeIs(outcome.trials.size()));  // it counts over runs
}

TEST_F(RunStudy, AnInterruptionFinishesWhatIsInHand) {
  std::atomic<bool> stop{false};
  StudyRunOptions options = options_in(folder_);
  options.interrupted = [&] { return stop.load(); };
  options.finished = [&](const StoredTrial& trial, const StudyCourse&) { stop = trial.number == 2; };
  const StudyOutcome outcome = run(study("", std::string(kTen) + kEcho), options);
  EXPECT_EQ(outcome.end, StudyEnd::interrupted);
  ASSERT_THAT(outcome.trials, SizeIs(2));
  EXPECT_THAT(outcome.trials, Each(test::in_state(explore::TrialState::completed)));
}

TEST_F(RunStudy, ASecondOneGivesItBack) {
  StudyRunOptions options = options_in(folder_);
  options.abandon = [&] { return std::filesystem::exists(folder_.path() / "here"); };
  const StudySpec spec = study(
      "", std::string(kTen) + "[evaluator]\nshell = true\nrun = \": > here; sleep 1000; echo loss {x}\"\n");
  const StudyOutcome outcome = run(spec, options);
  EXPECT_EQ(outcome.end, StudyEnd::interrupted);
  ASSERT_THAT(outcome.trials, SizeIs(1));
  EXPECT_EQ(outcome.trials[0].outcome.state, explore::TrialState::running);
  EXPECT_EQ(outcome.trials[0].worker, "");
}

TEST_F(RunStudy, AChangedStudyIsRefusedUnlessForced) {
  run(study("name = \"s\"", std::string(kTen) + kEcho));
  const StudySpec changed =
      study("name = \"s\"", std::string(kTen) + "[evaluator]\nrun = \"echo loss 1 {x}\"\n");
  EXPECT_THAT(error_of([&] { run(changed); }),
              HasSubstr("began with 'run = echo loss: {x}' and now has 'run = echo loss 1 {x}'"));
  StudyRunOptions options = options_in(folder_);
  options.force = true;
  EXPECT_THAT(run(changed, options).trials, SizeIs(10));
}

TEST_F(RunStudy, WhatCanNeverRunIsRefusedBeforeTheFirstTrial) {
  const auto problem = [&](const std::string& keys, const std::string& evaluator) {
    return error_of([&] { run(study(keys, kTen + evaluator)); });
  };
  EXPECT_THAT(problem("", ""), HasSubstr("does not say what runs a trial"));
  EXPECT_THAT(problem("", "[evaluator]\nrun = \"no-such-program {x}\"\n"), HasSubstr("there is no program"));
  EXPECT_THAT(problem("", "[evaluator]\nrun = \"/etc/passwd {x}\"\n"), HasSubstr("may not be executed"));
  EXPECT_THAT(problem("", "[evaluator]\nrun = \"echo {y}\"\n"), HasSubstr("'{y}' is no factor"));
  EXPECT_THAT(problem("", "[evaluator]\nrun = \"echo 'a\"\n"), HasSubstr("stays open"));
  EXPECT_THAT(problem("", "[evaluator]\nrun = \"echo\"\npatern = \"x\"\n"),
              HasSubstr("did you mean 'pattern'"));
  EXPECT_THAT(problem("", "[evaluator]\nrun = \"echo\"\npattern = \"(\"\n"),
              HasSubstr("no regular expression"));
  EXPECT_THAT(problem("", "[evaluator]\nrun = \"echo\"\nrunner = \"slrum\"\n"),
              HasSubstr("did you mean 'slurm'"));
  EXPECT_THAT(problem("cost = \"price * seconds\"", kEcho), HasSubstr("names 'price'"));
  EXPECT_THAT(problem("past = [\"gone\"]", kEcho), HasSubstr("no study 'gone'"));
}

TEST_F(RunStudy, AskAndTell) {
  const StudySpec spec = study("", kTen);
  const auto store = open_study_store(location());
  const auto asked = ask_trials(spec, *store, options_in(folder_), 2).trials;
  ASSERT_THAT(asked, SizeIs(2));
  EXPECT_NE(asked[0].levels, asked[1].levels);
  const auto completed = [](std::map<std::string, double> metrics) {
    return explore::TrialOutcome{.state = explore::TrialState::completed, .metrics = std::move(metrics)};
  };
  const auto tell = [&](std::int64_t number, const explore::TrialOutcome& result) {
    return error_of([&] { tell_trial(spec, *store, number, result); });
  };
  EXPECT_EQ(tell(2, completed({{"loss", 0.5}})), "no error");
  EXPECT_THAT(tell(2, completed({{"loss", 0.5}})), HasSubstr("has ended: completed"));
  EXPECT_THAT(tell(3, completed({{"loss", 0.5}})), HasSubstr("no trial 3"));
  EXPECT_THAT(tell(1, completed({{"los", 0.5}})), HasSubstr("objective 'loss' is missing"));
  EXPECT_THAT(tell(1, completed({{"loss", std::nan("")}})), HasSubstr("no finite number"));
  EXPECT_EQ(tell(1, {.state = explore::TrialState::failed, .message = "out of memory"}), "no error");
  EXPECT_EQ(study_outcome(spec, *store).best, 1U);
}

TEST_F(RunStudy, LearnsFromAnEarlierStudy) {
  run(study("name = \"first\"", std::string(kTen) + kEcho));
  EXPECT_THAT(run(study("name = \"second\"\npast = [\"first\"]", std::string(kTen) + kEcho)).trials,
              SizeIs(10));
}

}  // namespace
}  // namespace sextant::study
