// Supervision, with scripts as processes: every way to fail is noticed, named and cleared away.
#include "sextant/measure/supervisor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "processes.h"
#include "sextant/core/csv.h"
#include "sextant/core/error.h"

namespace sextant::measure {
namespace {

using test::left_running;
using test::mark_processes;
using test::script_trial;
using test::write_script;
using testing::HasSubstr;
using testing::IsEmpty;

// Runs a trial of scripts and looks that nothing of it stays behind, neither processes nor files.
class SupervisorTest : public testing::Test {
 protected:
  Supervised run(const Trial& trial, const std::string& script) {
    options_.worker = write_script(temporary_.path(), script);
    options_.scratch = scratch_.path();
    mark_processes(scratch_.path());
    Supervised done = run_trial(trial, options_);
    EXPECT_THAT(left_running(scratch_.path()), IsEmpty());
    EXPECT_EQ(std::filesystem::is_empty(scratch_.path()), !options_.keep);
    return done;
  }

  TemporaryFolder temporary_;
  TemporaryFolder scratch_;
  SuperviseOptions options_;
};

TEST_F(SupervisorTest, ReportsOfAllRanks) {
  std::int64_t seen = 0;
  options_.progress = [&](std::int64_t iteration) { seen = iteration; };
  const Supervised done = run(script_trial(3), "beat 1 0; beat 2 2; sleep 0.1; report");
  EXPECT_TRUE(done.outcome.completed);
  EXPECT_THAT(done.outcome.failures, IsEmpty());
  ASSERT_EQ(done.outcome.ranks.size(), 3U);
  for (std::int64_t rank = 0; rank < 3; ++rank) EXPECT_EQ(done.outcome.ranks[rank].rank, rank);
  EXPECT_EQ(seen, 2);
}

TEST_F(SupervisorTest, ProcessesGetTheirRankAndThreads) {
  Trial trial = script_trial(2);
  trial.threads = 3;
  options_.keep = true;
  const Supervised done = run(trial, "echo $SEXTANT_RANK $OMP_NUM_THREADS $OPENBLAS_NUM_THREADS; report");
  const RunFolder folder(done.folder / "attempt-0");
  EXPECT_EQ(read_text_file(folder.log_file(1).string()), "1 3 3\n");
  EXPECT_EQ(to_json(trial_from_json(read_text_file(folder.trial_file().string()), "trial.json")),
            to_json(trial));
}

TEST_F(SupervisorTest, KilledProcessIsNamed) {
  const Supervised done = run(script_trial(2), "beat 1 4; [ $SEXTANT_RANK = 1 ] && kill -9 $$; hang");
  EXPECT_FALSE(done.outcome.completed);
  ASSERT_EQ(done.outcome.failures.size(), 1U);
  const Failure& failure = done.outcome.failures[0];
  EXPECT_EQ(failure.rank, 1);
  EXPECT_THAT(failure.what, HasSubstr("killed by signal 9"));
  EXPECT_EQ(failure.iteration, 4);
  EXPECT_EQ(failure.resumed_from, -1);
}

// The others fail because their peer is gone; the peer is to blame, even if they are first to say so.
TEST_F(SupervisorTest, KilledProcessIsToBlameNotThePeerThatComplains) {
  const Supervised done =
      run(script_trial(2),
          "beat 1 4; if [ $SEXTANT_RANK = 0 ]; then report 'connection closed'; exit 1; fi\n"
          "sleep 0.1; kill -9 $$");
  ASSERT_EQ(done.outcome.failures.size(), 1U);
  EXPECT_EQ(done.outcome.failures[0].rank, 1);
}

TEST_F(SupervisorTest, ErrorOfAProcessIsPassedOn) {
  const Supervised done =
      run(script_trial(2), "beat 1 0; [ $SEXTANT_RANK = 1 ] && { report 'no such file'; exit 1; }; hang");
  ASSERT_EQ(done.outcome.failures.size(), 1U);
  EXPECT_EQ(done.outcome.failures[0].rank, 1);
  EXPECT_EQ(done.outcome.failures[0].what, "exit 1: no such file");
}

// A rank that fails by itself closes its connections before it ends: the others may be first to end.
TEST_F(SupervisorTest, ProcessThatLostAnotherIsNotToBlame) {
  const Supervised done =
      run(script_trial(3),
          "beat 1 0; [ $SEXTANT_RANK = 1 ] && { sleep 0.1; report 'disk full'; exit 1; }\n"
          "report \"rank $SEXTANT_RANK lost rank 1: connection closed\"; exit 1");
  ASSERT_EQ(done.outcome.failures.size(), 1U);
  EXPECT_EQ(done.outcome.failures[0].rank, 1);
  EXPECT_EQ(done.outcome.failures[0].what, "exit 1: disk full");
}

TEST_F(SupervisorTest, LastLineOfTheLogWhereThereIsNoReport) {
  const Supervised done = run(script_trial(1), "echo first; echo cannot open shared object >&2; exit 127");
  ASSERT_EQ(done.outcome.failures.size(), 1U);
  EXPECT_EQ(done.outcome.failures[0].what, "exit 127: cannot open shared object");
}

TEST_F(SupervisorTest, EndWithoutReport) {
  const Supervised done = run(script_trial(2), "beat 1 0; [ $SEXTANT_RANK = 0 ] && report; exit 0");
  EXPECT_FALSE(done.outcome.completed);
  ASSERT_EQ(done.outcome.failures.size(), 1U);
  EXPECT_EQ(done.outcome.failures[0].rank, 1);
  EXPECT_EQ(done.outcome.failures[0].what, "ended without a report");
}

TEST_F(SupervisorTest, GarbageAsReport) {
  const Supervised done = run(script_trial(1), "echo '{\"schema\": \"sextant.wor' > $folder/report.0.json");
  EXPECT_FALSE(done.outcome.completed);
  ASSERT_EQ(done.outcome.failures.size(), 1U);
  EXPECT_THAT(done.outcome.failures[0].what, HasSubstr("wrote no sound report"));
}

TEST_F(SupervisorTest, HangingProcessIsTheQuietestOne) {
  // Rank 1 falls silent; rank 0 goes on for half a second and then waits for it.
  const Supervised done =
      run(script_trial(2), "beat 1 3; if [ $SEXTANT_RANK = 0 ]; then sleep 0.5; beat 2 4; fi; hang");
  ASSERT_EQ(done.outcome.failures.size(), 1U);
  const Failure& failure = done.outcome.failures[0];
  EXPECT_EQ(failure.rank, 1);
  EXPECT_EQ(failure.what, "no sign of life for 1 s");
  EXPECT_GE(failure.noticed_s, 1);
}

// Transports have the same limit, so that a peer of the stopped process may fail first.
TEST_F(SupervisorTest, StoppedProcessIsToBlame) {
  const Supervised done = run(script_trial(2),
                              "beat 1 3; if [ $SEXTANT_RANK = 1 ]; then kill -STOP $$; fi\n"
                              "sleep 0.3; report 'timed out'; exit 1");
  ASSERT_EQ(done.outcome.failures.size(), 1U);
  EXPECT_EQ(done.outcome.failures[0].rank, 1);
  EXPECT_THAT(done.outcome.failures[0].what, HasSubstr("stopped"));
}

// Nor does it matter whose silence was noticed first.
TEST_F(SupervisorTest, StoppedProcessIsToBlameThoughAnotherWasSilentFirst) {
  const Supervised done =
      run(script_trial(2),
          "beat 1 3; if [ $SEXTANT_RANK = 1 ]; then sleep 0.3; beat 2 3; kill -STOP $$; fi; hang");
  ASSERT_EQ(done.outcome.failures.size(), 1U);
  EXPECT_EQ(done.outcome.failures[0].rank, 1);
  EXPECT_THAT(done.outcome.failures[0].what, HasSubstr("stopped"));
}

TEST_F(SupervisorTest, SlowButAliveIsFine) {
  const Supervised done =
      run(script_trial(1), "for i in 1 2 3 4 5 6; do beat $i 0; sleep 0.4; done; report");  // 2.4 s > 1 s
  EXPECT_TRUE(done.outcome.completed);
}

TEST_F(SupervisorTest, Interruption) {
  bool asked = false;
  options_.interrupted = [&] {
    const bool now = asked;
    asked = true;
    return now;
  };
  const Supervised done = run(script_trial(2), "beat 1 0; trap '' TERM INT; hang");
  EXPECT_TRUE(done.interrupted);
  EXPECT_FALSE(done.outcome.completed);
}

TEST_F(SupervisorTest, ShrinksToThoseWhoAreLeft) {
  Trial trial = script_trial(3);
  trial.on_failure = OnFailure::shrink;
  trial.checkpoint_every = 2;
  // The first attempt leaves a checkpoint and loses rank 1; the second says what it found there.
  const Supervised done =
      run(trial,
          "beat 1 5\n"
          "if [ -e $folder/checkpoint ]; then report '' $(cat $folder/checkpoint); exit 0; fi\n"
          "[ $SEXTANT_RANK = 1 ] && { echo 4 > $folder/checkpoint; kill -9 $$; }; hang");
  EXPECT_TRUE(done.outcome.completed);
  EXPECT_EQ(done.outcome.ranks.size(), 2U);
  ASSERT_EQ(done.outcome.failures.size(), 1U);
  EXPECT_EQ(done.outcome.failures[0].rank, 1);
  EXPECT_EQ(done.outcome.failures[0].resumed_from, 4);
}

TEST_F(SupervisorTest, ShrinkingEndsWhenNobodyIsLeft) {
  Trial trial = script_trial(3);
  trial.on_failure = OnFailure::shrink;
  const Supervised done = run(trial, "beat 1 5; [ $SEXTANT_RANK = 0 ] && kill -9 $$; hang");
  EXPECT_FALSE(done.outcome.completed);
  ASSERT_EQ(done.outcome.failures.size(), 3U);  // 3, 2 and 1 workers
  for (const Failure& failure : done.outcome.failures) EXPECT_EQ(failure.resumed_from, -1);
}

TEST_F(SupervisorTest, WorkerThatCannotBeRun) {
  options_.worker = temporary_.path() / "none";
  EXPECT_THROW((void)run_trial(script_trial(1), options_), SystemError);
  options_.worker = temporary_.path() / "text";
  std::ofstream(options_.worker) << "no program";
  EXPECT_THROW((void)run_trial(script_trial(1), options_), SystemError);
  std::filesystem::permissions(options_.worker, std::filesystem::perms::owner_all);
  try {
    (void)run_trial(script_trial(1), options_);
    FAIL() << "no error";
  } catch (const SystemError& error) {
    EXPECT_THAT(error.what(), HasSubstr("cannot be started"));
  }
}

}  // namespace
}  // namespace sextant::measure
