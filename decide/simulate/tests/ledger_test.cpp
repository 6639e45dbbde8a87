// Books that do not add up, and policies that ask for what cannot be.
#include "sextant/simulate/ledger.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine_scripts.h"
#include "engine_support.h"

namespace sextant::simulate {
namespace {

using ::testing::HasSubstr;

std::string error_of_script(const ScriptedPolicy::Script& script, std::int32_t jobs = 2) {
  const clusters::Cluster cluster =
      hand_cluster({{.type = "gpu", .gpus = 2, .per_node = 2}, {.type = "big", .gpus = 4, .per_node = 4}});
  std::vector<HandJob> list(static_cast<std::size_t>(jobs), {.arrival_s = 0, .work = 10, .gpus = 2});
  list.push_back({.arrival_s = 1.5, .work = 1, .gpus = 4});
  const JobSet set = hand_jobs(cluster, list);
  ScriptedRun run{.options = with_policy("fifo"), .script = script};
  try {
    run_script(set, cluster, run);
  } catch (const ConservationError& error) {
    return error.what();
  }
  return "";
}

TEST(Ledger, MoreThanIsFree) {
  const std::string error = error_of_script([](const schedule::ClusterView& view, schedule::Decision& out) {
    if (view.now_s == 0) out.start = {{.job = 0, .type = 0}, {.job = 1, .type = 0}};
  });
  EXPECT_EQ(error, "policy 'fifo': at 0 s, job 1: the policy starts 2 GPUs on gpu, where 0 are free");
}

TEST(Ledger, WhereItCannotRun) {
  const std::string error = error_of_script([](const schedule::ClusterView& view, schedule::Decision& out) {
    if (view.now_s > 1) out.start = {{.job = 2, .type = 0}};
  });
  EXPECT_EQ(error, "policy 'fifo': at 1.5 s, job 2: the policy starts it on gpu, where it cannot run");
}

TEST(Ledger, StartsAndStopsThatMakeNoSense) {
  const auto error = [](const schedule::Decision& wrong) {
    return error_of_script([wrong](const schedule::ClusterView&, schedule::Decision& out) { out = wrong; });
  };
  EXPECT_THAT(error({.stop = {0}}), HasSubstr("stops a job that does not run"));
  EXPECT_THAT(error({.stop = {99}}), HasSubstr("stops a job that does not run"));
  EXPECT_THAT(error({.stop = {-1}}), HasSubstr("stops a job that does not run"));
  EXPECT_THAT(error({.start = {{.job = 7, .type = 0}}}), HasSubstr("a job that is not there"));
  EXPECT_THAT(error({.start = {{.job = 0, .type = 5}}}), HasSubstr("a type that is not there"));
  EXPECT_THAT(error({.start = {{.job = 0, .type = 0}, {.job = 0, .type = 1}}}), HasSubstr("a job that runs"));
  EXPECT_THAT(error({.start = {{.job = 0, .type = 0}, {.job = 1, .type = 1, .beside = 0}}}),
              HasSubstr("does not run there"));
  EXPECT_THAT(error({.start = {{.job = 0, .type = 0}, {.job = 1, .type = 0, .beside = 0}}}),
              HasSubstr("cannot share GPUs"));
  EXPECT_THAT(error({.start = {{.job = 0, .type = 0, .beside = 0}}}), HasSubstr("does not run there"));
}

TEST(Ledger, AJobThatEndedIsGone) {
  const std::string error = error_of_script([](const schedule::ClusterView& view, schedule::Decision& out) {
    if (view.now_s == 0) out.start = {{.job = 0, .type = 0}};
    if (!view.ended.empty()) out.start = {{.job = view.ended[0], .type = 0}};
  });
  EXPECT_THAT(error, HasSubstr("at 10 s, job 0: the policy starts a job that is not there"));
}

TEST(Ledger, WakesForEver) {
  // Jobs wait, nothing runs, nothing will arrive: asking again and again is an error, not a hang.
  const std::string error = error_of_script(
      [](const schedule::ClusterView& view, schedule::Decision& out) { out.wake_s = view.now_s + 60; });
  EXPECT_THAT(error, HasSubstr("asked to be woken 10000 times and did nothing"));
}

TEST(Ledger, WakesInThePastStillGoOn) {
  // A job runs for 10 ms; the policy asks for the past each time. The clock moves by a nanosecond at least.
  const JobSet set = hand_jobs(one_gpu(), {{.arrival_s = 0, .work = 1e-5}});
  const RunResult run =
      run_script(set, one_gpu(), {.script = [](const schedule::ClusterView& view, schedule::Decision& out) {
                   for (const schedule::JobSlot slot : view.arrived) out.start.push_back({slot, 0});
                   out.wake_s = view.now_s - 5;
                 }});
  EXPECT_EQ(run.jobs[0].end, JobEnd::completed);
  EXPECT_DOUBLE_EQ(run.horizon.value, 1e-5);
}

TEST(Ledger, UnfinishedWork) {
  const Ledger ledger(one_gpu(), "test");
  EXPECT_NO_THROW(ledger.complete({.job = 3, .work = 100, .remaining = 1e-6, .speed = 1, .now_s = 5}));
  EXPECT_THROW(ledger.complete({.job = 3, .work = 100, .remaining = 0.1, .speed = 1, .now_s = 5}),
               ConservationError);
  EXPECT_THROW(ledger.complete({.job = 3, .work = 100, .remaining = -0.1, .speed = 1, .now_s = 5}),
               ConservationError);
}

TEST(Ledger, GpusThatDoNotAddUp) {
  Ledger ledger(one_gpu(), "test");
  std::vector<schedule::TypeView> types = {{.name = "gpu", .gpus = 1, .free = 1}};
  EXPECT_NO_THROW(ledger.balance(types, 0));
  ledger.hold(0, 1);
  EXPECT_THROW(ledger.balance(types, 0), ConservationError);
  types[0].free = 0;
  EXPECT_NO_THROW(ledger.balance(types, 0));
  ledger.release(0, 1);
  ledger.release(0, 1);
  EXPECT_THROW(ledger.balance(types, 0), ConservationError);
}

TEST(Ledger, ResultsThatWereTamperedWith) {
  const clusters::Cluster cluster = one_gpu();
  const JobSet set = hand_jobs(cluster, {{.arrival_s = 0, .work = 4}, {.arrival_s = 1, .work = 2}});
  const RunResult good = simulate(set, cluster, with_policy("fifo"));
  EXPECT_NO_THROW(check_conservation(good, set, cluster, "fifo"));
  const auto broken = [&](const std::function<void(RunResult&)>& change) {
    RunResult run = good;
    change(run);
    EXPECT_THROW(check_conservation(run, set, cluster, "fifo"), ConservationError);
  };
  broken([](RunResult& run) { run.pools[0].productive += 0.001; });
  broken([](RunResult& run) { run.pools[0].idle = -1, run.pools[0].productive += 1; });
  broken([](RunResult& run) { run.jobs.pop_back(); });
  broken([](RunResult& run) { run.jobs[0].end = JobEnd::unfinished; });
  broken([](RunResult& run) { run.jobs[0].completion = kNever; });
  broken([](RunResult& run) { run.jobs[1].start.value = 0; });
  broken([](RunResult& run) { run.jobs[1].executed.value = 20; });
  broken([](RunResult& run) { run.jobs[1].lost.value = 20; });
  broken([](RunResult& run) { run.pools.clear(); });
}

TEST(Ledger, JobsThatAreNotWellFormed) {
  const clusters::Cluster cluster = one_gpu();
  const auto refused = [&](const std::function<void(JobSet&)>& change) {
    JobSet set = hand_jobs(cluster, {{.arrival_s = 0, .work = 4}, {.arrival_s = 1, .work = 2}});
    change(set);
    EXPECT_THROW(simulate(set, cluster, with_policy("fifo")), std::invalid_argument);
  };
  refused([](JobSet& set) { set.jobs[1].arrival = Seconds{-1}; });
  refused([](JobSet& set) { set.jobs[0].arrival = kNever; });
  refused([](JobSet& set) { set.jobs[0].work = 0; });
  refused([](JobSet& set) { set.jobs[0].work = std::numeric_limits<double>::infinity(); });
  refused([](JobSet& set) { set.jobs[0].gpus = 0; });
  refused([](JobSet& set) { set.jobs[0].cls = 4; });
  refused([](JobSet& set) { set.classes[0].rate.clear(); });
}

TEST(Ledger, OptionsThatMakeNoSense) {
  const JobSet set = hand_jobs(one_gpu(), {{.arrival_s = 0, .work = 4}});
  const auto refused = [&](const std::function<void(RunOptions&)>& change) {
    RunOptions options = with_policy("fifo");
    change(options);
    EXPECT_THROW(simulate(set, one_gpu(), options), InputError);
  };
  refused([](RunOptions& options) { options.startup = Seconds{-1}; });
  refused([](RunOptions& options) { options.restart = kNever; });
  refused([](RunOptions& options) { options.until = kNever; });
  refused([](RunOptions& options) { options.checkpoint = {.rule = CheckpointRule::fixed}; });
  refused([](RunOptions& options) { options.checkpoint.cost = Seconds{-1}; });
  refused([](RunOptions& options) { options.placement = "consolidate"; });
  refused([](RunOptions& options) { options.faults = {"crash:often=1"}; });
  refused([](RunOptions& options) { options.policy = schedule::parse_policy("max-min"); });
}

}  // namespace
}  // namespace sextant::simulate
