// What every runner holds to, with scripts as processes: the same trial gives the same record, a lost process
// is named, and nothing stays behind. For Slurm a cluster of two nodes is started.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <nlohmann/json.hpp>
#include <thread>

#include "processes.h"
#include "rank_shell.h"
#include "sextant/core/csv.h"
#include "sextant/core/error.h"
#include "sextant/measure/runner.h"
#include "slurm_cluster.h"

namespace sextant::measure {
namespace {

using sextant::test::SlurmCluster;
using test::left_running;
using test::mark_processes;
using test::script_trial;
using test::write_script;
using testing::HasSubstr;
using testing::IsEmpty;

class RunnersTest : public testing::TestWithParam<std::string> {
 protected:
  static void TearDownTestSuite() { cluster().reset(); }

  void SetUp() override {
    if (GetParam() == "slurm") start_cluster();
    if (GetParam() != "slurm" && !runners().get(GetParam()).problems(script_trial(1)).empty()) {
      GTEST_SKIP() << runners().get(GetParam()).problems(script_trial(1))[0];
    }
    options_.runner = GetParam();
    options_.scratch = scratch_.path();
  }

  static void start_cluster() {
    if (const std::string obstacle = SlurmCluster::obstacle(); !obstacle.empty()) GTEST_SKIP() << obstacle;
    if (!cluster()) cluster() = std::make_unique<SlurmCluster>();
    ASSERT_TRUE(cluster()->ready()) << cluster()->logs();
  }
  static std::unique_ptr<SlurmCluster>& cluster() {
    static std::unique_ptr<SlurmCluster> cluster;
    return cluster;
  }

  Supervised run(const Trial& trial, const std::string& script) {
    options_.worker = write_script(temporary_.path(), script);
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

TEST_P(RunnersTest, GivesRankThreadsAndLogToEachProcess) {
  Trial trial = script_trial(2);
  trial.servers = 1;
  trial.strategy = "ps-sync";
  options_.keep = true;
  const Supervised done = run(trial, "beat 1 1; echo out $SEXTANT_RANK; echo $OMP_NUM_THREADS >&2; report");
  for (const Failure& failure : done.outcome.failures) ADD_FAILURE() << failure.what;
  ASSERT_EQ(done.outcome.ranks.size(), 3U);
  for (std::int64_t rank = 0; rank < 3; ++rank) {
    EXPECT_EQ(done.outcome.ranks[rank].rank, rank);
    const auto log = RunFolder(done.folder / "attempt-0").log_file(rank);
    EXPECT_EQ(read_text_file(log.string()), "out " + std::to_string(rank) + "\n1\n");
  }
}

TEST_P(RunnersTest, StartsEachProcessThroughTheWrapper) {
  options_.keep = true;
  options_.wrapper = {"env", "BESIDE=it's {rank}{rank}!", "sh", "-c", "\"$@\"",
                      "sh"};  // stays beside the process
  const Supervised done = run(script_trial(2), "beat 1 1; echo $BESIDE; report");
  for (const Failure& failure : done.outcome.failures) ADD_FAILURE() << failure.what;
  ASSERT_EQ(done.outcome.ranks.size(), 2U);
  for (std::int64_t rank = 0; rank < 2; ++rank) {
    const std::string number = std::to_string(rank);
    EXPECT_EQ(read_text_file(RunFolder(done.folder / "attempt-0").log_file(rank).string()),
              "it's " + number + number + "!\n");
  }
}

TEST_P(RunnersTest, EndsWhatAWrapperStarted) {
  options_.wrapper = {"sh", "-c", "\"$@\"; exit $?", "sh"};
  const Supervised done = run(script_trial(2), "beat 1 4; [ $SEXTANT_RANK = 1 ] && kill -9 $$; hang");
  ASSERT_EQ(done.outcome.failures.size(), 1U);
  EXPECT_EQ(done.outcome.failures[0].rank, 1);
}

TEST_P(RunnersTest, KilledProcessIsNamed) {
  const Supervised done = run(script_trial(2), "beat 1 4; [ $SEXTANT_RANK = 1 ] && kill -9 $$; hang");
  EXPECT_FALSE(done.outcome.completed);
  ASSERT_EQ(done.outcome.failures.size(), 1U) << done.outcome.failures[1].what;
  EXPECT_EQ(done.outcome.failures[0].rank, 1);
  EXPECT_THAT(done.outcome.failures[0].what, HasSubstr("killed by signal 9"));
  EXPECT_EQ(done.outcome.failures[0].iteration, 4);
}

TEST_P(RunnersTest, ErrorOfAProcessIsPassedOn) {
  const Supervised done =
      run(script_trial(2), "beat 1 0; [ $SEXTANT_RANK = 1 ] && { report 'no such file'; exit 1; }; hang");
  ASSERT_EQ(done.outcome.failures.size(), 1U);
  EXPECT_EQ(done.outcome.failures[0].rank, 1);
  EXPECT_EQ(done.outcome.failures[0].what, "exit 1: no such file");
}

// Its own silence gives it away, and not before the whole limit: the other rank never falls silent.
TEST_P(RunnersTest, StoppedProcessIsNoticed) {
  const Supervised done = run(script_trial(2),
                              "beat 1 3; [ $SEXTANT_RANK = 1 ] && kill -STOP $$\n"
                              "beats=1; while :; do beats=$((beats + 1)); beat $beats 3; sleep 0.05; done");
  ASSERT_EQ(done.outcome.failures.size(), 1U);
  EXPECT_EQ(done.outcome.failures[0].rank, 1);
  EXPECT_THAT(done.outcome.failures[0].what, HasSubstr("stopped"));
  EXPECT_GT(done.outcome.failures[0].noticed_s, script_trial(2).timeout_s);
}

TEST_P(RunnersTest, Interruption) {
  bool begun = false;
  options_.progress = [&](std::int64_t) { begun = true; };
  options_.interrupted = [&] { return begun; };
  const Supervised done = run(script_trial(2), "trap '' TERM INT; beat 1 1; hang");
  EXPECT_TRUE(done.interrupted);
}

TEST_P(RunnersTest, ShrinksToThoseWhoAreLeft) {
  Trial trial = script_trial(2);
  trial.on_failure = OnFailure::shrink;
  trial.checkpoint_every = 2;
  const Supervised done =
      run(trial,
          "beat 1 5\n"
          "if [ -e $folder/checkpoint ]; then report '' $(cat $folder/checkpoint); exit 0; fi\n"
          "[ $SEXTANT_RANK = 0 ] && { echo 4 > $folder/checkpoint; kill -9 $$; }; hang");
  EXPECT_TRUE(done.outcome.completed);
  EXPECT_EQ(done.outcome.ranks.size(), 1U);
  ASSERT_EQ(done.outcome.failures.size(), 1U);
  EXPECT_EQ(done.outcome.failures[0].rank, 0);
  EXPECT_EQ(done.outcome.failures[0].resumed_from, 4);
}

// The driver itself is killed, with a signal that it cannot answer.
TEST_P(RunnersTest, NothingOutlivesTheDriver) {
  options_.worker =
      write_script(temporary_.path(), "touch $folder/../up; while :; do beat 1 0; sleep 0.2; done");
  mark_processes(scratch_.path());
  Trial trial = script_trial(2);
  trial.timeout_s = 100;
  const pid_t driver = ::fork();
  if (driver == 0) {
    (void)run_trial(trial, options_);
    ::_exit(0);
  }
  const auto up = [&] {
    for (const auto& entry : std::filesystem::directory_iterator(scratch_.path())) {
      if (std::filesystem::exists(entry.path() / "up")) return true;
    }
    return false;
  };
  for (int wait = 0; wait < 1000 && !up(); ++wait) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_TRUE(up());
  ::kill(driver, SIGKILL);
  ::waitpid(driver, nullptr, 0);
  const int seconds = GetParam() == "slurm" ? 30 : 5;  // the lease; a second that mpirun gives ranks
  for (int wait = 0; wait < seconds && !left_running(scratch_.path()).empty(); ++wait) {
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
  }
  EXPECT_THAT(left_running(scratch_.path()), IsEmpty());
  // Its folder could not be removed by it; the next run does that.
  EXPECT_FALSE(std::filesystem::is_empty(scratch_.path()));
  EXPECT_TRUE(run(script_trial(1), "beat 1 1; report").outcome.completed);
}

// What a process could not use is said as what it is, and by the name of the file.
TEST_P(RunnersTest, BadInputIsNotALostProcess) {
  options_.worker = write_script(
      temporary_.path(),
      "beat 1 2; [ $SEXTANT_RANK = 1 ] || hang; report 'cat/7.png: error: the file is empty'\n"
      "sed -i 's|\"bad_input\": null|\"bad_input\": {\"file\": \"cat/7.png\", \"line\": 0, \"column\": 0, "
      "\"field\": false, \"message\": \"the file is empty\", \"hint\": \"\"}|' $folder/report.1.json; exit "
      "1");
  try {
    (void)run_trial(script_trial(2), options_);
    ADD_FAILURE() << "nothing was thrown";
  } catch (const InputError& error) {
    EXPECT_EQ(std::string(error.what()), "cat/7.png: error: the file is empty");
  }
  EXPECT_TRUE(std::filesystem::is_empty(scratch_.path()));
}

INSTANTIATE_TEST_SUITE_P(All, RunnersTest, testing::Values("local", "mpi", "slurm"),
                         [](const auto& instance) { return instance.param; });

TEST(RankShell, QuotesWords) {
  EXPECT_EQ(shell_quoted("a b"), "'a b'");
  EXPECT_EQ(shell_quoted("it's"), "'it'\\''s'");
}

TEST(Registry, RunnersAreKnown) {
  std::vector<std::string> ids;
  for (const RunnerInfo& info : runners().all()) ids.push_back(info.id);
  EXPECT_THAT(ids, testing::IsSupersetOf({"local", "mpi", "slurm"}));
}

}  // namespace
}  // namespace sextant::measure
