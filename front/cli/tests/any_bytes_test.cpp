// JSON is JSON whatever names and numbers a result holds.
#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "cli_fixture.h"
#include "sextant/core/json.h"

namespace sextant::cli::test {
namespace {

constexpr const char* kWildName = "a\x01\x1b[2J\"\\\xFF\xC0\x80";

constexpr const char* kWildFile = "jobs\xFF.csv";

report::Result wild_result() {
  constexpr double kInfinite = std::numeric_limits<double>::infinity();
  report::Table table{.columns = {{"name", "name"},
                                  {kWildName, kWildName, report::Importance::usual, "configuration"},
                                  {"number", "number"},
                                  {"list", "list"}},
                      .rows = {},
                      .notes = {kWildName}};
  for (const double number : {std::nan(""), kInfinite, -kInfinite}) {
    table.rows.push_back(
        {kWildName, number, Seconds{number}, report::Cell::nested({number, {{kWildName, kWildName}}})});
  }
  return {.schema = "sextant.wild/1", .sections = {{.key = "rows", .table = table}}, .facts = table};
}

TEST(AnyBytes, JsonOfAResultIsAlwaysValid) {
  std::ostringstream out;
  std::ostringstream err;
  Globals globals;
  globals.json = true;
  globals.command_line = std::string("sextant ") + kWildName;
  report::Result result = wild_result();
  result.facts.rows.resize(1);
  write_result(Io{out, err}, globals, result);
  const Json json = Json::parse(out.str());
  for (const Json& row : json["rows"]) {
    EXPECT_EQ(row["name"], "a\x01\x1b[2J\"\\\uFFFD\uFFFD\uFFFD");
    EXPECT_TRUE(row["number"].is_null());
    EXPECT_TRUE(row["configuration"].begin().value().is_null());
    EXPECT_TRUE(row["list"][0].is_null());
  }
}

TEST(AnyBytes, ATerminalGetsNoneThatItWouldObey) {
  std::ostringstream out;
  std::ostringstream err;
  const report::Result result = wild_result();
  write_result(Io{out, err}, {}, result);
  EXPECT_EQ(out.str().find('\x1b'), std::string::npos);
  warn(Io{out, err}, kWildName);
  EXPECT_EQ(err.str().find('\x1b'), std::string::npos);
}

class AnyBytesCommands : public CliFixture {};

TEST_F(AnyBytesCommands, NamesInFilesMakeValidJson) {
  write("runs.csv", std::string("m\xFF,y\n") + "a\x1b,1\na\x1b,2\nb\xC3,3\nb\xC3,4\n");
  const Outcome analysis = sextant_run({"analyze", "runs.csv", "--response", "y", "--json"});
  EXPECT_EQ(analysis.code, kDone) << analysis.err;
  EXPECT_TRUE(Json::parse(analysis.out).is_object());

  write("cases.csv",
        "net,gpu,note\nresnet18,v100,\xFF\x01\nno\xFF"
        "ne,v100,\n");
  const Outcome cases = sextant_run({"predict", "--cases", "cases.csv", "--json"});
  EXPECT_EQ(cases.code, kDone) << cases.err;
  const Json json = Json::parse(cases.out);
  EXPECT_EQ(json["cases"][0]["case"]["note"], "\uFFFD\x01");
  EXPECT_THAT(json["cases"][1]["error"].get<std::string>(), testing::HasSubstr("no\uFFFDne"));

  write(kWildFile, "submit_s,duration_s,num_gpus,vc\n0,10,1,\xFF\x01\n1,20,1,b\n");
  const Outcome trace = sextant_run({"trace", "summarize", kWildFile, "--json"});
  EXPECT_EQ(trace.code, kDone) << trace.err;
  EXPECT_EQ(Json::parse(trace.out)["traces"][0]["file"], "jobs\uFFFD.csv");
}

}  // namespace
}  // namespace sextant::cli::test
