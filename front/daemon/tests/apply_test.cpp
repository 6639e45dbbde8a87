// Steps that a command carries out: with what it gets, once each, and what happens when it fails or the
// daemon dies.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>

#include "running_daemon.h"
#include "sextant/core/csv.h"
#include "sextant/core/text.h"

namespace sextant::daemon {
namespace {

using test::job_body;
using test::kNodes;
using test::RunningDaemon;
using testing::HasSubstr;

// Notes what it is asked for; `answer` is run afterwards.
std::string recorder(const TemporaryFolder& folder, const std::string& answer) {
  const std::string path = (folder.path() / "apply.sh").string();
  std::ofstream(path) << "#!/bin/sh\nread -r line\nprintf '%s\\n' \"$line\" >> "
                      << (folder.path() / "asked").string() << "\n"
                      << answer << "\n";
  ::chmod(path.c_str(), 0755);
  return path;
}

std::vector<Json> asked(const TemporaryFolder& folder) {
  std::vector<Json> list;
  std::ifstream file(folder.path() / "asked");
  for (std::string line; std::getline(file, line);) list.push_back(Json::parse(line));
  return list;
}

TEST(ApplyCommand, GetsEachStepOnceWithAllOfItsJob) {
  const TemporaryFolder folder;
  const RunningDaemon daemon(recorder(folder, "echo ref-7"));
  ASSERT_EQ(daemon.call("PUT", "/v1/nodes", kNodes).status, 200);
  const std::string more =
      R"-("command": ["train", "a b", "$(x)"], "environment": [{"name": "K", "value": "v"}], )-";
  ASSERT_EQ(daemon.call("POST", "/v1/jobs", job_body("a", more)).status, 201);
  ASSERT_TRUE(daemon.wait_for("a", "running"));
  EXPECT_EQ(daemon.get("/v1/jobs/a")["reference"], "ref-7");
  const std::vector<Json> steps = asked(folder);
  ASSERT_EQ(steps.size(), 2U);
  EXPECT_EQ(steps[0]["ask"], "do");
  EXPECT_EQ(steps[0]["kind"], "node_on");
  EXPECT_EQ(steps[0]["machine"], "small");
  EXPECT_EQ(steps[1]["kind"], "start");
  EXPECT_EQ(steps[1]["command"], Json::array({"train", "a b", "$(x)"}));
  EXPECT_EQ(steps[1]["environment"][0]["name"], "K");
  EXPECT_NE(steps[0]["key"], steps[1]["key"]);
  ASSERT_EQ(daemon.call("POST", "/v1/jobs/a/cancel", "{}").status, 200);
  ASSERT_TRUE(daemon.wait_for("a", "cancelled"));
  const Json stop = asked(folder)[2];
  EXPECT_EQ(stop["kind"], "stop");
  EXPECT_EQ(stop["started_as"], steps[1]["key"]);
  EXPECT_EQ(stop["reference"], "ref-7");
}

TEST(ApplyCommand, ThatFailsLeavesAReasonAndIsTriedThreeTimes) {
  const TemporaryFolder folder;
  const RunningDaemon daemon(
      recorder(folder, "case $line in *'\"start\"'*) echo 'no room' >&2; exit 4;; esac"));
  ASSERT_EQ(daemon.call("PUT", "/v1/nodes", kNodes).status, 200);
  ASSERT_EQ(daemon.call("POST", "/v1/jobs", job_body("a")).status, 201);
  ASSERT_TRUE(daemon.wait_for("a", "failed"));
  EXPECT_THAT(daemon.get("/v1/jobs/a")["reason"].get<std::string>(),
              HasSubstr("ended with exit code 4: no room"));
  int starts = 0;
  for (const Json& step : asked(folder)) starts += step["kind"] == "start" ? 1 : 0;
  EXPECT_EQ(starts, 3);
}

TEST(ApplyCommand, IsNotRunInADryRun) {
  const TemporaryFolder folder;
  RunningDaemon daemon;
  daemon.end();
  daemon.options.apply = recorder(folder, "");
  daemon.options.dry_run = true;
  daemon.begin();
  ASSERT_EQ(daemon.call("PUT", "/v1/nodes", kNodes).status, 200);
  ASSERT_EQ(daemon.call("POST", "/v1/jobs", job_body("a")).status, 201);
  ASSERT_TRUE(daemon.wait_for("a", "running"));
  EXPECT_TRUE(asked(folder).empty());
  const std::lock_guard lock(daemon.mutex);
  EXPECT_THAT(daemon.said, HasSubstr("would do: '" + daemon.options.apply + "' <<< '{\"ask\":\"do\""));
}

}  // namespace
}  // namespace sextant::daemon
