// The daemon as its clients see it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "error_of.h"
#include "running_daemon.h"
#include "sextant/core/error.h"

namespace sextant::daemon {
namespace {

using test::HttpAnswer;
using test::job_body;
using test::kNodes;
using test::RunningDaemon;
using testing::HasSubstr;

std::string field_of(const HttpAnswer& answer) {
  return std::to_string(answer.status) + " " + Json::parse(answer.body).value("field", "");
}

TEST(PlanDaemon, RunsAJobThatIsSubmitted) {
  const RunningDaemon daemon;
  ASSERT_EQ(daemon.call("PUT", "/v1/nodes", kNodes).status, 200);
  ASSERT_EQ(daemon.call("POST", "/v1/jobs", job_body("a")).status, 201);
  ASSERT_TRUE(daemon.wait_for("a", "running"));
  const Json job = daemon.get("/v1/jobs/a");
  EXPECT_EQ(job["machine"], "small");
  EXPECT_EQ(job["starts"], 1);
  const Json plan = daemon.get("/v1/plan");
  ASSERT_EQ(plan["assignments"].size(), 1U);
  EXPECT_EQ(plan["assignments"][0]["job"], "a");
  EXPECT_THAT(plan["assignments"][0]["reason"].get<std::string>(),
              HasSubstr("of small on n0 do what is left in"));
  EXPECT_EQ(plan["waiting_count"], 0);
  const Json nodes = daemon.get("/v1/nodes")["nodes"];
  EXPECT_EQ(nodes[0]["machine"], "small");
  EXPECT_EQ(nodes[0]["jobs"], Json::array({"a"}));
  EXPECT_FALSE(nodes[1].contains("machine")) << "nobody pays for a node without work";
}

TEST(PlanDaemon, TellsWhyAJobWaits) {
  const RunningDaemon daemon;
  const std::string one_gpu =
      R"({"machines": [{"name": "small", "gpus": 1, "usd_per_hour": 2}], "nodes": [{"name": "n0"}]})";
  ASSERT_EQ(daemon.call("PUT", "/v1/nodes", one_gpu).status, 200);
  for (const char* id : {"a", "b"}) ASSERT_EQ(daemon.call("POST", "/v1/jobs", job_body(id)).status, 201);
  ASSERT_TRUE(daemon.wait_for("a", "running"));
  const Json plan = daemon.get("/v1/plan");
  ASSERT_EQ(plan["waiting"].size(), 1U);
  EXPECT_EQ(plan["waiting"][0]["reason"], "all nodes are on, and none has 1 GPU free");
}

TEST(PlanDaemon, ExplainsWhatWouldLetAJobRun) {
  const RunningDaemon daemon;
  const std::string one_gpu =
      R"({"machines": [{"name": "small", "gpus": 1, "usd_per_hour": 2}], "nodes": [{"name": "n0"}]})";
  ASSERT_EQ(daemon.call("POST", "/v1/jobs", job_body("none")).status, 422) << "there are no machines yet";
  ASSERT_EQ(daemon.call("PUT", "/v1/nodes", one_gpu).status, 200);
  for (const char* id : {"a", "b"}) ASSERT_EQ(daemon.call("POST", "/v1/jobs", job_body(id)).status, 201);
  ASSERT_TRUE(daemon.wait_for("a", "running"));
  const Json waits = daemon.get("/v1/jobs/b/explain");
  EXPECT_EQ(waits["state"], "waiting");
  EXPECT_EQ(waits["reason"], "all nodes have jobs that would lose more by waiting");
  EXPECT_EQ(waits["remedy"], "one more node");
  const Json runs = daemon.get("/v1/jobs/a/explain");
  EXPECT_EQ(runs["state"], "running");
  EXPECT_THAT(runs["reason"].get<std::string>(), HasSubstr("1 GPU of small on n0"));
  EXPECT_FALSE(runs.contains("remedy"));
  EXPECT_EQ(daemon.call("GET", "/v1/jobs/zzz/explain").status, 404);
}

// Three nodes, and a budget for one of them.
TEST(PlanDaemon, ExplainsABudgetThatIsSpent) {
  RunningDaemon daemon;
  daemon.end();
  daemon.options.wishes.budget = DollarRate{2.5 / 3600};
  daemon.begin();
  const std::string three =
      R"({"machines": [{"name": "small", "gpus": 1, "usd_per_hour": 2}],
          "nodes": [{"name": "n0"}, {"name": "n1"}, {"name": "n2"}]})";
  ASSERT_EQ(daemon.call("PUT", "/v1/nodes", three).status, 200);
  for (const char* id : {"a", "b"}) ASSERT_EQ(daemon.call("POST", "/v1/jobs", job_body(id)).status, 201);
  ASSERT_TRUE(daemon.wait_for("a", "running"));
  const Json waits = daemon.get("/v1/jobs/b/explain");
  EXPECT_EQ(waits["reason"], "the budget is spent on other jobs");
  EXPECT_EQ(waits["remedy"], "2.000 USD/h more in the budget");
}

TEST(PlanDaemon, AnswersARepeatedSubmissionWithTheFirstAnswer) {
  const RunningDaemon daemon;
  ASSERT_EQ(daemon.call("PUT", "/v1/nodes", kNodes).status, 200);
  const HttpAnswer first = daemon.call("POST", "/v1/jobs", job_body("a"));
  ASSERT_TRUE(daemon.wait_for("a", "running"));
  const HttpAnswer again = daemon.call("POST", "/v1/jobs", job_body("a"));
  EXPECT_EQ(again.status, 201);
  EXPECT_EQ(again.body, first.body);
  EXPECT_EQ(daemon.get("/v1/jobs")["jobs"].size(), 1U);
  EXPECT_EQ(daemon.call("POST", "/v1/jobs", job_body("a", "\"priority\": 3, ")).status, 409);
}

TEST(PlanDaemon, NamesTheFieldThatIsWrong) {
  const RunningDaemon daemon;
  ASSERT_EQ(daemon.call("PUT", "/v1/nodes", kNodes).status, 200);
  const auto submitted = [&](const std::string& body) {
    return field_of(daemon.call("POST", "/v1/jobs", body));
  };
  EXPECT_EQ(submitted(R"({"times": []})"), "422 id");
  EXPECT_EQ(submitted(R"({"id": "a"})"), "422 times");
  EXPECT_EQ(submitted(R"({"id": "a", "times": [{"machine": "smal", "gpus": 1, "seconds": 5}]})"),
            "422 times[0].machine");
  EXPECT_EQ(submitted(R"({"id": "a", "times": [{"machine": "small", "gpus": 1, "seconds": 0}]})"),
            "422 times[0].seconds");
  EXPECT_EQ(submitted(R"({"id": "a", "times": [{"machine": "small", "gpus": 9, "seconds": 5}]})"),
            "422 times");
  EXPECT_EQ(submitted(job_body("a", "\"due_unix_s\": 5, ")), "422 due_in_s") << "two due dates";
  EXPECT_EQ(submitted(R"({"id":"a","due_unix_s":5,"times":[{"machine":"small","gpus":1,"seconds":5}]})"),
            "422 due_unix_s");
  EXPECT_EQ(submitted(job_body("a", "\"nodes\": [\"n7\"], ")), "422 nodes[0]");
  EXPECT_EQ(submitted(job_body("a", "\"usd_per_late_hour\": -1, ")), "422 usd_per_late_hour");
  EXPECT_EQ(submitted(job_body("a", R"("environment": [{"name": "A;B", "value": ""}], )")),
            "422 environment[0].name");
  const auto nodes = [&](const std::string& body) { return field_of(daemon.call("PUT", "/v1/nodes", body)); };
  EXPECT_EQ(nodes(R"({"machines":[{"name":"x","gpus":1,"usd_per_hour":-1}],"nodes":[]})"),
            "422 machines[0].usd_per_hour");
  EXPECT_EQ(nodes(R"({"machines":[{"name":"x"}],"nodes":[]})"), "422 machines[0].gpus");
  EXPECT_EQ(
      nodes(R"({"machines":[{"name":"x","gpus":1,"usd_per_hour":1}],"nodes":[{"name":"n","only":"y"}]})"),
      "422 nodes[0].only");
}

TEST(PlanDaemon, PredictsTheTimesOfANetwork) {
  const RunningDaemon daemon;
  ASSERT_EQ(
      daemon.call("PUT", "/v1/nodes", R"({"machines":[{"name":"aws/p3.8xlarge"}],"nodes":[{"name":"n0"}]})")
          .status,
      200);
  const HttpAnswer answer = daemon.call(
      "POST", "/v1/jobs", R"({"id":"a","network":{"net":"resnet50","batch":32,"samples":100000}})");
  ASSERT_EQ(answer.status, 201) << answer.body;
  const Json times = Json::parse(answer.body)["times"];
  ASSERT_EQ(times.size(), 3U) << "1, 2 and 4 GPUs";
  EXPECT_EQ(times[0]["machine"], "aws/p3.8xlarge");
  EXPECT_GT(times[0]["seconds"].get<double>(), times[2]["seconds"].get<double>());
  EXPECT_GT(times[0]["spread"].get<double>(), 0);
  EXPECT_EQ(field_of(daemon.call("POST", "/v1/jobs",
                                 R"({"id":"b","network":{"net":"/etc/passwd.onnx","samples":9}})")),
            "422 network.net")
      << "a client names no files";
}

TEST(PlanDaemon, LearnsFromReportsHowSlowAJobIs) {
  const RunningDaemon daemon;
  ASSERT_EQ(daemon.call("PUT", "/v1/nodes", kNodes).status, 200);
  ASSERT_EQ(daemon.call("POST", "/v1/jobs", job_body("a")).status, 201);
  ASSERT_TRUE(daemon.wait_for("a", "running"));
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  const HttpAnswer first = daemon.call("POST", "/v1/jobs/a/progress", R"({"key": "1", "done": 0.5})");
  ASSERT_EQ(first.status, 200);
  const Json job = Json::parse(first.body);
  EXPECT_GE(job["done"].get<double>(), 0.5);
  EXPECT_LT(job["slowness"].get<double>(), 0.6) << "half of 1,600 s or 3,000 s in a moment";
  EXPECT_EQ(daemon.call("POST", "/v1/jobs/a/progress", R"({"done": 0.5, "key": "1"})").body, first.body);
  EXPECT_EQ(daemon.call("POST", "/v1/jobs/a/progress", R"({"key": "1", "done": 0.6})").status, 409);
  EXPECT_EQ(daemon.call("POST", "/v1/jobs/none/progress", R"({"key": "1", "done": 0.6})").status, 404);
}

TEST(PlanDaemon, EndsJobsOnce) {
  const RunningDaemon daemon;
  ASSERT_EQ(daemon.call("PUT", "/v1/nodes", kNodes).status, 200);
  for (const char* id : {"a", "b"}) ASSERT_EQ(daemon.call("POST", "/v1/jobs", job_body(id)).status, 201);
  ASSERT_TRUE(daemon.wait_for("b", "running"));
  EXPECT_EQ(daemon.call("POST", "/v1/jobs/a/finish", "{}").status, 200);
  EXPECT_EQ(daemon.call("POST", "/v1/jobs/a/finish", "{}").status, 200) << "said again";
  EXPECT_EQ(daemon.call("POST", "/v1/jobs/a/cancel", "{}").status, 409) << "it is over";
  EXPECT_EQ(daemon.call("POST", "/v1/jobs/b/cancel", R"({"reason": "not needed"})").status, 200);
  ASSERT_TRUE(daemon.wait_for("b", "cancelled"));
  EXPECT_EQ(daemon.get("/v1/jobs/b")["reason"], "not needed");
  EXPECT_EQ(daemon.get("/v1/jobs?state=finished")["jobs"][0]["id"], "a");
  EXPECT_EQ(daemon.get("/v1/jobs/a")["done"], 1);
  ASSERT_TRUE(daemon.wait_until([&] { return !daemon.get("/v1/nodes")["nodes"][0].contains("machine"); }));
  EXPECT_GT(daemon.get("/v1/plan")["spent_usd"].get<double>(), 2.0 / 60 - 1e-9)
      << "a minute at least is paid";
}

TEST(PlanDaemon, PagesThroughJobsAndHistory) {
  const RunningDaemon daemon;
  ASSERT_EQ(daemon.call("PUT", "/v1/nodes", kNodes).status, 200);
  for (const char* id : {"a", "b", "c"}) ASSERT_EQ(daemon.call("POST", "/v1/jobs", job_body(id)).status, 201);
  const Json first = daemon.get("/v1/jobs?limit=2");
  EXPECT_EQ(first["jobs"].size(), 2U);
  const Json rest = daemon.get("/v1/jobs?limit=2&after=" + std::to_string(first["next_after"].get<int>()));
  EXPECT_EQ(rest["jobs"].size(), 1U);
  EXPECT_EQ(rest["next_after"], 0);
  const Json events = daemon.get("/v1/history?job=a")["events"];
  EXPECT_EQ(events[0]["kind"], "submitted");
  EXPECT_EQ(daemon.call("GET", "/v1/history?limit=0").status, 400);
}

TEST(PlanDaemon, RunsJobsElsewhereWhenANodeIsLost) {
  const RunningDaemon daemon;
  ASSERT_EQ(daemon.call("PUT", "/v1/nodes", kNodes).status, 200);
  ASSERT_EQ(daemon.call("POST", "/v1/jobs", job_body("a")).status, 201);
  ASSERT_TRUE(daemon.wait_for("a", "running"));
  const std::string removed =
      R"({"machines":[{"name":"small","gpu":"v100","gpus":2,"usd_per_hour":2}],"nodes":[{"name":"n1"}]})";
  EXPECT_EQ(daemon.call("PUT", "/v1/nodes", removed).status, 409) << "a job runs there";
  Json down = Json::parse(kNodes);
  down["nodes"][0]["down"] = true;
  ASSERT_EQ(daemon.call("PUT", "/v1/nodes", down.dump()).status, 200);
  ASSERT_TRUE(daemon.wait_until([&] {
    const Json job = daemon.get("/v1/jobs/a");
    return job["state"] == "running" && job["shares"][0]["node"] == "n1";
  }));
  EXPECT_EQ(daemon.get("/v1/jobs/a")["starts"], 2);
}

TEST(PlanDaemon, KeepsItsStateAndHasItAlone) {
  RunningDaemon daemon;
  ASSERT_EQ(daemon.call("PUT", "/v1/nodes", kNodes).status, 200);
  ASSERT_EQ(daemon.call("POST", "/v1/jobs", job_body("a")).status, 201);
  ASSERT_TRUE(daemon.wait_for("a", "running"));
  EXPECT_THAT(sextant::test::error_of([&] {
                const Daemon second(daemon.options,
                                    std::make_shared<catalog::Catalog>(catalog::builtin_catalog()), {});
              }),
              HasSubstr("another daemon has this state"));
  daemon.end();
  daemon.begin();
  EXPECT_EQ(daemon.state_of("a"), "running");
  EXPECT_EQ(daemon.get("/v1/jobs/a")["starts"], 1);
  EXPECT_EQ(daemon.call("POST", "/v1/jobs", job_body("a")).status, 201);
}

TEST(PlanDaemon, SaysWhatIsWrongWithItsOptions) {
  const RunningDaemon daemon;
  const auto fault = [&](const std::function<void(DaemonOptions&)>& change) {
    DaemonOptions options = daemon.options;
    options.state = (daemon.folder.path() / "other.db").string();
    change(options);
    return sextant::test::error_of([&] {
      const Daemon other(options, std::make_shared<catalog::Catalog>(catalog::builtin_catalog()), {});
    });
  };
  EXPECT_THAT(fault([](DaemonOptions& o) { o.method = "edff"; }), HasSubstr("did you mean 'edf'?"));
  EXPECT_THAT(fault([](DaemonOptions& o) { o.listen = "0.0.0.0:0"; }), HasSubstr("a token is needed"));
  EXPECT_THAT(fault([](DaemonOptions& o) { o.apply = "slurm:gpu"; }), HasSubstr("Slurm has no option 'gpu'"));
  EXPECT_THAT(fault([](DaemonOptions& o) { o.state = "/nowhere/at/all.db"; }),
              HasSubstr("its folder does not exist"));
  EXPECT_THAT(fault([](DaemonOptions& o) {
                o.cluster = "v100=8/4";
                o.machines = "x.json";
              }),
              HasSubstr("machines are said twice"));
  const std::string text = (daemon.folder.path() / "text.db").string();
  std::ofstream(text) << std::string(5000, 'x');
  EXPECT_THAT(fault([&](DaemonOptions& o) { o.state = text; }),
              HasSubstr("this is not the state of a daemon"));
}

TEST(PlanDaemon, DecidesByAnyMethod) {
  for (const char* method : {"fifo", "greedy", "sextant"}) {
    RunningDaemon daemon;
    daemon.end();
    daemon.options.method = method;
    daemon.begin();
    ASSERT_EQ(daemon.call("PUT", "/v1/nodes", kNodes).status, 200);
    const std::string urgent = R"({"id": "a", "due_in_s": 60, "usd_per_late_hour": 100,
      "times": [{"machine": "small", "gpus": 1, "seconds": 3000}]})";
    ASSERT_EQ(daemon.call("POST", "/v1/jobs", urgent).status, 201);
    EXPECT_TRUE(daemon.wait_for("a", "running")) << method;
    EXPECT_EQ(daemon.get("/v1/plan")["method"], method);
  }
}

TEST(PlanDaemon, TakesAClusterOfOwnedMachines) {
  RunningDaemon daemon;
  daemon.end();
  daemon.options.cluster = "v100=8/4";
  daemon.begin();
  const Json nodes = daemon.get("/v1/nodes");
  ASSERT_EQ(nodes["nodes"].size(), 2U);
  EXPECT_EQ(nodes["nodes"][1]["name"], "v100-1");
  EXPECT_EQ(nodes["nodes"][1]["only"], "v100");
  EXPECT_EQ(nodes["machines"][0]["gpus"], 4);
}

}  // namespace
}  // namespace sextant::daemon
