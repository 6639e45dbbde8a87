// sextant plan simulate from the command line: what is run, what is written, what is refused.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "cli_fixture.h"
#include "sextant/core/json.h"

namespace sextant::cli::test {
namespace {

using testing::HasSubstr;

// Two nodes; each job takes 100 s on the one machine type, at 3.6 USD an hour.
constexpr const char* kPlanJobs =
    "instance,nodes,job,kind,submit_s,due_s,tardiness_usd_per_s\n"
    "one,1,a,K,0,100,0.01\n"
    "one,1,b,K,10,150,0.01\n"
    "two,2,a,K,0,100,0.01\n";
constexpr const char* kPlanTimes = "kind,gpu,gpus,seconds\nK,X,1,100\n";
constexpr const char* kPlanMachines = "vm,gpu,gpus,usd_per_hour\nx,X,1,3.6\n";

class PlanSimulateCommand : public CliFixture {
 protected:
  void SetUp() override {
    CliFixture::SetUp();
    write("jobs.csv", kPlanJobs);
    write("times.csv", kPlanTimes);
    write("machines.csv", kPlanMachines);
  }
  static Outcome plan(std::vector<std::string> arguments) {
    const std::vector<std::string> tables = {"plan",    "simulate",  "--jobs",     "jobs.csv",
                                             "--times", "times.csv", "--machines", "machines.csv"};
    arguments.insert(arguments.begin(), tables.begin(), tables.end());
    return sextant_run(arguments);
  }
  static Json result_of(std::vector<std::string> arguments) {
    arguments.push_back("--json");
    const Outcome outcome = plan(arguments);
    EXPECT_EQ(outcome.code, kDone) << outcome.err;
    return Json::parse(outcome.out);
  }
  static void expect_refused(const std::vector<std::string>& arguments, const std::string& says) {
    const Outcome outcome = plan(arguments);
    EXPECT_EQ(outcome.code, kBadInput) << testing::PrintToString(arguments);
    EXPECT_THAT(outcome.err, HasSubstr(says));
  }
};

// Instance one: two jobs of 0.1 USD each, the second 50 s late at 0.01 USD/s.
TEST_F(PlanSimulateCommand, ARowForEachInstanceAndMethod) {
  const Json runs = result_of({"--method", "fifo,edf", "--rules", "andreas"}).at("runs");
  ASSERT_EQ(runs.size(), 4U);
  EXPECT_EQ(runs[0]["instance"], "one");
  EXPECT_EQ(runs[0]["method"], "fifo");  // as it was called, though the rules bring their own
  EXPECT_NEAR(runs[0]["total_usd"].get<double>(), 0.7, 1e-9);
  EXPECT_NEAR(runs[0]["vm_usd"].get<double>(), 0.2, 1e-9);
  EXPECT_NEAR(runs[0]["tardiness_usd"].get<double>(), 0.5, 1e-9);
  EXPECT_EQ(runs[0]["jobs"], 2);
  EXPECT_EQ(runs[0]["late"], 1);
  EXPECT_EQ(runs[0]["met"], 0.5);
  EXPECT_GE(runs[0]["solve_s"].get<double>(), 0);
  EXPECT_EQ(runs[3]["instance"], "two");
}

TEST_F(PlanSimulateCommand, SaysWhichMethodIsBest) {
  const Outcome outcome = plan({"--method", "fifo,edf", "--error", "0.2", "--seeds", "4"});
  EXPECT_EQ(outcome.code, kDone) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("costs the least"));
}

TEST_F(PlanSimulateCommand, IsTheSameOnAnyNumberOfThreads) {
  const std::vector<std::string> command = {"--method", "fifo,edf", "--error",        "0.3",
                                            "--seeds",  "3",        "--no-provenance"};
  std::vector<std::string> alone = command;
  alone.insert(alone.end(), {"--threads", "1"});
  EXPECT_EQ(plan(command).out, plan(alone).out);
}

TEST_F(PlanSimulateCommand, TakesInstancesByName) {
  EXPECT_EQ(result_of({"--method", "fifo", "--instance", "two"}).at("runs").size(), 1U);
  expect_refused({"--method", "fifo", "--instance", "twoo"}, "did you mean 'two'?");
}

TEST_F(PlanSimulateCommand, DrawsPictures) {
  EXPECT_EQ(plan({"--method", "fifo,edf", "--plot", "spent.svg", "--plot-nodes", "nodes.svg"}).code, kDone);
  EXPECT_THAT(read("spent.svg"), HasSubstr("what was spent on one"));
  EXPECT_THAT(read("nodes.svg"), HasSubstr("node 0: x"));
}

TEST_F(PlanSimulateCommand, RefusesWhatContradictsItself) {
  expect_refused({"--generate", "study"}, "the jobs come from several places");
  expect_refused({"--method", "nobody"}, "unknown planning-method 'nobody'");
  expect_refused({"--rules", "andreas", "--restart", "5s"}, "--restart");
  expect_refused({"--error", "much"}, "--error");
  expect_refused({"--slot", "soon"}, "--slot");
  EXPECT_THAT(sextant_run({"plan", "simulate"}).err, HasSubstr("there are no jobs to plan for"));
  EXPECT_THAT(sextant_run({"plan", "simulate", "--trace", "t.csv"}).err, HasSubstr("--throughputs"));
}

TEST_F(PlanSimulateCommand, NamesTheCellThatIsWrong) {
  write("jobs.csv", "instance,nodes,job,kind,submit_s,due_s,tardiness_usd_per_s\none,1,a,K,50,10,0\n");
  expect_refused({"--method", "fifo"}, "jobs.csv:2:14: error: the job is due before it is submitted");
  write("jobs.csv", kPlanJobs);
  write("times.csv", "kind,gpu,gpus\nK,X,1\n");
  expect_refused({"--method", "fifo"}, "times.csv:1:1: error: there is no column 'seconds'");
  write("times.csv", "");
  expect_refused({"--method", "fifo"}, "times.csv: error: the file is empty");
  write("times.csv", "kind,gpu,gpus,seconds\nK,X,2,100\n");
  expect_refused({"--method", "fifo"}, "jobs.csv:2:9: error: kind 'K' fits on no machine type");
}

// Times of networks are predicted, machines are the catalogue's: neither table says anything of them.
TEST_F(PlanSimulateCommand, NetworksNeedNoTableOfTimes) {
  const std::string head = "instance,nodes,job,network,samples,submit_s,due_s,tardiness_usd_per_s\n";
  const std::vector<std::string> command = {"plan",    "simulate", "--jobs", "jobs.csv", "--machines",
                                            "vms.csv", "--method", "fifo",   "--error",  "stated",
                                            "--seeds", "3",        "--json"};
  write("vms.csv", "vm\naws/p3.2xlarge\naws/p3.8xlarge\n");
  write("jobs.csv", head + "one,1,a,resnet50,100000,0,9000,0.01\none,1,b,resnet50,100000,10,9000,0.01\n");
  const Outcome outcome = sextant_run(command);
  ASSERT_EQ(outcome.code, kDone) << outcome.err;
  const Json runs = Json::parse(outcome.out).at("runs");
  ASSERT_EQ(runs.size(), 3U);
  EXPECT_GT(runs[0]["vm_usd"].get<double>(), 0);
  EXPECT_NE(runs[0]["vm_usd"], runs[1]["vm_usd"]) << "times are as uncertain as their predictions";
  write("jobs.csv", head + "one,1,a,resnet5O,100000,0,9000,0.01\n");
  EXPECT_THAT(sextant_run(command).err, HasSubstr("jobs.csv:2:9: error: unknown network 'resnet5O'"));
  write("jobs.csv", "instance,nodes,job,kind,submit_s,due_s,tardiness_usd_per_s\none,1,a,K,0,10,0\n");
  EXPECT_THAT(sextant_run(command).err, HasSubstr("there is no table of --times"));
}

TEST_F(PlanSimulateCommand, RefusesWhatASlipMade) {
  write("times.csv", "kind,gpu,gpus,seconds\nK,X,1,1e300\n");
  expect_refused({"--method", "fifo"}, "jobs.csv: error: job 'a' takes more than 3,000 years\n  hint: ");
  write("times.csv", kPlanTimes);
  write("machines.csv", "vm,gpu,gpus,usd_per_hour\nx,X,1,1e308\n");
  expect_refused({"--method", "fifo"},
                 "machines.csv: error: machine 'x' costs more than 1e9 USD an hour\n  hint: ");
}

}  // namespace
}  // namespace sextant::cli::test
