// Commands on every runner: status, output, environment and folder reach where they should, and nothing of a
// killed command stays behind.
#include "sextant/measure/launched_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <thread>

#include "loopback_only.h"
#include "processes.h"
#include "sextant/core/csv.h"
#include "sextant/core/text.h"
#include "slurm_cluster.h"

namespace sextant::measure {
namespace {

using sextant::test::SlurmCluster;
using test::left_running;
using test::mark_processes;
using testing::HasSubstr;
using testing::IsEmpty;

class LaunchedCommandTest : public testing::TestWithParam<std::string> {
 protected:
  static void TearDownTestSuite() { cluster().reset(); }
  static std::unique_ptr<SlurmCluster>& cluster() {
    static std::unique_ptr<SlurmCluster> cluster;
    return cluster;
  }
  void SetUp() override {
    if (GetParam() == "slurm") {
      if (const std::string obstacle = SlurmCluster::obstacle(); !obstacle.empty()) GTEST_SKIP() << obstacle;
      if (!cluster()) cluster() = std::make_unique<SlurmCluster>();
      ASSERT_TRUE(cluster()->ready()) << cluster()->logs();
    }
    const auto obstacles = launch_obstacles(GetParam());
    if (!obstacles.empty()) GTEST_SKIP() << obstacles[0];
    mark_processes(folder_.path().string());
  }

  [[nodiscard]] LaunchRequest request(const std::string& script) const {
    return {.command = {"/bin/sh", "-c", script, "name", "two words", "$(touch never)"},
            .environment = {{"SEXTANT_TRIAL", "it's 7"}},
            .folder = folder_.path(),
            .work = work_.path(),
            .runner = GetParam()};
  }

  struct Ran {
    std::string ending;
    std::string output;
  };
  [[nodiscard]] Ran run(const LaunchRequest& request) const {
    const auto command = launch_command(request);
    std::optional<std::string> ending;
    for (int wait = 0; wait < 3000 && !ending; ++wait) {
      ending = command->poll();
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return {ending.value_or("never"), read_text_file(command->log().string())};
  }

  TemporaryFolder folder_;
  TemporaryFolder work_;
};

TEST_P(LaunchedCommandTest, WordsEnvironmentAndFolderReachTheCommand) {
  const Ran ran = run(request("echo \"$1|$2|$SEXTANT_TRIAL\"; pwd; echo oops >&2"));
  EXPECT_EQ(ran.ending, "");
  EXPECT_THAT(ran.output, HasSubstr("two words|$(touch never)|it's 7\n"));
  EXPECT_THAT(ran.output, HasSubstr(work_.path().string() + "\n"));
  EXPECT_THAT(ran.output, HasSubstr("oops\n"));
  EXPECT_TRUE(std::filesystem::is_empty(work_.path()));
}

TEST_P(LaunchedCommandTest, AFailureIsTold) {
  EXPECT_THAT(run(request("exit 3")).ending, HasSubstr("exit 3"));
}

TEST_P(LaunchedCommandTest, CopiesRun) {
  if (GetParam() == "local") GTEST_SKIP() << "one process";
  LaunchRequest two = request("echo one copy");
  two.ranks = 2;
  const Ran ran = run(two);
  EXPECT_EQ(ran.ending, "") << ran.output;
  EXPECT_EQ(split(ran.output, '\n').size(), 3U) << ran.output;  // the last is empty
}

// mpirun listens on the loopback alone; what the user starts is left as it is.
TEST_P(LaunchedCommandTest, NobodyElseCanConnectToTheLauncher) {
  if (GetParam() == "slurm") GTEST_SKIP() << "its processes are on several machines";
  auto command = launch_command(request("echo \"preloaded:$LD_PRELOAD.\" > here; sleep 1000"));
  for (int wait = 0; wait < 1000 && !std::filesystem::exists(work_.path() / "here"); ++wait) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  EXPECT_THAT(test::open_to_others(folder_.path().string()), IsEmpty());
  command->kill();
  EXPECT_THAT(read_text_file((work_.path() / "here").string()), testing::Not(HasSubstr("sextant")));
}

TEST(LoopbackOnly, NotWhereOtherHostsAreNamed) {
  EXPECT_FALSE(names_other_hosts({"--mca", "btl", "self,tcp"}));
  EXPECT_TRUE(names_other_hosts({"--bind-to", "none", "--host", "a,b"}));
  EXPECT_TRUE(names_other_hosts({"--hostfile", "hosts"}));
  ::setenv("SLURM_JOB_ID", "7", 1);  // mpirun takes the nodes of the allocation
  EXPECT_TRUE(names_other_hosts({}));
  ::unsetenv("SLURM_JOB_ID");
}

TEST_P(LaunchedCommandTest, KilledWithAllThatItStarted) {
  auto command = launch_command(request("sleep 1000 & sleep 1000 & : > here; wait"));
  for (int wait = 0; wait < 1000 && !std::filesystem::exists(work_.path() / "here"); ++wait) {
    EXPECT_EQ(command->poll(), std::nullopt);
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  EXPECT_TRUE(std::filesystem::exists(work_.path() / "here"));
  command->kill();
  EXPECT_THAT(left_running(folder_.path().string()), IsEmpty());
}

TEST_P(LaunchedCommandTest, KilledWithWhatLeftItsGroup) {
  if (GetParam() != "local") GTEST_SKIP() << "its launcher ends what it started";
  auto command = launch_command(request("setsid sleep 1000 & : > here; wait"));
  for (int wait = 0; wait < 1000 && !std::filesystem::exists(work_.path() / "here"); ++wait) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  command->kill();
  command->kill();  // nothing is left to kill
  EXPECT_THAT(left_running(folder_.path().string()), IsEmpty());
}

TEST_P(LaunchedCommandTest, DiesWithItsDriver) {
  if (GetParam() == "slurm") GTEST_SKIP() << "a script notices after 20 s, see the runners";
  const pid_t driver = ::fork();
  if (driver == 0) {
    const auto command = launch_command(request("sleep 1000 & sleep 1000 & : > here; wait"));
    ::pause();
    ::_exit(0);
  }
  for (int wait = 0; wait < 1000 && !std::filesystem::exists(work_.path() / "here"); ++wait) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  ::kill(driver, SIGKILL);
  ::waitpid(driver, nullptr, 0);
  std::vector<std::string> left = left_running(folder_.path().string());
  for (int wait = 0; wait < 10 && !left.empty(); ++wait) left = left_running(folder_.path().string());
  EXPECT_THAT(left, IsEmpty());  // mpirun takes its time
}

INSTANTIATE_TEST_SUITE_P(All, LaunchedCommandTest, testing::Values("local", "mpi", "slurm"),
                         [](const auto& runner) { return runner.param; });

}  // namespace
}  // namespace sextant::measure
