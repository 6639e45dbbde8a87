// sextant advise, scale, and predict on many devices: answers, limits, and what is refused.
#include <gmock/gmock.h>

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "cli_fixture.h"
#include "sextant/cli/command.h"
#include "sextant/core/csv.h"

namespace sextant::cli {
namespace {

using test::Outcome;
using test::sextant_run;
using testing::HasSubstr;
using testing::Not;
class Plan : public test::CliFixture {};

std::vector<std::string> advise_words(std::vector<std::string> more) {
  std::vector<std::string> words = {"advise",   "resnet18", "--samples", "50000",
                                    "--epochs", "10",       "--stack",   "tensorflow"};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

TEST_F(Plan, AdviceIsRankedAndExplained) {
  const Outcome outcome = sextant_run(advise_words({"--json", "--no-provenance"}));
  ASSERT_EQ(outcome.code, kDone) << outcome.err;
  const Json advice = Json::parse(outcome.out);
  EXPECT_EQ(advice.at("schema"), "sextant.advice/2");
  ASSERT_GT(advice.at("offers").size(), 10U);
  double before = 0;
  for (const Json& offer : advice.at("offers")) {
    EXPECT_GE(offer.at("total_usd").get<double>(), before);
    before = offer.at("total_usd").get<double>();
  }
  EXPECT_TRUE(advice.at("offers").at(0).at("pareto").get<bool>());
  EXPECT_THAT(advice.at("reason").get<std::string>(), HasSubstr("the cheapest of"));
  EXPECT_FALSE(advice.at("would_change").empty());
}

TEST_F(Plan, StrategiesThatCannotBeUsedNameTheirLimit) {
  const Outcome outcome =
      sextant_run(advise_words({"--machine", "aws/p3.16xlarge", "--count", "2", "--json"}));
  ASSERT_EQ(outcome.code, kDone) << outcome.err;
  std::map<std::string, std::string> limits;
  const Json advice = Json::parse(outcome.out);
  for (const Json& verdict : advice.at("strategies")) {
    const std::string name = verdict.at("strategy").get<std::string>();
    if (verdict.at("limit").is_string())
      limits[name.substr(0, name.find(':'))] = verdict.at("limit").get<std::string>();
  }
  EXPECT_EQ(limits["tensor"], "shape") << "no attention in it";
  EXPECT_FALSE(limits.contains("data"));
}

TEST_F(Plan, NothingThatFitsIsThreeWithTheConstraint) {
  const Outcome late = sextant_run(advise_words({"--deadline", "1 ms"}));
  EXPECT_EQ(late.code, kInfeasible);
  EXPECT_EQ(late.out, "");
  EXPECT_THAT(late.err, HasSubstr("deadline is the tightest constraint"));
  const Outcome dear = sextant_run(advise_words({"--budget", "0.0001"}));
  EXPECT_EQ(dear.code, kInfeasible);
  EXPECT_THAT(dear.err, HasSubstr("budget is the tightest constraint"));
  const Outcome large = sextant_run({"advise", "gpt3-13b", "--global-batch", "64", "--samples", "1000",
                                     "--count", "1", "--machine", "aws/g4dn.xlarge"});
  EXPECT_EQ(large.code, kInfeasible);
  EXPECT_THAT(large.err, HasSubstr("memory is the tightest constraint"));
}

TEST_F(Plan, BadWishesAreRefused) {
  const std::vector<std::vector<std::string>> bad = {{"--deadline", "2001-01-01"},
                                                     {"--deadline", "-3 h"},
                                                     {"--deadline", "0 h"},
                                                     {"--deadline", "soon"},
                                                     {"--budget", "-1"},
                                                     {"--budget", "0"},
                                                     {"--budget", "much"},
                                                     {"--region", "atlantis"},
                                                     {"--machine", "aws/p9"},
                                                     {"--strategy", "dada"},
                                                     {"--strategy", "pipeline:micro=0.5"},
                                                     {"--count", "0"},
                                                     {"--network", "string"},
                                                     {"--epochs", "0"},
                                                     {"--by", "colour"},
                                                     {"--global-batch", "0"},
                                                     {"--batch", "32,64"},
                                                     {"--samples", "-1"}};
  for (const auto& words : bad) {
    const Outcome outcome = sextant_run(advise_words(words));
    EXPECT_EQ(outcome.code, kBadInput) << words[0] << " " << words[1] << ": " << outcome.err;
    EXPECT_EQ(outcome.out, "") << words[1];
  }
  EXPECT_EQ(sextant_run({"advise", "resnet18"}).code, kBadInput) << "--samples is missing";
}

TEST_F(Plan, SafetyNeedsAnUpperEnd) {
  const Outcome outcome =
      sextant_run(advise_words({"--predictor", "roofline", "--safe", "--deadline", "9 h"}));
  EXPECT_EQ(outcome.code, kBadInput);
  EXPECT_THAT(outcome.err, HasSubstr("no upper end"));
}

TEST_F(Plan, APictureOfTheFrontIsWrittenWhole) {
  const Outcome outcome = sextant_run(advise_words({"--plot", "front.svg", "--top", "1"}));
  EXPECT_EQ(outcome.code, kDone);
  const std::string picture = read("front.svg");
  EXPECT_TRUE(picture.starts_with("<svg") && picture.ends_with("</svg>\n"));
  EXPECT_EQ(sextant_run(advise_words({"--plot", "missing/front.svg"})).code, kBadInput);
  EXPECT_EQ(sextant_run(advise_words({"--plot", "none.svg", "--deadline", "1 ms"})).code, kInfeasible);
  EXPECT_EQ(files(), (std::vector<std::string>{"front.svg"}));
}

TEST_F(Plan, APictureIsSvgWhateverItsNameSays) {
  const Outcome outcome = sextant_run(advise_words({"--plot", "front.png"}));
  EXPECT_EQ(outcome.code, kBadInput);
  EXPECT_THAT(outcome.err, HasSubstr("--plot: error: the picture is SVG, and 'front.png' ends in .png"));
  EXPECT_THAT(outcome.err, HasSubstr("'front.svg'"));
  EXPECT_TRUE(files().empty());
  for (const char* path : {"front", "FRONT.SVG", "-"}) {
    EXPECT_EQ(sextant_run(advise_words({"--plot", path, "--top", "1"})).code, kDone) << path;
  }
}

// Every command says it in the same way, before it does anything.
TEST(Pictures, EveryOptionThatDrawsRefusesOtherFormats) {
  int pictures = 0;
  for (const Command& command : all_commands()) {
    for (const Option& option : command.options) {
      EXPECT_EQ(option.value_name == "FILE.svg", option.writes == Writes::picture) << command.path;
      if (option.writes != Writes::picture) continue;
      ++pictures;
      EXPECT_THROW(assign(option, {"a.txt"}, at_field(option.name)), InputError) << command.path;
      EXPECT_NO_THROW(assign(option, {"a.svg"}, at_field(option.name))) << command.path;
    }
  }
  EXPECT_GE(pictures, 7);
}

TEST_F(Plan, ScaleFindsTheFewestMachines) {
  const Outcome outcome =
      sextant_run({"scale", "resnet50", "--machine", "aws/p3.2xlarge", "--deadline", "12 h", "--epochs", "90",
                   "--samples", "100000,200000", "--stack", "tensorflow", "--format", "csv"});
  ASSERT_EQ(outcome.code, kDone) << outcome.err;
  const CsvTable table = CsvTable::parse(outcome.out, "out");
  const std::size_t machines = table.column("machines");
  EXPECT_LT(table.integer(0, machines), table.integer(1, machines));
  EXPECT_LE(table.number(1, table.column("total_s")), 12 * 3600);
}

TEST_F(Plan, ScaleSaysWhenNoNumberIsEnough) {
  const Outcome outcome = sextant_run({"scale", "resnet50", "--machine", "aws/p3.2xlarge", "--deadline",
                                       "1 min", "--most", "4", "--samples", "1281167"});
  EXPECT_EQ(outcome.code, kInfeasible);
  EXPECT_THAT(outcome.err, HasSubstr("deadline is the tightest constraint"));
  EXPECT_EQ(sextant_run({"scale", "resnet50", "--machine", "aws/p9", "--samples", "10"}).code, kBadInput);
}

TEST_F(Plan, PredictTakesPlacementsAndStrategies) {
  const Outcome outcome =
      sextant_run({"predict", "resnet18", "--gpu", "v100", "--placement", "1,44", "--network",
                   "infiniband-edr", "--strategy", "data,zero-1", "--stack", "tensorflow", "--json"});
  ASSERT_EQ(outcome.code, kDone) << outcome.err;
  const Json answers = Json::parse(outcome.out).at("predictions");
  ASSERT_EQ(answers.size(), 3U) << "one device has no strategy";
  EXPECT_EQ(answers.at(1).at("placement"), "44");
  EXPECT_EQ(answers.at(1).at("strategy"), "data");
  EXPECT_EQ(answers.at(1).at("global_batch"), 8 * 32);
  EXPECT_GT(answers.at(1).at("iteration_s"), answers.at(0).at("iteration_s"));
}

TEST_F(Plan, PredictRefusesImpossibleLayouts) {
  const auto problem = [](std::vector<std::string> more) {
    std::vector<std::string> words = {"predict", "resnet18", "--gpu", "v100"};
    words.insert(words.end(), more.begin(), more.end());
    const Outcome outcome = sextant_run(words);
    EXPECT_EQ(outcome.code, kBadInput) << outcome.out;
    return outcome.err;
  };
  EXPECT_THAT(problem({"--count", "6", "--nodes", "4"}), HasSubstr("do not spread evenly"));
  EXPECT_THAT(problem({"--placement", "4x4"}), HasSubstr("is not a placement"));
  EXPECT_THAT(problem({"--count", "8", "--strategy", "tensor"}), HasSubstr("tensor"));
  EXPECT_THAT(problem({"--count", "8", "--strategy", "tensro"}), HasSubstr("did you mean 'tensor'"));
  EXPECT_THAT(problem({"--placement", "44", "--network", "ethernet-26g"}), HasSubstr("did you mean"));
  EXPECT_THAT(problem({"--count", "9", "--placement", "44"}), HasSubstr("contradicts the placement"));
  EXPECT_THAT(problem({"--count", "100000000000"}), HasSubstr("out of range"));
}

TEST_F(Plan, CasesSayWhatAutoChose) {
  write("cases.csv", "net,gpu,placement,strategy,network\nresnet18,v100,44,auto,infiniband-edr\n");
  const Outcome outcome = sextant_run({"predict", "--cases", "cases.csv", "--stack", "tensorflow"});
  const CsvTable table = CsvTable::parse(outcome.out, "out");
  EXPECT_EQ(table.text(0, table.column("strategy")), "auto");
  EXPECT_EQ(table.text(0, table.column("chosen_strategy")), "data");
}

TEST_F(Plan, NodesThatNobodyBuildsAreRefused) {
  const Outcome outcome =
      sextant_run({"predict", "resnet18", "--gpu", "v100", "--count", "64", "--nodes", "1"});
  EXPECT_EQ(outcome.code, kBadInput);
  EXPECT_THAT(outcome.err, HasSubstr("--nodes: error: no machine of the catalogue has 64 GPUs"));
  EXPECT_THAT(outcome.err, HasSubstr("the largest, "));
  write("cases.csv", "net,gpu,count,nodes\nresnet18,v100,64,1\n");
  EXPECT_THAT(sextant_run({"predict", "--cases", "cases.csv"}).out, HasSubstr("nodes: no machine"));
}

TEST_F(Plan, AnEmptyModelIsAnError) {
  write("empty.json", "\n");
  const Outcome outcome = sextant_run({"predict", "resnet18", "--gpu", "v100", "--model", "empty.json"});
  EXPECT_EQ(outcome.code, kBadInput);
  EXPECT_THAT(outcome.err, HasSubstr("empty.json:1:1: error: the file is empty"));
}

TEST_F(Plan, AdviceCountsTheStartAndTheBill) {
  const auto cost = [](std::vector<std::string> more) {
    std::vector<std::string> words = {"advise",    "resnet18",       "--samples", "1000",
                                      "--machine", "aws/p3.2xlarge", "--count",   "1",
                                      "--json",    "--region",       "us-east-1"};
    words.insert(words.end(), more.begin(), more.end());
    const Json offer = Json::parse(sextant_run(words).out).at("offers").at(0);
    return std::pair(offer.at("total_s").get<double>(), offer.at("total_usd").get<double>());
  };
  const auto [time, dollars] = cost({});
  EXPECT_GT(time, 300);
  // 3.06 dollars an hour, by whole seconds.
  EXPECT_NEAR(dollars, 3.06 * std::ceil(time) / 3600, 1e-9);
  const auto [quick, least] = cost({"--startup", "0 s"});
  EXPECT_NEAR(quick, time - 300, 1e-6);
  EXPECT_NEAR(least, 3.06 * 60 / 3600, 1e-9) << "a minute is the least";
  EXPECT_NEAR(cost({"--startup", "0 s", "--minimum-billing", "1 h"}).second, 3.06, 1e-9);
}

TEST_F(Plan, AdviceIsATaskOfSkyPilot) {
  const Outcome shown =
      sextant_run(advise_words({"--machine", "gcp/a2-highgpu-1g", "--count", "1", "--out", "-"}));
  ASSERT_EQ(shown.code, kDone) << shown.err;
  EXPECT_THAT(shown.out, HasSubstr("\nnum_nodes: 1\nresources:\n  infra: \"gcp/"));
  EXPECT_THAT(shown.out, HasSubstr("  instance_type: \"a2-highgpu-1g\"\n  accelerators: \"A100:1\"\n"));
  EXPECT_THAT(shown.out, HasSubstr("run: |\n  python3 train.py --batch-size 32 --epochs 10\n"));
  const Outcome filed = sextant_run(advise_words({"--count", "1", "--out", "task.yaml"}));
  EXPECT_EQ(filed.code, kDone);
  EXPECT_THAT(filed.out, HasSubstr("machine"));
  EXPECT_THAT(read("task.yaml"), HasSubstr("name: train-resnet18\n"));
  EXPECT_EQ(sextant_run(advise_words({"--deadline", "1 ms", "--out", "none.yaml"})).code, kInfeasible);
  EXPECT_EQ(files(), (std::vector<std::string>{"task.yaml"}));
}

TEST_F(Plan, CasesKnowManyDevices) {
  write("cases.csv",
        "net,gpu,count,batch,nodes,placement,strategy,network\n"
        "resnet18,v100,8,32,2,,data,infiniband-edr\n"
        "resnet18,v100,,32,,44,data,infiniband-edr\n"
        "resnet18,v100,6,32,4,,data,infiniband-edr\n"
        "resnet18,v100,8,32,2,,tensor,infiniband-edr\n");
  const Outcome outcome = sextant_run({"predict", "--cases", "cases.csv", "--stack", "tensorflow"});
  const CsvTable table = CsvTable::parse(outcome.out, "out");
  const std::size_t predicted = table.column("predicted_s");
  EXPECT_EQ(table.number(0, predicted), table.number(1, predicted)) << "two ways to say the same";
  EXPECT_THAT(table.text(2, table.column("error")), HasSubstr("do not spread evenly"));
  EXPECT_THAT(table.text(3, table.column("error")), HasSubstr("tensor"));
}

}  // namespace
}  // namespace sextant::cli
