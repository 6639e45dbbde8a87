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
// folder of that name, and "; " ends a command that the next needs. An infeasible answer is a result too.
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
    "fit --data EXAMPLES/own-stack/runs.csv --method kernel --stack mine --out mine.json",
    "fit --data EXAMPLES/fit/runs.csv --response time_s --method ols --out m.json; "
    "evaluate --model m.json --data EXAMPLES/fit/new.csv",
    "fit --data EXAMPLES/scaling/timed.csv --method scaling --out law.json; "
    "evaluate --model law.json --data EXAMPLES/scaling/new.csv",
    "records import EXAMPLES/records/runs.csv",
    "records import EXAMPLES/records/runs.csv; records list",
    "records import EXAMPLES/records/runs.csv; records check",
    "trace summarize EXAMPLES/trace/jobs.csv EXAMPLES/trace/jobs.csv --gpus 16",
    "trace convert EXAMPLES/trace/jobs.csv --out jobs.csv",
    "trace generate philly:jobs=20 --out jobs.csv",
    "config show",
    "version",
    "simulate --generate philly:jobs=20 --cluster v100=4 --policy fifo,srtf --seeds 2",
    "measure input --formats records --batch 4,8 --batches 4 --samples 32 --prefetch 0 --cache 0 --image 16",
    "queue --model mmc --arrival-rate 3 --service-time 1 --servers 4,8",
    "queue --model mmc --arrival-rate 3 --service-time 1 --target-wait 0.5",
    "queue --classes EXAMPLES/queue/classes.csv",
    "queue --model mva --demands 0.5,0.3 --think 2 --population 1,2",
    "queue --model laws --demands 0.5,0.3 --think 2 --population 100",
    "queue --model laws --completions 120 --period 600 --residence 30",
    "queue --records EXAMPLES/queue-records/jobs.csv --servers 6",
    "analyze EXAMPLES/analyze/runs.csv --response time",
    "analyze EXAMPLES/analyze/runs.csv --response time --show interactions",
    "explore EXAMPLES/explore/study.toml --no-run --store study.sqlite",
    "explore ask EXAMPLES/explore/study.toml --store study.sqlite --count 2",
    "explore design EXAMPLES/design/space.toml --design fractional:runs=8",
    "explore design EXAMPLES/design/space.toml --design fractional:runs=8 --aliases",
    "explore --table EXAMPLES/analyze/workloads.csv --group case --config machine,count --objective cost_usd "
    "--censored completed=0 --trials 3 --seeds 2",
};

class ResultContract : public CliFixture, public testing::WithParamInterface<const char*> {
 protected:
  // Of the last command; those before it make its files.
  static std::string answer(const std::vector<std::string>& more) {
    std::string out;
    for (const std::string& command : split(GetParam(), ';')) {
      std::vector<std::string> words = split(trim(command), ' ');
      for (std::string& word : words) {
        if (word.starts_with("EXAMPLES")) word.replace(0, 8, SEXTANT_SOURCE_DIR "/examples");
      }
      words.insert(words.end(), more.begin(), more.end());
      const Outcome outcome = sextant_run(words);
      EXPECT_TRUE(outcome.code == kDone || outcome.code == kInfeasible) << outcome.err;
      out = outcome.out;
    }
    return out;
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
