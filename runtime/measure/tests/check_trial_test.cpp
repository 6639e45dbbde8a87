#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "error_of.h"
#include "machine_state.h"
#include "processes.h"
#include "sextant/measure/supervisor.h"
#include "sextant/nets/network.h"
#include "trial_memory.h"

namespace sextant::measure {
namespace {

using sextant::test::error_of;
using test::script_trial;
using testing::HasSubstr;

class CheckTrialTest : public testing::Test {
 protected:
  CheckTrialTest() {
    options_.worker = test::write_script(temporary_.path(), "");
    options_.scratch = temporary_.path();
  }
  template <class Change>
  std::string error(std::int64_t workers, Change change) {
    Trial trial = script_trial(workers);
    change(trial);
    return error_of([&] { check_trial(trial, options_); });
  }

  TemporaryFolder temporary_;
  SuperviseOptions options_;
};

TEST_F(CheckTrialTest, SoundTrialsPass) {
  EXPECT_NO_THROW(check_trial(script_trial(1), options_));
  EXPECT_NO_THROW(check_trial(script_trial(2), options_));
  Trial trial = script_trial(2);
  trial.strategy = "mirrored";
  trial.transport = "mpi-shm";  // which it does not need
  EXPECT_NO_THROW(check_trial(trial, options_));
}

TEST_F(CheckTrialTest, NamesAreKnown) {
  EXPECT_THAT(error(1, [](Trial& t) { t.strategy = "singel"; }), HasSubstr("did you mean 'single'?"));
  EXPECT_THAT(error(2, [](Trial& t) { t.transport = "gloo-tpc"; }), HasSubstr("did you mean 'gloo-tcp'?"));
  EXPECT_THAT(error(1, [](Trial& t) { t.job.net = "lenet6"; }), HasSubstr("did you mean 'lenet"));
  EXPECT_THAT(error(1, [](Trial& t) { t.data = "fashion-mnits"; }), HasSubstr("fashion-mn"));
  options_.runner = "slrum";
  EXPECT_THAT(error(1, [](Trial&) {}), HasSubstr("did you mean 'slurm'?"));
}

TEST_F(CheckTrialTest, StrategyAndProcessesGoTogether) {
  EXPECT_THAT(error(2, [](Trial& t) { t.servers = 1; }), HasSubstr("all-reduce has no servers"));
  EXPECT_THAT(error(2, [](Trial& t) { t.strategy = "ps-sync"; }), HasSubstr("needs at least one"));
  EXPECT_THAT(error(2, [](Trial& t) { t.strategy = "single"; }), HasSubstr("one worker"));
  EXPECT_THAT(error(2, [](Trial& t) { t.strategy = "all-reduce:bound=3"; }), HasSubstr("bound"));
  EXPECT_THAT(error(2, [](Trial& t) { t.transport = "mpi-shm"; }), HasSubstr("`runner` mpi"));
  options_.runner = "auto";
  EXPECT_EQ(error(2, [](Trial& t) { t.transport = "mpi-shm"; }), "no error");
}

TEST_F(CheckTrialTest, NumbersMakeSense) {
  EXPECT_THAT(error(1, [](Trial& t) { t.workers = 0; }), HasSubstr("`workers`"));
  EXPECT_THAT(error(2, [](Trial& t) { t.workers = 100'000; }), HasSubstr("too many"));
  EXPECT_THAT(error(1, [](Trial& t) { t.job.sizes.batch = 0; }), HasSubstr("batch"));
  EXPECT_THAT(error(1, [](Trial& t) { t.iterations = 0; }), HasSubstr("`iterations`"));
  EXPECT_THAT(error(1, [](Trial& t) { t.epochs = 0; }), HasSubstr("`epochs`"));
  EXPECT_THAT(error(1, [](Trial& t) { t.epochs = INFINITY; }), HasSubstr("`epochs`"));
  EXPECT_THAT(error(1, [](Trial& t) { t.threads = 0; }), HasSubstr("`threads`"));
  EXPECT_THAT(error(1, [](Trial& t) { t.timeout_s = std::nan(""); }), HasSubstr("`timeout`"));
  EXPECT_THAT(error(1, [](Trial& t) { t.bucket_mb = 0; }), HasSubstr("`bucket_mb`"));
  EXPECT_THAT(error(1, [](Trial& t) { t.momentum = 1; }), HasSubstr("`momentum`"));
  EXPECT_THAT(error(1, [](Trial& t) { t.learning_rate = NAN; }), HasSubstr("`learning_rate`"));
  EXPECT_THAT(error(1, [](Trial& t) { t.job.optimizer = jobs::Optimizer::none; }), HasSubstr("`optimizer`"));
}

TEST_F(CheckTrialTest, JobsThatWorkersDoNotKnowAreRefused) {
  EXPECT_THAT(error(1, [](Trial& t) { t.job.mode = jobs::Mode::infer; }), HasSubstr("`mode`"));
  EXPECT_THAT(error(1, [](Trial& t) { t.job.precision = Precision::fp16; }), HasSubstr("`precision`"));
  EXPECT_THAT(error(1, [](Trial& t) { t.job.layout.strategy = "zero-1"; }), HasSubstr("`count`"));
}

TEST_F(CheckTrialTest, DataFillOneStepOfAllWorkers) {
  EXPECT_THAT(error(2, [](Trial& t) { t.data = "synthetic:samples=7"; }), HasSubstr("has 7 samples"));
  EXPECT_EQ(error(2, [](Trial& t) { t.data = "synthetic:samples=8"; }), "no error");
}

TEST_F(CheckTrialTest, MemoryIsNamedBothWays) {
  const std::string message = error(1, [](Trial& t) {
    t.job.net = "vgg16";
    t.data = "synthetic:samples=1000000";
    t.job.sizes.batch = 1'000'000;
  });
  EXPECT_THAT(message, HasSubstr("need about"));
  EXPECT_THAT(message, HasSubstr("available"));
}

TEST_F(CheckTrialTest, WhatIsOutside) {
  options_.scratch = temporary_.path() / "none";
  EXPECT_THROW(check_trial(script_trial(1), options_), SystemError);
  options_.scratch = temporary_.path();
  options_.worker = temporary_.path() / "none";
  EXPECT_THROW(check_trial(script_trial(1), options_), SystemError);
}

TEST_F(CheckTrialTest, MpiThatIsNotInstalled) {
  const std::string path = ::getenv("PATH");
  ::setenv("PATH", temporary_.path().c_str(), 1);
  options_.runner = "mpi";
  const std::string message = error(2, [](Trial& t) { t.transport = "mpi-shm"; });
  options_.runner = "slurm";
  const std::string slurm = error(2, [](Trial&) {});
  ::setenv("PATH", path.c_str(), 1);
  EXPECT_THAT(message, HasSubstr("openmpi-bin"));
  EXPECT_THAT(slurm, HasSubstr("Slurm is not installed"));
}

// LeNet-5 has 61,706 parameters (LeCun 1998 with full connections): 4 bytes each for weight, gradient and
// momentum on a worker; a checkpoint has weight and momentum.
TEST(TrialMemory, CountsWhatTheOptimizerKeeps) {
  Trial trial = script_trial(2);
  const auto worker = [&](jobs::Optimizer optimizer) {
    trial.job.optimizer = optimizer;
    return trial_memory(trial, build(nets::find_network(trial.job.net), trial.job.sizes));
  };
  const double parameters =
      (worker(jobs::Optimizer::momentum).worker_bytes - worker(jobs::Optimizer::sgd).worker_bytes) / 4;
  EXPECT_DOUBLE_EQ(parameters, 61'706);
  EXPECT_DOUBLE_EQ(worker(jobs::Optimizer::adam).checkpoint_bytes, 3 * 4 * parameters);
  EXPECT_DOUBLE_EQ(worker(jobs::Optimizer::sgd).total_bytes, 2 * worker(jobs::Optimizer::sgd).worker_bytes);
}

TEST(RankCount, OneProcessHoldsAllReplicas) {
  Trial trial = script_trial(3);
  EXPECT_EQ(rank_count(trial), 3);
  trial.strategy = "mirrored";
  EXPECT_EQ(rank_count(trial), 1);
  trial.strategy = "ps-ssp:bound=2";
  trial.servers = 2;
  EXPECT_EQ(rank_count(trial), 5);
  trial.operators = true;
  EXPECT_EQ(rank_count(trial), 1);
}

TEST(MachineState, KnowsThisMachine) {
  EXPECT_GE(core_count(), 1);
  EXPECT_GT(memory_room().bytes(), 0);
  const ProcessorTimes before = processor_times();
  EXPECT_GT(before.busy_s, 0);
  // 3 s of 10 s were ours, the host took 1 s: the others had 5 of 10 s.
  ProcessorTimes after = before;
  after.wall_s += 10;
  after.busy_s += 8;
  after.own_s += 3;
  after.steal_s += 1;
  EXPECT_NEAR(use_between(before, after).others, 0.5, 1e-9);
  EXPECT_NEAR(use_between(before, after).steal, 0.1, 1e-9);
  EXPECT_EQ(use_between(before, before).others, 0);
}

}  // namespace
}  // namespace sextant::measure
