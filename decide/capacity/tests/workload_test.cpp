#include <gtest/gtest.h>

#include <optional>

#include "error_of.h"
#include "sextant/capacity/catalogue_machine.h"
#include "sextant/capacity/workload_draws.h"
#include "sextant/capacity/workload_files.h"

namespace sextant::capacity {
namespace {

using sextant::test::error_of;

constexpr const char* kJobs =
    "instance,nodes,job,kind,submit_s,due_s,tardiness_usd_per_s\n"
    "one,2,b,K1,10,200,0.5\n"
    "one,2,a,K1,0,100,0.25\n"
    "two,3,a,K1,0,100,0.25\n";
constexpr const char* kTimes =
    "kind,gpu,gpus,seconds\n"
    "K1,X,1,100\n"
    "K1,X,2,60\n"
    "K1,Y,1,50\n";
constexpr const char* kMachines =
    "vm,gpu,gpus,usd_per_hour\n"
    "x1,X,1,0.5\n"
    "x2,X,2,1\n"
    "z1,Z,1,9\n";

// Every network takes as many seconds as its batch has samples, on all GPUs of each machine.
std::vector<JobOption> batch_seconds(const TrainedNetwork& network, const std::vector<MachineType>& types) {
  std::vector<JobOption> options;
  for (std::size_t t = 0; t < types.size(); ++t) {
    options.push_back({.type = static_cast<std::int32_t>(t),
                       .gpus = types[t].gpus,
                       .time = Seconds{static_cast<double>(network.batch)},
                       .spread = 0.1});
  }
  return options;
}

std::vector<Workload> read_tables(const std::string& jobs, const std::string& times,
                                  const std::string& machines) {
  const CsvTable job_table = CsvTable::parse(jobs, "jobs.csv");
  std::optional<CsvTable> time_table;
  if (!times.empty()) time_table = CsvTable::parse(times, "times.csv");
  const CsvTable machine_table = CsvTable::parse(machines, "machines.csv");
  static const catalog::Catalog catalog = catalog::builtin_catalog();
  return workloads_of({.jobs = job_table,
                       .times = time_table ? &*time_table : nullptr,
                       .machines = machine_table,
                       .catalog = catalog,
                       .network_times = batch_seconds});
}

std::string fault_in(const std::string& jobs, const std::string& times = kTimes,
                     const std::string& machines = kMachines) {
  return error_of([&] { read_tables(jobs, times, machines); });
}

TEST(WorkloadTables, AreInstancesWithOptions) {
  const std::vector<Workload> workloads = read_tables(kJobs, kTimes, kMachines);
  ASSERT_EQ(workloads.size(), 2U);
  EXPECT_EQ(workloads[0].name, "one");
  EXPECT_EQ(workloads[0].nodes.size(), 2U);
  ASSERT_EQ(workloads[0].jobs.size(), 2U);
  EXPECT_EQ(workloads[0].jobs[0].id, "a");  // by time of submission
  const std::vector<JobOption>& options = workloads[0].jobs[0].options;
  ASSERT_EQ(options.size(), 3U);  // one GPU of x1, one and two of x2; none of Y and Z
  EXPECT_EQ(options[1].type, 1);
  EXPECT_EQ(options[2].gpus, 2);
  EXPECT_EQ(options[2].time, Seconds{60});
  EXPECT_EQ(workloads[1].nodes.size(), 3U);
}

TEST(WorkloadTables, JobsMayBeNetworks) {
  const std::string head =
      "instance,nodes,job,kind,network,samples,batch,submit_s,due_s,tardiness_usd_per_s,max_gpus\n";
  const std::vector<Workload> workloads =
      read_tables(head + "i,1,a,,net,1000,64,0,10,0,\ni,1,b,K1,,,,1,10,0,1\n", kTimes, kMachines);
  const std::vector<JobOption>& options = workloads[0].jobs[0].options;
  ASSERT_EQ(options.size(), 3U);
  EXPECT_EQ(options[1].gpus, 2);
  EXPECT_EQ(options[1].time, Seconds{64});
  EXPECT_EQ(options[1].spread, 0.1);
  EXPECT_EQ(workloads[0].jobs[1].options.size(), 2U) << "of a kind, on one GPU at most";
  EXPECT_EQ(fault_in(head + "i,1,a,K1,net,1000,64,0,10,0,\n"),
            "jobs.csv:2:10: error: the job has a kind and a network\n  hint: times come from one of them: "
            "leave the other empty");
  EXPECT_EQ(fault_in(head + "i,1,a,,net,0,64,0,10,0,\n"),
            "jobs.csv:2:12: error: a job has at least one sample");
  EXPECT_EQ(
      fault_in(head + "i,1,a,K1,,,,0,10,0,1\n", ""),
      "jobs.csv:2:7: error: nothing says how long kind 'K1' takes\n  hint: there is no table of `times`");
  EXPECT_EQ(fault_in(head + "i,1,a,K1,,,,0,10,0,0\n"), "jobs.csv:2:20: error: 0 is not in 1 to 100000");
}

TEST(WorkloadTables, MachinesMayBeOfTheCatalogue) {
  const std::string job =
      "instance,nodes,job,network,samples,submit_s,due_s,tardiness_usd_per_s\ni,1,a,n,1,0,9,0\n";
  const std::vector<MachineType> types =
      read_tables(job, "", "vm,usd_per_hour,idle_w\naws/p3.8xlarge,,\naws/p3.2xlarge,1,50\n")[0].types;
  EXPECT_EQ(types[0].gpus, 4);
  EXPECT_GT(types[0].hour_price, Dollars{1});
  EXPECT_GT(types[0].idle, Watts{0});
  EXPECT_GT(types[0].busy, types[0].idle / 4) << "a GPU at work draws more than an idle one";
  EXPECT_EQ(types[1].hour_price, Dollars{1});
  EXPECT_EQ(types[1].idle, Watts{50});
  EXPECT_EQ(fault_in(job, "", "vm,gpu,gpus,usd_per_hour\nmine,V100,1,\n"),
            "machines.csv:2:13: error: the cell is empty\n  hint: the catalogue would say it, but has no "
            "machine 'mine'");
  EXPECT_EQ(fault_in(job, "", "vm,gpu,gpus\nmine,V100,1\n"),
            "machines.csv:1:1: error: there is no column 'usd_per_hour'\n  hint: one of: vm, gpu, gpus");
}

TEST(CatalogueMachines, MayStateTheirPower) {
  const std::vector<catalog::CatalogFile> files = {
      {.path = "own.toml",
       .text =
           "schema = 1\ncloud = \"lab\"\nsource = \"measured\"\ndate = \"2026-11-18\"\n"
           "[[machine]]\nname = \"box\"\ngpu = \"v100\"\ngpus = 4\nidle = \"300 W\"\nbusy = \"240 W\"\n"}};
  const catalog::Catalog own = overlay(catalog::builtin_catalog(), files);
  const MachineType type = catalogue_machine(own.machines.get("lab/box"), own);
  EXPECT_EQ(type.idle, Watts{300});
  EXPECT_EQ(type.busy, Watts{240});
  EXPECT_FALSE(catalogue_price(own.machines.get("lab/box")));
}

TEST(WorkloadTables, JobsMayBeBoundToNodes) {
  const std::string head = "instance,nodes,job,kind,submit_s,due_s,tardiness_usd_per_s,only_nodes\n";
  const std::vector<Workload> workloads =
      read_tables(head + "i,3,a,K1,0,10,0,0 2\ni,3,b,K1,1,10,0,\n", kTimes, kMachines);
  EXPECT_EQ(workloads[0].jobs[0].nodes, (std::vector<std::int32_t>{0, 2}));
  EXPECT_TRUE(workloads[0].jobs[1].nodes.empty());
  EXPECT_EQ(fault_in(head + "i,3,a,K1,0,10,0,3\n"),
            "jobs.csv:2:17: error: there is no node '3'\n  hint: nodes count from 0 to 2");
}

TEST(WorkloadTables, NameWhatCannotBe) {
  const std::string head = "instance,nodes,job,kind,submit_s,due_s,tardiness_usd_per_s\n";
  EXPECT_EQ(fault_in(head + "i,1,a,K2,0,1,0\n"),
            "jobs.csv:2:7: error: nothing says how long kind 'K2' takes\n  hint: its times are missing in "
            "times.csv");
  EXPECT_EQ(fault_in(head + "i,1,a,K1,10,5,0\n"),
            "jobs.csv:2:13: error: the job is due before it is submitted");
  EXPECT_EQ(fault_in(head + "i,0,a,K1,0,5,0\n"), "jobs.csv:2:3: error: 0 is not in 1 to 100000");
  EXPECT_EQ(fault_in(head + "i,1,a,K1,0,5,-1\n"), "jobs.csv:2:14: error: -1 is negative");
  EXPECT_EQ(fault_in(head + "i,1,a,K1,0,5,0\ni,1,a,K1,0,5,0\n"),
            "jobs.csv:3:5: error: job 'a' is there twice");
  EXPECT_EQ(fault_in(head + "i,1,a,K1,0,5,0\ni,2,b,K1,0,5,0\n"),
            "jobs.csv:3:3: error: instance 'i' had 1 nodes before");
  EXPECT_EQ(fault_in(head), "jobs.csv: error: there is no job");
  EXPECT_EQ(fault_in(kJobs, "kind,gpu,gpus,seconds\nK1,X,1,0\n"), "times.csv:2:8: error: 0 is not positive");
  EXPECT_EQ(fault_in(kJobs, kTimes, "vm,gpu,gpus,usd_per_hour\nx,X,1,-2\n"),
            "machines.csv:2:7: error: -2 is negative");
  EXPECT_EQ(fault_in(kJobs, kTimes, "vm,gpu,gpus,usd_per_hour\nz,Z,1,2\n"),
            "jobs.csv:2:9: error: kind 'K1' fits on no machine type\n"
            "  hint: its times are of GPUs that no machine has");
}

constexpr const char* kTrace =
    "job,submit_s,iterations,model,deadline_s,batch,gpus,duration_s\n"
    "0,5,1000,net,105,64,1,9\n";
constexpr const char* kRates =
    "gpu,model,global_batch,gpus,iterations_per_s\n"
    "A100,net,64,1,10\n"
    "A100,net,64,2,0\n"
    "A100,net,64,4,25\n"
    "A100,net,64,16,40\n"
    "A100,net,64,32,50\n"
    "A100,net,128,8,50\n";

clusters::Cluster owned(std::int64_t gpus, std::int64_t per_node) {
  return {.name = "c", .pools = {{.type = "a100", .gpus = gpus, .per_node = per_node}}};
}

Workload read_deadlines(const std::string& trace, const std::string& rates,
                        const clusters::Cluster& cluster) {
  const CsvTable trace_table = CsvTable::parse(trace, "trace.csv");
  const CsvTable rate_table = CsvTable::parse(rates, "rates.csv");
  return deadline_workload({.trace = trace_table, .throughputs = rate_table}, cluster);
}

// 1,000 iterations at 10, 25 and 40 a second; two GPUs do not run it, and 32 are not there.
TEST(DeadlineTraces, AreJobsOnOwnedNodes) {
  const Workload workload = read_deadlines(kTrace, kRates, owned(16, 8));
  ASSERT_EQ(workload.nodes.size(), 2U);
  EXPECT_EQ(workload.nodes[1].only, 0);
  const std::vector<JobOption>& options = workload.jobs[0].options;
  ASSERT_EQ(options.size(), 3U);
  EXPECT_EQ(options[0].time, Seconds{100});
  EXPECT_EQ(options[1].gpus, 4);
  EXPECT_EQ(options[2].time, Seconds{25});
  EXPECT_EQ(workload.jobs[0].due, Seconds{105});
}

// Twelve GPUs in nodes of eight: a node of eight and one of four.
TEST(DeadlineTraces, TheLastNodeMayBeSmaller) {
  const Workload workload = read_deadlines(kTrace, kRates, owned(12, 8));
  ASSERT_EQ(workload.types.size(), 2U);
  EXPECT_EQ(workload.types[1].gpus, 4);
  EXPECT_EQ(workload.nodes[1].only, 1);
}

TEST(DeadlineTraces, NameWhatCannotBe) {
  const auto fault = [](const std::string& trace, const std::string& rates) {
    return error_of([&] { read_deadlines(trace, rates, owned(8, 8)); });
  };
  const std::string head = "job,submit_s,iterations,model,deadline_s,batch\n";
  EXPECT_EQ(fault(head + "0,5,1000,other,105,64\n", kRates),
            "trace.csv:2:10: error: nothing says how fast 'other' is with batch 64 on these GPUs\n"
            "  hint: throughputs are in rates.csv");
  EXPECT_EQ(fault(head + "0,5,1000,net,4,64\n", kRates),
            "trace.csv:2:14: error: the deadline is before the submission");
  EXPECT_EQ(fault(head + "0,5,0,net,9,64\n", kRates), "trace.csv:2:5: error: 0 is not positive");
  EXPECT_EQ(fault(kTrace, "gpu,model,global_batch,gpus,iterations_per_s\nA100,net,64,1,-1\n"),
            "rates.csv:2:15: error: -1 is negative");
}

TEST(WorkloadDraws, AreTheSettingsOfTheStudy) {
  const WorkloadDraws draws = parse_workload_draws("study:nodes=4:gap=45s:instances=2");
  const std::vector<Workload> workloads = draw_workloads(draws, 7);
  ASSERT_EQ(workloads.size(), 2U);
  EXPECT_EQ(workloads[0].name, "4-45s-1");
  EXPECT_EQ(workloads[0].jobs.size(), 40U);  // ten for each node
  EXPECT_NE(workloads[0].jobs[1].submit, workloads[1].jobs[1].submit);
  EXPECT_EQ(draw_workloads(draws, 7)[1].jobs[39].due, workloads[1].jobs[39].due);
  for (const WorkloadJob& job : workloads[0].jobs) {
    EXPECT_GT(job.due, job.submit);
    EXPECT_GT(job.tardiness.value, 0);
  }
  EXPECT_NE(error_of([] { parse_workload_draws("other"); }), "no error");
}

// The mean of 10,000 exponential gaps is within 5 of its standard errors, 1 % each.
// Of a load of a half, the jobs' work on slow GPUs is half of what four GPUs on each node do while they come.
TEST(WorkloadDraws, MixedHaveTheStatedLoad) {
  const std::vector<Workload> workloads =
      draw_workloads(parse_workload_draws("mixed:nodes=2:load=0.5:jobs=20000:instances=1"), 3);
  double work = 0;
  for (const WorkloadJob& job : workloads[0].jobs) work += job.options.front().time.value;
  EXPECT_NEAR(work / (8 * workloads[0].jobs.back().submit.value), 0.5, 0.02);
  EXPECT_GT(workloads[0].jobs.front().options.front().spread, 0);
}

TEST(WorkloadDraws, ArriveWithTheStatedGap) {
  const std::vector<Workload> drawn =
      draw_workloads({.nodes = 1, .jobs = 10'001, .gap = Seconds{30}, .instances = 1}, 1);
  EXPECT_NEAR(drawn[0].jobs.back().submit.value / 10'000, 30, 30 * 0.05);
}

}  // namespace
}  // namespace sextant::capacity
