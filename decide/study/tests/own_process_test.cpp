// Trials that are this program as another process, played by a script: timeouts, crashes, interruptions,
// turns, and nothing left behind.
#include <gmock/gmock.h>

#include <atomic>
#include <cstdlib>
#include <fstream>
#include <thread>

#include "error_of.h"
#include "sextant/core/csv.h"
#include "small_study.h"

namespace sextant::study {
namespace {

using sextant::test::error_of;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

const std::string kApart = "timeout = \"1 min\"\n";  // simulations are processes then

class OwnProcessStudy : public testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::create_directory(folder_.path() / "tmp");
    if (const char* before = std::getenv("TMPDIR")) before_ = before;
    setenv("TMPDIR", (folder_.path() / "tmp").c_str(), 1);
  }
  void TearDown() override {
    EXPECT_THAT(files_in(folder_.path() / "tmp"), IsEmpty());
    before_.empty() ? unsetenv("TMPDIR") : setenv("TMPDIR", before_.c_str(), 1);
  }

  static std::vector<std::string> files_in(const std::filesystem::path& folder) {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      names.push_back(entry.path().filename().string());
    }
    return names;
  }

  [[nodiscard]] StudySpec study(const std::string& kind, const std::string& keys) const {
    return test::study_of(folder_, "strategy = \"random\"\n" + keys,
                          "[budget]\ntrials = 4\n[evaluator]\nkind = \"" + kind + "\"\nargs = \"--x {x}\"\n");
  }

  // The program is a script of `sh` in the folder; $here is that folder.
  [[nodiscard]] StudyRunOptions options(const std::string& script) const {
    const std::string file = (folder_.path() / "program.sh").string();
    std::ofstream(file) << "here='" << folder_.path().string() << "'\n" << script << "\n";
    StudyRunOptions options = test::options_in(folder_);
    options.own.start = {"/bin/sh", file};
    return options;
  }

  StudyOutcome run(const StudySpec& spec, const StudyRunOptions& options) const {
    const auto store = open_study_store((folder_.path() / "s.sqlite").string());
    NoProgress progress;
    return run_study(spec, *store, options, progress);
  }

  [[nodiscard]] std::string text(const std::string& file) const {
    return read_text_file((folder_.path() / file).string());
  }

  TemporaryFolder folder_;
  std::string before_;
};

TEST_F(OwnProcessStudy, TheAnswerIsReadWholeAndApartFromWarnings) {
  const StudyOutcome outcome = run(
      study("simulate", kApart + "parallel = 2"),
      options("echo \"$*\" > \"$here/asked\"; echo 'a warning {' >&2\n"
              "printf '[{\"text\": \"'; head -c 1000000 /dev/zero | tr '\\0' a; echo '\", \"loss\": 3}]'\n"
              "echo '}' >&2"));
  EXPECT_THAT(outcome.trials, Each(test::in_state(explore::TrialState::completed)));
  EXPECT_EQ(outcome.trials.at(0).outcome.metrics.at("loss"), 3) << outcome.trials[0].outcome.message;
  EXPECT_GT(outcome.trials[0].outcome.metrics.at("seconds"), 0);
  EXPECT_THAT(text("asked"), testing::MatchesRegex("simulate --x [0-9]+ --json --no-provenance\n"));
}

TEST_F(OwnProcessStudy, ATrialThatTakesTooLongIsTimedOut) {
  for (const std::string kind : {"predict", "simulate", "measure"}) {
    StudySpec spec = study(kind, "name = \"" + kind + "\"\ntimeout = \"200 ms\"\ncost = \"2 * seconds\"");
    spec.problem.objectives = {{.metric = "seconds"}};
    spec.budget.trials = 1;
    const StudyOutcome outcome = run(spec, options("trap '' TERM; echo at work >&2; exec sleep 1000"));
    const StoredTrial& trial = outcome.trials.at(0);
    EXPECT_EQ(trial.outcome.state, explore::TrialState::timed_out) << kind;
    EXPECT_EQ(trial.outcome.message, "stopped after 0.2 s: at work");
    EXPECT_EQ(trial.outcome.bound, trial.outcome.metrics.at("seconds"));
    EXPECT_GE(trial.outcome.bound, 0.2);
    EXPECT_NEAR(trial.cost, 2 * trial.outcome.metrics.at("seconds"), 1e-9);
  }
}

TEST_F(OwnProcessStudy, ACrashIsAFailedTrial) {
  const StudyOutcome outcome =
      run(study("simulate", kApart), options("echo before >&2; echo '[{\"loss\": 1}]'; kill -SEGV $$"));
  EXPECT_THAT(outcome.trials, SizeIs(4));
  EXPECT_THAT(outcome.trials, Each(test::in_state(explore::TrialState::failed)));
  EXPECT_EQ(outcome.trials.at(0).outcome.message, "killed by signal 11 (Segmentation fault): before");
  const StudyOutcome refused =
      run(study("simulate", kApart + "name = \"refused\""), options("echo 'unknown policy' >&2; exit 2"));
  EXPECT_EQ(refused.trials.at(0).outcome.message, "exit 2: unknown policy");
}

// The first is heard only after what is in hand.
TEST_F(OwnProcessStudy, AnInterruptionLetsItEndASecondGivesItBack) {
  StudyRunOptions patient = options(": > \"$here/begun\"; sleep 0.3; echo '[{\"loss\": 1}]'");
  const auto begun = [this] { return std::filesystem::exists(folder_.path() / "begun"); };
  patient.interrupted = begun;
  const StudyOutcome first = run(study("simulate", kApart + "name = \"first\""), patient);
  EXPECT_EQ(first.end, StudyEnd::interrupted);
  EXPECT_THAT(first.trials, ElementsAre(test::in_state(explore::TrialState::completed)));
  std::filesystem::remove(folder_.path() / "begun");
  StudyRunOptions hasty = options(": > \"$here/begun\"; exec sleep 1000");
  hasty.abandon = begun;
  const StudyOutcome second = run(study("simulate", kApart + "name = \"second\""), hasty);
  EXPECT_EQ(second.end, StudyEnd::interrupted);
  ASSERT_THAT(second.trials, SizeIs(1));
  EXPECT_EQ(second.trials[0].outcome.state, explore::TrialState::running);
  EXPECT_EQ(second.trials[0].worker, "");
}

TEST_F(OwnProcessStudy, AProcessThatWasInterruptedAloneIsNoFailure) {
  const StudyOutcome outcome = run(study("simulate", kApart), options("exit 130"));
  EXPECT_EQ(outcome.end, StudyEnd::interrupted);
  EXPECT_EQ(outcome.trials.at(0).outcome.state, explore::TrialState::running);
}

TEST_F(OwnProcessStudy, WhoMeasuresMayEndWhatItStarted) {
  const StudyOutcome outcome =
      run(study("measure", "timeout = \"200 ms\""),
          options("trap 'echo x >> \"$here/ended\"; exit 130' INT; sleep 1000 & wait"));
  EXPECT_THAT(outcome.trials, Each(test::in_state(explore::TrialState::timed_out)));
  EXPECT_EQ(text("ended"), "x\nx\nx\nx\n");
}

TEST_F(OwnProcessStudy, WhoMeasuresHasTheMachineForItself) {
  const std::string script =
      "mkdir \"$here/lock\" || exit 9; sleep 0.05; rmdir \"$here/lock\"; echo '[{\"loss\": 1}]'";
  EXPECT_THAT(run(study("measure", "parallel = 4"), options(script)).trials,
              Each(test::in_state(explore::TrialState::completed)));
}

TEST_F(OwnProcessStudy, AProgramThatCannotBeStartedIsSaidBeforeTheFirstTrial) {
  StudyRunOptions none = test::options_in(folder_);
  EXPECT_THAT(error_of([&] { run(study("simulate", ""), none); }), HasSubstr("cannot be run from here"));
  none.own.within = [](const auto&, const auto&) { return OwnAnswer{}; };
  for (const StudySpec& spec : {study("measure", ""), study("simulate", kApart)}) {
    EXPECT_THAT(error_of([&] { run(spec, none); }), HasSubstr("cannot be run from here"));
  }
}

// The same of a simulation that is a call within this process.
TEST_F(OwnProcessStudy, ACallIsGivenUpByTheSecondInterruption) {
  std::atomic<bool> begun = false;
  StudyRunOptions options = test::options_in(folder_);
  options.own.within = [&](const auto&, const Interrupted& interrupted) {
    begun = true;
    while (!interrupted()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return OwnAnswer{.exit_code = 130};
  };
  options.abandon = [&] { return begun.load(); };
  const StudyOutcome given_back = run(study("simulate", "name = \"given-back\""), options);
  EXPECT_EQ(given_back.end, StudyEnd::interrupted);
  ASSERT_THAT(given_back.trials, ElementsAre(test::in_state(explore::TrialState::running)));
  EXPECT_EQ(given_back.trials[0].worker, "");

  begun = false;
  options.own.within = [&](const auto&, const Interrupted& interrupted) {
    begun = true;
    EXPECT_FALSE(interrupted());
    return OwnAnswer{.rows = {{.numbers = {{"loss", 1}}}}};
  };
  options.interrupted = options.abandon;
  options.abandon = {};
  const StudyOutcome finished = run(study("simulate", "name = \"finished\""), options);
  EXPECT_EQ(finished.end, StudyEnd::interrupted);
  EXPECT_THAT(finished.trials, ElementsAre(test::in_state(explore::TrialState::completed)));
}

}  // namespace
}  // namespace sextant::study
