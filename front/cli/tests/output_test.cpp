// Files, standard output and the terminal: what goes where, and what strangers' names cannot do there.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "cli_fixture.h"

namespace sextant::cli {
namespace {

using test::Outcome;
using test::sextant_run;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class Output : public test::CliFixture {
 protected:
  void SetUp() override {
    test::CliFixture::SetUp();
    write("runs.csv", "x,y\n1,2\n2,4.1\n3,5.9\n4,8.2\n5,9.9\n6,12.1\n7,14\n8,16.2\n9,18\n10,20.1\n");
  }
  static Outcome fit(std::vector<std::string> more) {
    std::vector<std::string> words = {"fit",        "--data", "runs.csv", "--response", "y",
                                      "--features", "x",      "--method", "ols"};
    words.insert(words.end(), more.begin(), more.end());
    return sextant_run(words);
  }
};

TEST_F(Output, ADashIsStandardOutputAndTheTableGoesBeside) {
  const Outcome model = fit({"--out", "-", "--no-provenance"});
  ASSERT_EQ(model.code, kDone) << model.err;
  EXPECT_TRUE(Json::parse(model.out).contains("schema")) << "the model alone";
  EXPECT_THAT(model.err, HasSubstr("ols"));
  EXPECT_FALSE(std::filesystem::exists("-"));
}

// An error on the rows that made the model flatters it.
TEST_F(Output, EvaluateSaysWhatTheModelHasSeen) {
  write("model.json", fit({"--out", "-"}).out);
  const std::string seen = "the model was fitted on runs.csv";
  EXPECT_THAT(sextant_run({"evaluate", "--model", "model.json", "--data", "runs.csv"}).err, HasSubstr(seen));
  const std::string rows = read("runs.csv");
  write("new.csv", rows + rows.substr(rows.find('\n') + 1));
  EXPECT_THAT(sextant_run({"evaluate", "--model", "model.json", "--data", "new.csv"}).err,
              testing::Not(HasSubstr(seen)));
}

TEST_F(Output, CasesAreATableForWhoSaysSo) {
  write("cases.csv", "net,gpu\nlenet5,t4\n");
  EXPECT_THAT(sextant_run({"predict", "--cases", "cases.csv"}).out, StartsWith("net,gpu,"));
  const std::string table = sextant_run({"predict", "--cases", "cases.csv", "--format", "table"}).out;
  EXPECT_THAT(table, testing::AllOf(HasSubstr("lenet5"), testing::Not(HasSubstr("net,gpu,"))));
}

TEST_F(Output, ADashIsStandardOutputEverywhere) {
  write("model.json", fit({"--out", "-"}).out);
  EXPECT_THAT(sextant_run({"evaluate", "--model", "model.json", "--data", "runs.csv", "--out", "-"}).out,
              HasSubstr("predicted"));
  EXPECT_THAT(sextant_run({"evaluate", "--model", "model.json", "--data", "runs.csv", "--plot", "-"}).out,
              StartsWith("<svg"));
  EXPECT_THAT(sextant_run({"trace", "generate", "philly:jobs=3", "--out", "-"}).out, HasSubstr("arrival_s"));
  EXPECT_THAT(sextant_run({"advise", "resnet18", "--samples", "1e4", "--plot", "-"}).out,
              Not(HasSubstr("machine  ")));
  const std::vector<std::string> simulate = {"simulate", "--generate", "philly:jobs=5", "--cluster",
                                             "v100=8"};
  for (const char* option : {"--plot", "--plot-jct", "--plot-utilization", "--jobs-out", "--timeline-out"}) {
    std::vector<std::string> words = simulate;
    words.insert(words.end(), {option, "-"});
    const Outcome outcome = sextant_run(words);
    EXPECT_EQ(outcome.code, kDone) << outcome.err;
    EXPECT_THAT(outcome.out, Not(HasSubstr("policy  "))) << option;
    EXPECT_THAT(outcome.err, HasSubstr("policy  ")) << option;
  }
  EXPECT_EQ(files(), (std::vector<std::string>{"model.json", "runs.csv"}));
}

TEST_F(Output, StandardOutputTakesOneFile) {
  const Outcome outcome = fit({"--out", "-", "--plot", "-"});
  EXPECT_EQ(outcome.code, kBadInput);
  EXPECT_THAT(outcome.err, HasSubstr("--plot: error: standard output takes one file, and --out goes there"));
}

TEST_F(Output, NamesCannotCommandATerminal) {
  const Outcome unknown = sextant_run({"predict", "\x1b[2Jresnet\nsextant: all is well", "--gpu", "t4"});
  EXPECT_THAT(unknown.err, HasSubstr("'\\x1b[2Jresnet\\nsextant: all is well'"));
  EXPECT_THAT(unknown.err, Not(HasSubstr("\x1b")));

  write("mine.toml",
        "[[link]]\nid = \"own\"\nname = \"a\\u001b[31mb\"\nkind = \"network\"\nbandwidth = \"1 GB/s\"\n"
        "latency = \"1 us\"\nsource = \"own\"\n");
  const std::vector<std::string> list = {"list", "links", "--catalog", "mine.toml"};
  const Outcome table = sextant_run(list);
  ASSERT_EQ(table.code, kDone) << table.err;
  EXPECT_THAT(table.out, HasSubstr("a\\x1b[31mb"));
  EXPECT_THAT(table.out, Not(HasSubstr("\x1b")));
  auto as_json = list;
  as_json.insert(as_json.end(), {"--json", "--no-provenance"});
  EXPECT_THAT(sextant_run(as_json).out, HasSubstr("a\\u001b[31mb"));
  auto as_csv = list;
  as_csv.insert(as_csv.end(), {"--format", "csv"});
  EXPECT_THAT(sextant_run(as_csv).out, HasSubstr("a\x1b[31mb")) << "CSV keeps what is there";
}

// A gigabyte is far more than the program holds, and far less than the jobs need.
TEST_F(Output, WithoutMemoryTheQuestionAndTheLimitAreSaid) {
  const pid_t child = fork();
  if (child == 0) {
    const rlimit limit{std::size_t{1} << 30, std::size_t{1} << 30};
    setrlimit(RLIMIT_AS, &limit);
    const Outcome outcome = sextant_run({"trace", "generate", "philly:jobs=100000000", "--out", "jobs.csv"});
    write("said", outcome.err);
    _exit(outcome.code);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(WEXITSTATUS(status), kFailed);
  const std::string said = read("said");
  EXPECT_THAT(
      said, HasSubstr("not enough memory for 'sextant trace generate philly:jobs=100000000 --out jobs.csv'"));
  EXPECT_THAT(said, HasSubstr("may take 1.00 GiB"));
  EXPECT_THAT(said, HasSubstr("\n  hint: ask for less at once"));
  EXPECT_THAT(said, Not(HasSubstr("bad_alloc")));
}

TEST_F(Output, ADatabaseThatCannotBeWrittenIsKnownBeforeTheWork) {
  const Outcome outcome = sextant_run({"records", "import", "no-such.csv", "--db", "absent/r.db"});
  EXPECT_THAT(outcome.err, HasSubstr("absent/r.db: error: its folder does not exist"));
  EXPECT_THAT(outcome.err, HasSubstr("hint: make '"));
}

}  // namespace
}  // namespace sextant::cli
