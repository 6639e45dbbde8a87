// What every result promises to programs: one object that says its schema first and its provenance once, and
// CSV whose columns have names of their own.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <regex>
#include <set>

#include "cli_fixture.h"
#include "sextant/core/csv.h"
#include "sextant/core/json.h"
#include "sextant/core/text.h"

namespace sextant::cli::test {
namespace {

// A line for each result that takes well under a second; words stand between single blanks. EXAMPLES is the
// folder of that name. An infeasible answer is a result too.
constexpr const char* kCommandsWithResults[] = {
    "predict resnet50 --gpu v100,a100 --batch 32",
    "predict vgg16 --machine aws/p3.16xlarge --nodes 1,2 --strategy data --epochs 2 --samples 1000",
    "advise resnet18 --samples 1000 --machine aws/p3.2xlarge,aws/p3.8xlarge --count 1,2",
    "advise resnet18 --samples 1000000 --deadline 1s --machine aws/p3.2xlarge --count 1",
    "scale resnet18 --machine aws/p3.2xlarge --samples 1000,2000 --most 2",
    "scale resnet18 --machine aws/p3.2xlarge --samples 1000 --most 2 --curve",
    "net summary resnet18 --batch 2",
    "net summary resnet18 --totals",
    "list gpus",
    "list cpus",
    "list links",
    "list machines",
    "list nets",
    "list policies",
    "list search-strategies",
    "list stacks",
    "list recipes",
    "describe gpu v100",
    "describe cpu epyc-7742",
    "describe link nvlink-2",
    "describe machine aws/p3.2xlarge",
    "describe net resnet50",
    "describe predictor kernel",
    "describe stack pytorch",
    "describe recipe pytorch-2.1",
    "collective --system a100-dgx --gpus 2,4 --bytes 1MiB",
    "collective --system a100-dgx --gpus 4 --algorithm all",
    "fit --data EXAMPLES/fit/runs.csv --response time_s --method ols,ridge --out model.json",
    "fit --data EXAMPLES/scaling/timed.csv --method scaling --out law.json",
    "evaluate --model sia --data EXAMPLES/scaling/new.csv",
    "records import EXAMPLES/records/runs.csv",
    "trace summarize EXAMPLES/trace/jobs.csv EXAMPLES/trace/jobs.csv --gpus 16",
    "trace convert EXAMPLES/trace/jobs.csv --out jobs.csv",
    "trace generate philly:jobs=20 --out jobs.csv",
    "config show",
    "version",
};

class ResultContract : public CliFixture, public testing::WithParamInterface<const char*> {
 protected:
  static std::string answer(const std::vector<std::string>& more) {
    std::vector<std::string> words = split(GetParam(), ' ');
    for (std::string& word : words) {
      if (word.starts_with("EXAMPLES")) word.replace(0, 8, SEXTANT_SOURCE_DIR "/examples");
    }
    words.insert(words.end(), more.begin(), more.end());
    const Outcome outcome = sextant_run(words);
    EXPECT_TRUE(outcome.code == kDone || outcome.code == kInfeasible) << outcome.err;
    return outcome.out;
  }
};

// Members of that name, at any depth.
int members(const Json& json, const std::string& name) {
  int count = 0;
  for (const auto& [key, value] : json.items()) {
    if (json.is_object() && key == name) ++count;
    if (value.is_structured()) count += members(value, name);
  }
  return count;
}

TEST_P(ResultContract, JsonIsOneObjectThatSaysItsSchemaFirst) {
  const Json json = Json::parse(answer({"--json", "--no-provenance"}));
  ASSERT_TRUE(json.is_object());
  EXPECT_EQ(json.begin().key(), "schema");
  EXPECT_TRUE(
      std::regex_match(json.begin().value().get<std::string>(), std::regex("sextant\\.[a-z-]+/[0-9]+")))
      << json.begin().value();
  EXPECT_EQ(members(json, "provenance"), 0);
}

TEST_P(ResultContract, ProvenanceIsSaidOnceAtTheTop) {
  const Json json = Json::parse(answer({"--json"}));
  EXPECT_TRUE(json.contains("provenance"));
  EXPECT_EQ(members(json, "provenance"), 1);
}

TEST_P(ResultContract, ColumnsOfCsvHaveNamesOfTheirOwn) {
  const CsvTable table = CsvTable::parse(answer({"--format", "csv"}), "answer.csv");
  const std::set<std::string> distinct(table.header().begin(), table.header().end());
  EXPECT_EQ(distinct.size(), table.header().size());
  EXPECT_FALSE(distinct.contains(""));
}

INSTANTIATE_TEST_SUITE_P(Commands, ResultContract, testing::ValuesIn(kCommandsWithResults));

}  // namespace
}  // namespace sextant::cli::test
