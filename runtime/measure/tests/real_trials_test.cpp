// Real training by sextant-worker, disturbed in the middle: what was lost is named, what is left goes on or
// ends, and nothing stays behind, neither processes nor sockets.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <cmath>
#include <thread>

#include "own_network.h"
#include "processes.h"
#include "sextant/measure/campaign.h"
#include "slurm_cluster.h"

namespace sextant::measure {
namespace {

using test::left_running;
using test::mark_processes;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr std::int64_t kForEver = 1'000'000;
constexpr std::int64_t kDisturbed = 6;  // iteration

class RealTrialsTest : public testing::Test {
 protected:
  void SetUp() override {
    options_.worker = std::filesystem::path(SEXTANT_BINARY_DIR) / "sextant-worker";
    if (!std::filesystem::exists(options_.worker)) GTEST_SKIP() << "sextant-worker is not built";
    options_.runner = "auto";
    options_.scratch = scratch_.path();
  }

  static Trial trial(std::int64_t workers) {
    Trial trial;
    trial.job.sizes.batch = 8;
    trial.workers = workers;
    trial.strategy = workers > 1 ? "all-reduce" : "single";
    trial.iterations = kForEver;
    trial.timeout_s = 20;
    return trial;
  }

  Supervised run(const Trial& trial) {
    mark_processes(scratch_.path());
    Supervised done = run_trial(trial, options_);
    EXPECT_THAT(left_running(scratch_.path()), IsEmpty());
    EXPECT_TRUE(std::filesystem::is_empty(scratch_.path()));
    return done;
  }

  // Sends a signal to a rank of the first attempt, once, when all workers have done a few iterations.
  void disturb(std::int64_t rank, int signal) {
    options_.progress = [this, rank, signal, sent = false](std::int64_t iteration) mutable {
      if (sent || iteration < kDisturbed) return;
      sent = true;
      for (const auto& run : std::filesystem::directory_iterator(scratch_.path())) {
        const Life life = read_life(RunFolder(run.path() / "attempt-0"), rank);
        ASSERT_GT(life.pid, 0);
        ::kill(static_cast<pid_t>(life.pid), signal);
      }
    };
  }

  TemporaryFolder scratch_;
  SuperviseOptions options_;
};

// While they train, the kernel's tables show who listens where.
TEST_F(RealTrialsTest, NobodyElseCanConnect) {
  for (const char* transport : {"gloo-tcp", "mpi-shm", "mpi-tcp"}) {
    if (std::string(transport) != "gloo-tcp" && !runners().get("mpi").problems(trial(2)).empty()) continue;
    Trial two = trial(2);
    two.transport = transport;
    two.iterations = 10;
    bool looked = false;
    options_.progress = [&](std::int64_t iteration) {
      if (looked || iteration < 2) return;
      looked = true;
      EXPECT_THAT(test::open_to_others(scratch_.path()), IsEmpty()) << transport;
    };
    const Supervised done = run(two);
    for (const Failure& failure : done.outcome.failures) ADD_FAILURE() << failure.what;
    EXPECT_TRUE(looked) << transport;
  }
}

TEST_F(RealTrialsTest, TwoWorkersTrain) {
  Trial two = trial(2);
  two.iterations = 8;
  two.warmup = 2;
  two.spans = true;
  const Supervised done = run(two);
  for (const Failure& failure : done.outcome.failures) ADD_FAILURE() << failure.what;
  ASSERT_EQ(done.outcome.ranks.size(), 2U);
  for (const WorkerReport& report : done.outcome.ranks) {
    EXPECT_EQ(report.iterations.size(), 10U);
    EXPECT_TRUE(std::isfinite(report.losses.back()));
    EXPECT_GT(report.bytes.payload, 0);
  }
  EXPECT_EQ(done.spans.processes.size(), 3U);  // and the driver
  std::size_t roots = 0;
  for (const spans::Span& span : done.spans.spans) roots += span.parent == 0 ? 1 : 0;
  EXPECT_EQ(roots, 1U);
}

TEST_F(RealTrialsTest, KilledWorkerStopsTheTrial) {
  disturb(1, SIGKILL);
  const Supervised done = run(trial(2));
  EXPECT_FALSE(done.outcome.completed);
  ASSERT_EQ(done.outcome.failures.size(), 1U);
  EXPECT_EQ(done.outcome.failures[0].rank, 1) << done.outcome.failures[0].what;
  EXPECT_THAT(done.outcome.failures[0].what, HasSubstr("killed by signal 9"));
  EXPECT_GE(done.outcome.failures[0].iteration, kDisturbed);
}

TEST_F(RealTrialsTest, KilledWorkerOfMpiStopsTheTrial) {
  Trial mpi = trial(2);
  mpi.transport = "mpi-shm";
  disturb(0, SIGKILL);
  const Supervised done = run(mpi);
  ASSERT_EQ(done.outcome.failures.size(), 1U);
  EXPECT_EQ(done.outcome.failures[0].rank, 0) << done.outcome.failures[0].what;
  EXPECT_THAT(done.outcome.failures[0].what, HasSubstr("killed by signal 9"));
}

TEST_F(RealTrialsTest, NoSocketIsLeft) {
  std::thread([this] {
    if (!test::enter_own_network()) GTEST_SKIP() << "a network of one's own takes root";
    for (const char* transport : {"gloo-tcp", "mpi-tcp"}) {
      Trial lossy = trial(2);
      lossy.transport = transport;
      bool seen = false;
      disturb(1, SIGKILL);
      options_.progress = [&seen, kill = options_.progress](std::int64_t iteration) {
        seen = seen || !test::open_sockets().empty();
        kill(iteration);
      };
      const Supervised done = run(lossy);
      EXPECT_FALSE(done.outcome.completed);
      EXPECT_TRUE(seen) << transport << ": no socket was ever there, so that this test says nothing";
      EXPECT_THAT(test::open_sockets(std::chrono::seconds(2)), IsEmpty()) << transport;
    }
  }).join();
}

TEST_F(RealTrialsTest, TheRestGoesOnFromTheCheckpoint) {
  Trial shrinking = trial(3);
  shrinking.iterations = 40;
  shrinking.warmup = 0;
  shrinking.on_failure = OnFailure::shrink;
  shrinking.checkpoint_every = 5;
  disturb(1, SIGKILL);
  const Supervised done = run(shrinking);
  ASSERT_EQ(done.outcome.failures.size(), 1U) << done.outcome.failures.back().what;
  const Failure& failure = done.outcome.failures[0];
  EXPECT_EQ(failure.rank, 1);
  EXPECT_TRUE(done.outcome.completed);
  ASSERT_EQ(done.outcome.ranks.size(), 2U);
  EXPECT_GE(failure.resumed_from, 5);
  EXPECT_EQ(failure.resumed_from % 5, 0);
  EXPECT_LE(failure.resumed_from, failure.iteration);
  // The checkpoint's iterations are not made again, the rest is made.
  EXPECT_EQ(static_cast<std::int64_t>(done.outcome.ranks[0].iterations.size()), 40 - failure.resumed_from);
}

TEST_F(RealTrialsTest, StoppedWorkerIsNoticed) {
  Trial impatient = trial(2);
  impatient.timeout_s = 3;
  disturb(1, SIGSTOP);
  const Supervised done = run(impatient);
  ASSERT_EQ(done.outcome.failures.size(), 1U);
  EXPECT_EQ(done.outcome.failures[0].rank, 1) << done.outcome.failures[0].what;
  EXPECT_THAT(done.outcome.failures[0].what, HasSubstr("it is stopped"));
}

TEST_F(RealTrialsTest, LostServerStopsTheTrial) {
  Trial served = trial(2);
  served.strategy = "ps-sync";
  served.servers = 1;
  disturb(2, SIGKILL);
  const Supervised done = run(served);
  ASSERT_EQ(done.outcome.failures.size(), 1U);
  EXPECT_EQ(done.outcome.failures[0].rank, 2) << done.outcome.failures[0].what;
}

TEST_F(RealTrialsTest, Interruption) {
  bool asked = false;
  options_.progress = [&](std::int64_t) { asked = true; };
  options_.interrupted = [&] { return asked; };
  const Supervised done = run(trial(2));
  EXPECT_TRUE(done.interrupted);
  EXPECT_FALSE(done.outcome.completed);
}

// The same trial by each runner: same seed, same samples, same sums, so the same losses to the last bit where
// the transport is the same.
TEST_F(RealTrialsTest, RunnersAgreeOnTheLosses) {
  Trial two = trial(2);
  two.iterations = 5;
  const Supervised local = run(two);
  options_.runner = "mpi";
  const Supervised mpi = run(two);
  ASSERT_TRUE(local.outcome.completed && mpi.outcome.completed);
  EXPECT_EQ(mpi.outcome.ranks[0].losses, local.outcome.ranks[0].losses);
  if (const std::string obstacle = sextant::test::SlurmCluster::obstacle(); !obstacle.empty())
    GTEST_SKIP() << obstacle;
  const sextant::test::SlurmCluster cluster;
  ASSERT_TRUE(cluster.ready()) << cluster.logs();
  options_.runner = "slurm";
  const Supervised slurm = run(two);
  for (const Failure& failure : slurm.outcome.failures) ADD_FAILURE() << failure.what;
  ASSERT_TRUE(slurm.outcome.completed);
  EXPECT_EQ(slurm.outcome.ranks[1].losses, local.outcome.ranks[1].losses);
  two.transport = "mpi-tcp";  // mpirun inside the allocation
  const Supervised inside = run(two);
  for (const Failure& failure : inside.outcome.failures) ADD_FAILURE() << failure.what;
  EXPECT_TRUE(inside.outcome.completed);
}

TEST_F(RealTrialsTest, CampaignGivesTimes) {
  Trial one = trial(1);
  one.iterations = 12;
  Trial mirrored = trial(2);
  mirrored.strategy = "mirrored";
  mirrored.iterations = 12;
  CampaignOptions options;
  options.supervise = options_;
  options.budget_s = 0;
  NoProgress progress;
  const CampaignResult done = run_campaign({one, mirrored}, options, progress);
  ASSERT_EQ(done.results.size(), 2U);
  for (const TrialResult& result : done.results) {
    for (const Failure& failure : result.last.outcome.failures) ADD_FAILURE() << failure.what;
    EXPECT_EQ(result.measured, 12);
    EXPECT_GT(result.iteration_s.median, 0);
    EXPECT_GT(result.breakdown.forward_s, 0);
    EXPECT_GT(result.peak_rss_bytes, 50e6);
    EXPECT_GT(result.samples_per_s, 0);
  }
}

}  // namespace
}  // namespace sextant::measure
