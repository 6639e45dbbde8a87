// sextant collective, from options to answers.
#include <gmock/gmock.h>

#include "cli_fixture.h"

namespace sextant::cli {
namespace {

using test::sextant_run;
using testing::HasSubstr;
using testing::Not;

struct CollectiveCommand : test::CliFixture {};

TEST_F(CollectiveCommand, Table) {
  const auto run = sextant_run({"collective", "--system", "a100_dgx", "--gpus", "2,8", "--nodes", "1,2",
                                "--bytes", "1MiB", "--format", "csv"});
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_EQ(std::ranges::count(run.out, '\n'), 5);
  EXPECT_THAT(run.out, HasSubstr("a100-dgx,all-reduce,8,2,1048576,"));
}

TEST_F(CollectiveCommand, AllGpusOfTheMachinesUnlessStated) {
  const auto run = sextant_run(
      {"collective", "--machine", "aws/p4d.24xlarge", "--count", "2", "--bytes", "1MB", "--format", "csv"});
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr(",16,2,1e+06,"));
}

TEST_F(CollectiveCommand, ImpossiblePairsAreToldAndLeftOut) {
  const auto run = sextant_run({"collective", "--system", "a100-dgx", "--gpus", "8,16", "--bytes", "1MB"});
  EXPECT_EQ(run.code, 0);
  EXPECT_THAT(run.err, HasSubstr("a100-dgx has 8 GPUs a node, not 16"));
  EXPECT_EQ(sextant_run({"collective", "--system", "a100-dgx", "--gpus", "16", "--bytes", "1MB"}).code, 2);
}

TEST_F(CollectiveCommand, Algorithms) {
  const auto run = sextant_run({"collective", "--link", "nvlink-3", "--network", "infiniband-hdr", "--gpus",
                                "16", "--nodes", "2", "--bytes", "64MiB", "--algorithm", "all"});
  EXPECT_EQ(run.code, 0) << run.err;
  for (const char* name : {"ring", "tree", "halving-doubling", "hierarchical"}) {
    EXPECT_THAT(run.out, HasSubstr(name));
  }
  EXPECT_THAT(run.out, Not(HasSubstr("pairwise")));
}

TEST_F(CollectiveCommand, Cases) {
  write("cases.csv",
        "id,system,collective,num_gpus,num_nodes,bytes,predicted_s\n7,a100_dgx,all_reduce,8,1,1048576,9\n"
        "8,nowhere,all_reduce,8,1,1,9\n");
  const auto run = sextant_run({"collective", "--cases", "cases.csv", "--out", "answers.csv"});
  EXPECT_EQ(run.code, 0);
  EXPECT_THAT(run.err, HasSubstr("2 rows, 1 predicted, 1 with an error; the first in row 2"));
  const std::string answers = read("answers.csv");
  EXPECT_THAT(answers, HasSubstr("id,system,collective,num_gpus,num_nodes,bytes,predicted_s,low_s,high_s,"
                                 "latency_s,transfer_s,error\n7,a100_dgx,all_reduce,8,1,1048576,"));
  EXPECT_THAT(answers, HasSubstr("8,nowhere,all_reduce,8,1,1,,,,,,"));
}

TEST_F(CollectiveCommand, OwnSystemsAndOwnModel) {
  write("mine.toml",
        "schema = 1\n[[system]]\nid = \"mine\"\ngpu = \"a40\"\ngpus = 4\nlink = \"pcie-4-x16\"\n");
  std::string rows = "system,collective,num_gpus,num_nodes,bytes,measured_ms\n";
  for (int i = 1; i < 40; ++i) {
    rows += "a100_dgx,all_reduce,8,1," + std::to_string(i * 1000000) + "," + std::to_string(0.1 + 0.02 * i) +
            "\n";
  }
  write("timed.csv", rows);
  const auto fit = sextant_run({"fit", "--method", "collective", "--data", "timed.csv", "--out", "m.json"});
  EXPECT_EQ(fit.code, 0) << fit.err;
  const auto run = sextant_run({"collective", "--system", "mine", "--systems", "mine.toml", "--model",
                                "m.json", "--gpus", "4", "--bytes", "1MB"});
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("mine"));
}

TEST_F(CollectiveCommand, BadRequests) {
  EXPECT_EQ(sextant_run({"collective"}).code, 2);
  EXPECT_EQ(sextant_run({"collective", "--system", "a100-dgx", "--op", "all-reduction"}).code, 2);
  EXPECT_EQ(sextant_run({"collective", "--system", "a100-dgx", "--bytes", "12"}).code, 2);
  EXPECT_EQ(sextant_run({"collective", "--system", "a100-dgx", "--out", "x.csv"}).code, 2);
  EXPECT_EQ(sextant_run({"collective", "--system", "a100-dgx", "--nodes", "1", "--count", "1"}).code, 2);
  EXPECT_EQ(sextant_run({"collective", "--link", "nvlink-3", "--bytes", "1MB"}).code, 2);
  EXPECT_EQ(sextant_run({"collective", "--cases", "none.csv"}).code, 2);
  write("empty.csv", "");
  EXPECT_EQ(sextant_run({"collective", "--cases", "empty.csv"}).code, 2);
  EXPECT_EQ(sextant_run({"fit", "--method", "collective", "--data", "empty.csv", "--out", "m.json"}).code, 2);
  write("bad.json", "{}");
  EXPECT_EQ(sextant_run({"collective", "--system", "a100-dgx", "--model", "bad.json"}).code, 2);
}

}  // namespace
}  // namespace sextant::cli
