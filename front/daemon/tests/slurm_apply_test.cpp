// Jobs that a real Slurm runs, end to end; the daemon ends and begins anew while they run.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "executor.h"
#include "running_daemon.h"
#include "sextant/core/csv.h"
#include "sextant/measure/child_process.h"
#include "slurm_cluster.h"

namespace sextant::daemon {
namespace {

using test::RunningDaemon;

constexpr const char* kSlurmNodes = R"({"machines": [{"name": "box", "gpus": 2, "usd_per_hour": 1}],
  "nodes": [{"name": "n0", "only": "box"}, {"name": "n1", "only": "box"}]})";

std::string shell_job(const std::string& id, const std::string& script, int gpus = 2) {
  return Json{{"id", id},
              {"times", Json::array({{{"machine", "box"}, {"gpus", gpus}, {"seconds", 5}}})},
              {"command", {"/bin/sh", "-c", script}}}
      .dump();
}

class SlurmApply : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    if (sextant::test::SlurmCluster::obstacle().empty()) cluster = new sextant::test::SlurmCluster();
  }
  static void TearDownTestSuite() {
    delete cluster;
    cluster = nullptr;
  }
  void SetUp() override {
    if (cluster == nullptr) GTEST_SKIP() << sextant::test::SlurmCluster::obstacle();
    ASSERT_TRUE(cluster->ready()) << cluster->logs();
  }
  static sextant::test::SlurmCluster* cluster;
};
sextant::test::SlurmCluster* SlurmApply::cluster = nullptr;

TEST_F(SlurmApply, RunsJobsAndSeesThemEnd) {
  const RunningDaemon daemon("slurm:cpus");
  const std::string out = (daemon.folder.path() / "out").string();
  ASSERT_EQ(daemon.call("PUT", "/v1/nodes", kSlurmNodes).status, 200);
  ASSERT_EQ(
      daemon.call("POST", "/v1/jobs", shell_job("a", "echo $SEXTANT_JOB $SEXTANT_GPUS >> " + out)).status,
      201);
  ASSERT_EQ(daemon.call("POST", "/v1/jobs", shell_job("b", "exit 7")).status, 201);
  ASSERT_TRUE(daemon.wait_for("a", "finished")) << daemon.get("/v1/history");
  ASSERT_TRUE(daemon.wait_for("b", "failed")) << daemon.get("/v1/history");
  EXPECT_EQ(read_text_file(out), "a 2\n") << "once";
  EXPECT_EQ(daemon.get("/v1/jobs/b")["reason"], "it ended with exit code 7");
  EXPECT_GT(daemon.get("/v1/plan")["spent_usd"].get<double>(), 0);
}

TEST_F(SlurmApply, GoesOnWithWhatRanBeforeItsEnd) {
  RunningDaemon daemon("slurm:cpus");
  const std::string out = (daemon.folder.path() / "out").string();
  ASSERT_EQ(daemon.call("PUT", "/v1/nodes", kSlurmNodes).status, 200);
  ASSERT_EQ(daemon.call("POST", "/v1/jobs", shell_job("long", "sleep 2; echo done >> " + out)).status, 201);
  ASSERT_TRUE(daemon.wait_for("long", "running"));
  daemon.end();
  std::this_thread::sleep_for(std::chrono::seconds(3));
  daemon.begin();
  ASSERT_TRUE(daemon.wait_for("long", "finished"));
  EXPECT_EQ(read_text_file(out), "done\n");
  EXPECT_EQ(daemon.get("/v1/jobs/long")["starts"], 1);
}

TEST_F(SlurmApply, CancelsWhatIsNotWantedAnyMore) {
  const RunningDaemon daemon("slurm:cpus");
  ASSERT_EQ(daemon.call("PUT", "/v1/nodes", kSlurmNodes).status, 200);
  ASSERT_EQ(daemon.call("POST", "/v1/jobs", shell_job("endless", "sleep 600")).status, 201);
  ASSERT_TRUE(daemon.wait_for("endless", "running"));
  const auto id = daemon.get("/v1/jobs/endless")["reference"].get<std::string>();
  EXPECT_EQ(daemon.call("POST", "/v1/jobs/endless/cancel", "{}").status, 200);
  ASSERT_TRUE(daemon.wait_for("endless", "cancelled")) << daemon.get("/v1/history");
  EXPECT_EQ(measure::run_command({"squeue", "--noheader", "--jobs=" + id}).output, "");
}

// What a daemon that was killed between sbatch and its note of it finds.
TEST_F(SlurmApply, FindsAStepThatWasDone) {
  const TemporaryFolder folder;
  const std::string out = (folder.path() / "out").string();
  const auto executor = make_executor({.apply = "slurm:cpus", .state = (folder.path() / "s.db").string()});
  Task task{.step = {.kind = StepKind::start,
                     .key = "test-1",
                     .job = "a",
                     .machine = "box",
                     .gpus = 1,
                     .shares = {{"n0", 1}}},
            .order = {.id = "a", .command = {"/bin/sh", "-c", "echo ran >> " + out}}};
  EXPECT_EQ(executor->look(task).found, Found::absent);
  const StepOutcome outcome = executor->carry_out(task);
  ASSERT_TRUE(outcome.done) << outcome.text;
  const Finding finding = executor->look(task);
  EXPECT_EQ(finding.found, Found::done);
  EXPECT_EQ(finding.outcome.text, outcome.text) << "the number of the Slurm job";
  EXPECT_TRUE(executor->carry_out(task).done) << "queued twice, as when an answer was on its way";
  for (int i = 0; i < 200 && !measure::run_command({"squeue", "--noheader"}).output.empty(); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  EXPECT_EQ(read_text_file(out), "ran\n") << "and yet run once";
}

// A node that nobody needs is switched off, and on again for the next job, which waits until it has booted.
// Takes half a minute: Slurm looks at its nodes every ten seconds.
TEST(SlurmPower, SwitchesNodesOffAndOnAgain) {
  using sextant::test::SlurmCluster;
  if (!SlurmCluster::obstacle().empty()) GTEST_SKIP() << SlurmCluster::obstacle();
  const SlurmCluster cluster(SlurmCluster::Power::saved);
  ASSERT_TRUE(cluster.ready()) << cluster.logs();
  const RunningDaemon daemon("slurm:cpus,power");
  const std::string one_node = R"({"machines": [{"name": "box", "gpus": 2, "usd_per_hour": 1}],
    "nodes": [{"name": "n0", "only": "box"}]})";
  ASSERT_EQ(daemon.call("PUT", "/v1/nodes", one_node).status, 200);
  ASSERT_EQ(daemon.call("POST", "/v1/jobs", shell_job("a", "true")).status, 201);
  ASSERT_TRUE(daemon.wait_for("a", "finished")) << daemon.get("/v1/history");
  const auto switched_off = [] {
    return measure::run_command({"sinfo", "--noheader", "--nodes=n0", "--format=%T"}).output.find('~') !=
           std::string::npos;
  };
  ASSERT_TRUE(daemon.wait_until(switched_off)) << cluster.logs() << daemon.get("/v1/history");
  EXPECT_THAT(cluster.switches(), testing::EndsWith("off n0\n"));
  EXPECT_FALSE(daemon.get("/v1/nodes")["nodes"][0].contains("machine")) << "it is not paid for";
  ASSERT_EQ(daemon.call("POST", "/v1/jobs", shell_job("b", "true")).status, 201);
  ASSERT_TRUE(daemon.wait_for("b", "finished")) << cluster.logs() << daemon.get("/v1/history");
  EXPECT_THAT(cluster.switches(), testing::HasSubstr("off n0\non n0\n"));
}

}  // namespace
}  // namespace sextant::daemon
