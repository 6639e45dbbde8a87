// sextant analyze from the command line: what it shows, and tables that make no sense.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "cli_fixture.h"
#include "sextant/core/json.h"
#include "sextant/study/study_store.h"
#include "shared_data.h"

namespace sextant::cli::test {
namespace {

using testing::HasSubstr;
using testing::Not;

class Analyze : public CliFixture {
 protected:
  static Outcome analyze(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "analyze");
    return sextant_run(arguments);
  }
  static void expect_bad(const std::vector<std::string>& arguments, const std::string& says) {
    const Outcome outcome = analyze(arguments);
    EXPECT_EQ(outcome.code, kBadInput) << testing::PrintToString(arguments);
    EXPECT_THAT(outcome.err, HasSubstr(says));
    EXPECT_EQ(outcome.out, "");
  }
  static void write_runs() {
    write("runs.csv",
          "machine,batch,time\nsmall,32,41.2\nsmall,32,43.1\nsmall,64,38.5\nsmall,64,37.9\nsmall,64,39.6\n"
          "medium,32,30.3\nmedium,32,31.9\nmedium,32,29.8\nmedium,64,22.4\nmedium,64,23.5\n"
          "large,32,25.1\nlarge,64,14.2\nlarge,64,15.9\nlarge,64,13.8\n");
  }
};

TEST_F(Analyze, ShowsWhatExplainsTheResponse) {
  write_runs();
  const Outcome outcome = analyze({"runs.csv", "--response", "time"});
  EXPECT_EQ(outcome.code, kDone) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("What explains time"));
  EXPECT_THAT(outcome.out, HasSubstr("machine x batch"));
  EXPECT_THAT(outcome.out, HasSubstr("Sums of squares of type II"));
  EXPECT_THAT(outcome.out, Not(HasSubstr("significant")));
}

TEST_F(Analyze, JsonIsTheSameAgain) {
  write_runs();
  const std::vector<std::string> arguments = {"runs.csv", "--response",      "time",  "--scaling",
                                              "batch",    "--no-provenance", "--json"};
  const Outcome once = analyze(arguments);
  EXPECT_EQ(once.code, kDone) << once.err;
  EXPECT_EQ(once.out, analyze(arguments).out);
  const Json json = Json::parse(once.out);
  EXPECT_EQ(json["schema"], "sextant.analysis/2");
  EXPECT_NEAR(json["anova"][0]["ss"].get<double>(), 1106.9116984127, 1e-8);  // R, car::Anova
}

TEST_F(Analyze, SectionsAndFormats) {
  write_runs();
  const Outcome csv = analyze({"runs.csv", "--response", "time", "--format", "csv"});
  EXPECT_TRUE(csv.out.starts_with("term,ss,df,f,p,")) << csv.out;
  const Outcome pairs = analyze({"runs.csv", "--response", "time", "--show", "pairs", "--format", "csv"});
  EXPECT_TRUE(pairs.out.starts_with("factor,a,b,")) << pairs.out;
  expect_bad({"runs.csv", "--response", "time", "--show", "pears"}, "pairs");
}

TEST_F(Analyze, WritesPictures) {
  write_runs();
  EXPECT_EQ(analyze({"runs.csv", "--response", "time", "--plot-all", "pictures"}).code, kDone);
  for (const char* name : {"main-effects", "interactions", "residuals", "pareto"}) {
    EXPECT_TRUE(std::filesystem::exists("pictures/" + std::string(name) + ".svg")) << name;
  }
  expect_bad({"runs.csv", "--response", "time", "--plot-all", "no/such/folder"}, "cannot be made");
}

// A store with one study: batch 1, 2 and 4 on two machines, twice each, one of which timed out.
void write_study(const std::string& path, const std::string& text) {
  const auto store = study::open_study_store(path);
  store->open_study({"speed", text, "speed"});
  for (int i = 0; i < 12; ++i) {
    const int batch = 1 << (i % 3);
    study::StoredTrial next;
    next.levels = {std::to_string(batch), i / 3 % 2 == 0 ? "a" : "b"};
    study::StoredTrial trial = store
                                   ->claim("me",
                                           [&](const std::vector<study::StoredTrial>& all) {
                                             next.number = static_cast<std::int64_t>(all.size()) + 1;
                                             return std::optional<study::StoredTrial>(next);
                                           })
                                   .value();
    trial.outcome.state = i == 11 ? explore::TrialState::timed_out : explore::TrialState::completed;
    if (i < 11) trial.outcome.metrics["rate"] = 100 * batch + (i / 3 % 2 == 0 ? 0 : 40) + i / 6;
    EXPECT_TRUE(store->finish(trial));
  }
}

TEST_F(Analyze, TrialsOfAStudy) {
  const std::string text =
      "name = \"speed\"\nstrategy = \"random\"\n[[factor]]\nname = \"batch\"\nlow = 1\nhigh = 8\n[[factor]]\n"
      "name = \"machine\"\nlevels = [\"a\", \"b\"]\n[[objective]]\nmetric = \"rate\"\ngoal = \"maximise\"\n"
      "[budget]\ntrials = 12\n[evaluator]\nkind = \"command\"\nrun = \"true\"\n";
  write_study("speed.sqlite", text);
  const Outcome outcome = analyze({"speed.sqlite", "--plain", "--json", "--no-provenance"});
  ASSERT_EQ(outcome.code, kDone) << outcome.err;
  const Json json = Json::parse(outcome.out);
  EXPECT_EQ(json["response"], "rate");  // the first objective
  EXPECT_EQ(json["rows"], 11);
  EXPECT_EQ(json["censored"], 1);
  EXPECT_EQ(json["factors"].size(), 2U);
  EXPECT_EQ(json["importance"][0]["factor"], "batch");
  write("speed.toml", text);
  EXPECT_EQ(analyze({"speed.toml", "--plain", "--json", "--no-provenance"}).out, outcome.out);
  expect_bad({"speed.sqlite", "--name", "sped"}, "--name: error: there is no study 'sped'");
  expect_bad({"speed.sqlite", "--study", "sped"}, "speed");
  expect_bad({"speed.sqlite", "--response", "loss"}, "loss");
}

TEST_F(Analyze, TablesThatMakeNoSense) {
  write_runs();
  write("empty.csv", "");
  write("header.csv", "a,y\n");
  write("one.csv", "a,y\nu,1\n");
  write("constant.csv", "a,y\nu,1\nv,1\nu,1\n");
  write("level.csv", "a,y\nu,1\nu,2\nu,3\n");
  write("text.csv", "a,y\nu,1\nv,fast\nu,3\n");
  write("nan.csv", "a,y\nu,nan\nv,nan\nu,nan\n");
  write("huge.csv", "a,y\nu,1e300\nv,2e300\nu,3\n");
  expect_bad({"empty.csv", "--response", "y"}, "empty.csv");
  expect_bad({"header.csv", "--response", "y"}, "no rows");
  expect_bad({"one.csv", "--response", "y"}, "only 1 complete row");
  expect_bad({"constant.csv", "--response", "y"}, "never changes");
  expect_bad({"level.csv", "--response", "y"}, "no column can be a factor");
  expect_bad({"text.csv", "--response", "y"}, "text.csv:3:3");
  expect_bad({"nan.csv", "--response", "y"}, "nan.csv:2:3");
  expect_bad({"huge.csv", "--response", "y"}, "above 1e150");
  expect_bad({"runs.csv", "--response", "tim"}, "time");
  expect_bad({"runs.csv"}, "--response");
  expect_bad({"runs.csv", "--response", "time", "--study", "s"}, "keeps no study");
  expect_bad({"runs.csv", "--response", "time", "--factors", "machin"}, "machine");
  expect_bad({"runs.csv", "--response", "time", "--detect", "-5%"}, "share of the mean");
  expect_bad({"runs.csv", "--response", "time", "--censored", "machine"}, "COLUMN=VALUE");
  expect_bad({"runs.csv", "--response", "time", "--scaling", "machine"}, "not a number");
}

TEST_F(Analyze, RecordedWorkloads) {
  SEXTANT_NEEDS_DATA(path, "cloud-config/scout_multi_node.csv");
  const Outcome outcome =
      analyze({path, "--response", "cost_usd", "--factors", "vm_type,vm_count", "--group", "case",
               "--censored", "completed=0", "--log", "--json", "--no-provenance"});
  ASSERT_EQ(outcome.code, kDone) << outcome.err;
  const Json json = Json::parse(outcome.out);
  EXPECT_EQ(json["rows"].get<int>() + json["censored"].get<int>(), 13 * 69);
  EXPECT_EQ(json["transfer"].size(), 13U * 12U);
  for (const Json& row : json["transfer"]) {
    EXPECT_GE(row["regret"].is_number() ? row["regret"].get<double>() : 0.0, 0);  // null: failed
  }
}

}  // namespace
}  // namespace sextant::cli::test
