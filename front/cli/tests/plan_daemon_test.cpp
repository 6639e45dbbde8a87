// The command around the daemon: its options in words of the command line, and that it ends when it is told
// to.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cli_fixture.h"

namespace sextant::cli::test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

class PlanDaemonCommand : public CliFixture {};

TEST_F(PlanDaemonCommand, SaysFaultsInItsOptions) {
  const auto fault = [](std::vector<std::string> more) {
    more.insert(more.begin(), {"plan", "daemon"});
    const Outcome outcome = sextant_run(more);
    EXPECT_EQ(outcome.code, kBadInput);
    return outcome.err;
  };
  EXPECT_THAT(fault({}), StartsWith("--state: error: the file of the state is missing"));
  EXPECT_THAT(fault({"--state", "s.db", "--listen", "0.0.0.0:0"}),
              StartsWith("--token-file: error: a token is needed"));
  EXPECT_THAT(fault({"--state", "s.db", "--listen", "host"}),
              StartsWith("--listen: error: 'host' names no port"));
  EXPECT_THAT(fault({"--state", "s.db", "--period", "5"}), StartsWith("--period: error:"));
  EXPECT_THAT(fault({"--state", "no/such/s.db"}),
              StartsWith("no/such/s.db: error: its folder does not exist"));
  write("m.json", R"({"machines": [{"name": "x", "gpus": 1, "usd_per_hour": -1}], "nodes": []})");
  EXPECT_THAT(fault({"--state", "s.db", "--machines", "m.json"}),
              StartsWith("m.json: error: machines[0].usd_per_hour: the number is -1, below 0"));
  write("m.json", "[]");
  EXPECT_THAT(fault({"--state", "s.db", "--machines", "m.json"}),
              StartsWith("m.json: error: it is not an object"));
  write("m.json", R"({"machines": [)");
  EXPECT_THAT(fault({"--state", "s.db", "--machines", "m.json"}), StartsWith("m.json:1:"));
}

TEST_F(PlanDaemonCommand, ListensAndEndsWhenToldTo) {
  std::ostringstream out;
  std::ostringstream err;
  Io io{out, err};
  io.abandoned = [] { return true; };
  EXPECT_EQ(run({"plan", "daemon", "--state", "s.db", "--listen", "127.0.0.1:0"}, io), kDone);
  EXPECT_THAT(out.str(), HasSubstr("listening at http://127.0.0.1:"));
  EXPECT_TRUE(std::filesystem::exists("s.db"));
  EXPECT_EQ(std::filesystem::status("s.db").permissions(), std::filesystem::perms(0600))
      << "jobs bring secrets";
}

TEST_F(PlanDaemonCommand, PrintsItsOpenApiFile) {
  const Outcome outcome = sextant_run({"plan", "daemon", "--openapi"});
  EXPECT_EQ(outcome.out, read(SEXTANT_SOURCE_DIR "/docs/reference/daemon-openapi.json")) << "run: make docs";
}

}  // namespace
}  // namespace sextant::cli::test
