#include "sextant/capacity/instance.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "capacity_support.h"

namespace sextant::capacity {
namespace {

const std::string kHead = R"([[machine]]
name = "A"
gpu = "K80"
gpus = 2
price = "1.13 USD/h"

[[node]]
count = 2

)";

Instance parsed(const std::string& text) {
  static const catalog::Catalog catalog = catalog::builtin_catalog();
  Instance instance = parse_instance(text, "jobs.toml", catalog);
  if (instance.networks.empty()) settle_options(instance);
  return instance;
}

std::string error_of(const std::string& text) {
  try {
    parsed(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

std::string job(const std::string& more) {
  return "[[job]]\nid = \"x\"\n" + more + "time = [{ machine = \"A\", gpus = 1, time = \"2 h\" }]\n";
}

TEST(InstanceFile, ReadsJobsAndNodes) {
  const Instance instance = parsed(kHead + job("due = \"3 h\"\ntardiness = \"2 USD/h\"\nnodes = [1]\n"));
  ASSERT_EQ(instance.snapshot.jobs.size(), 1U);
  const JobState& read = instance.snapshot.jobs.front();
  EXPECT_EQ(read.due, 3 * kHour);
  EXPECT_EQ(read.tardiness * kHour, Dollars{2});
  EXPECT_EQ(read.nodes, std::vector<std::int32_t>{1});
  EXPECT_EQ(instance.snapshot.nodes.size(), 2U);
  EXPECT_EQ(instance.snapshot.types.front().hour_price, Dollars{1.13});
  EXPECT_EQ(instance.snapshot.wishes.cost, NodeCost::makespan);
}

TEST(InstanceFile, MachinesOfTheCatalogue) {
  const Instance instance = parsed(
      "[[machine]]\nid = \"aws/p3.8xlarge\"\n[[node]]\n[[job]]\nid = \"x\"\nnetwork = \"resnet50\"\nsamples "
      "= 10\n");
  EXPECT_EQ(instance.snapshot.types.front().gpus, 4);
  EXPECT_GT(instance.snapshot.types.front().hour_price, Dollars{});
  ASSERT_EQ(instance.networks.size(), 1U);
  EXPECT_EQ(instance.networks.front().network.net, "resnet50");
}

TEST(InstanceFile, BoundsOfGpusDropOptions) {
  EXPECT_THAT(error_of(kHead + job("min_gpus = 2\n")),
              testing::HasSubstr("jobs.toml:10:1: error: job 'x' fits nowhere"));
}

TEST(InstanceFile, TimesFromThroughputs) {
  const std::filesystem::path folder = std::filesystem::temp_directory_path() / "sextant-throughputs";
  std::filesystem::create_directories(folder);
  // 3,600 iterations at 1, 1.8 and 3 a second; four GPUs are two whole machines; three are none.
  std::ofstream(folder / "rates.csv")
      << "gpu,model,global_batch,gpus,iterations_per_s\nK80,net,64,1,1\n"
         "k80,net,64,2,1.8\nK80,net,64,3,2\nK80,net,64,4,3\nV100,net,64,1,9\n";
  const auto written = [&](const std::string& keys, const std::string& table = "rates.csv") {
    std::ofstream(folder / "jobs.toml")
        << "throughputs = \"" + table + "\"\n" + kHead + "[[job]]\nid = \"x\"\n" + keys;
    Instance instance = read_instance((folder / "jobs.toml").string(), catalog::builtin_catalog());
    settle_options(instance);
    return instance;
  };
  const Instance instance = written("model = \"net\"\nbatch = 64\niterations = 3600\n");
  const std::vector<JobOption>& options = instance.snapshot.jobs.front().options;
  ASSERT_EQ(options.size(), 3U);
  EXPECT_EQ(options[0].time, kHour);
  EXPECT_EQ(options[1].time, kHour / 1.8);
  EXPECT_EQ(options[2].gpus, 4);
  EXPECT_EQ(options[2].time, kHour / 3);
  const auto fault = [&](const std::string& keys) {
    try {
      written(keys);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };
  EXPECT_THAT(fault("model = \"other\"\nbatch = 64\niterations = 1\n"),
              testing::HasSubstr("jobs.toml:13:9: error: nothing says how fast 'other' is with batch 64"));
  EXPECT_THAT(fault("model = \"net\"\nbatch = 64\niterations = 0\n"), testing::HasSubstr("jobs.toml:15"));
  EXPECT_THAT(error_of(kHead + "[[job]]\nid = \"x\"\nmodel = \"net\"\nbatch = 64\niterations = 1\n"),
              testing::HasSubstr("a model without a table of throughputs"));
}

TEST(InstanceFile, WhatIsWrongIsNamedWithPosition) {
  using testing::HasSubstr;
  EXPECT_THAT(error_of(kHead + job("due = \"0 s\"\n")),
              HasSubstr("jobs.toml:12:7: error: the due date of job 'x' has passed"));
  EXPECT_THAT(error_of("[[machine]]\nname = \"A\"\ngpu = \"K80\"\nprice = \"-1 USD/h\"\n"),
              HasSubstr("jobs.toml:4:9"));
  EXPECT_THAT(error_of(kHead + "[[job]]\nid = \"x\"\n"), HasSubstr("job 'x' has no times"));
  EXPECT_THAT(error_of(kHead + job("with = \"x\"\n")), HasSubstr("follows itself in a circle"));
  EXPECT_THAT(error_of(kHead + job("with = \"y\"\n")), HasSubstr("there is no job 'y'"));
  EXPECT_THAT(error_of(kHead + job("nodes = [2]\n")), HasSubstr("there is no node 2"));
  EXPECT_THAT(error_of(kHead + job("colour = 1\n")), HasSubstr("colour"));
  EXPECT_THAT(error_of(kHead + "[[job]]\nid = \"x\"\nkind = \"k\"\n"), HasSubstr("a kind without a table"));
  EXPECT_THAT(error_of(kHead), HasSubstr("there is no [[job]]"));
}

TEST(InstanceFile, DueDatesMayBeDates) {
  const Instance instance =
      parsed("now = \"2026-11-18T20:00\"\n" + kHead + job("due = \"2026-11-19T08:00\"\n"));
  EXPECT_EQ(instance.snapshot.jobs.front().due, 12 * kHour);
  EXPECT_THAT(error_of("now = \"2026-11-18\"\n" + kHead + job("due = \"2026-11-17\"\n")),
              testing::HasSubstr("jobs.toml:13:7: error: the due date of job 'x' has passed"));
  EXPECT_THAT(error_of(kHead + job("due = \"2026-11-19\"\n")),
              testing::HasSubstr("jobs.toml:12:7: error: a date, and nothing says what date it is now"));
}

TEST(InstanceFile, TableOfTimes) {
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "capacity_instance";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "times.csv")
      << "kind,gpu,gpus,seconds\nk,k80,1,7200\nk,k80,2,4000\nk,k80,4,2500\nother,k80,1,1\n";
  std::ofstream(folder / "jobs.toml")
      << "times = \"times.csv\"\n" + kHead + "[[job]]\nid = \"x\"\nkind = \"k\"\n";
  Instance instance = read_instance((folder / "jobs.toml").string(), catalog::builtin_catalog());
  settle_options(instance);
  ASSERT_EQ(instance.snapshot.jobs.front().options.size(), 2U);  // four GPUs are more than the machine has
  EXPECT_EQ(instance.snapshot.jobs.front().options.back().time, Seconds{4000});
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace sextant::capacity
