// SkyPilot's vms.csv: any column order, merged rows, unknown accelerators, GPUs priced alone.
#include "skypilot.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ostream>

#include "sextant/catalog/catalog.h"
#include "shipped.h"

namespace sextant::catalog {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Catalog import(const std::string& csv, const std::string& path = "catalogs/v7/acme/vms.csv") {
  const CatalogFile file{path, csv};
  return overlay(builtin(), std::span(&file, 1));
}

const std::string kHeader =
    "InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,GpuInfo,Price,SpotPrice,Region,"
    "AvailabilityZone\n";

TEST(Skypilot, MergesZonesAndRegions) {
  const auto catalog = import(kHeader +
                              "big_8,T4,8.0,64,256,,10,4,east,a\n"
                              "big_8,T4,8.0,64,256,,10,3,east,b\n"
                              "big_8,T4,8.0,64,256,,9,,east,c\n"
                              "big_8,T4,8.0,64,256,,12,,west,a\n");
  const Machine& machine = catalog.machines.get("big_8");
  EXPECT_EQ(machine.id, "acme/big-8");
  EXPECT_EQ(machine.name, "big_8");
  EXPECT_EQ(machine.gpu, "t4");
  EXPECT_EQ(machine.gpu_count, 8);
  EXPECT_EQ(machine.vcpus, 64);
  EXPECT_DOUBLE_EQ(machine.memory.value, 256 * 0x1p30);
  EXPECT_EQ(machine.gpu_link, "pcie-3-x16") << "the T4's own";
  ASSERT_EQ(machine.prices.size(), 2U);
  EXPECT_EQ(machine.prices[0].on_demand, per_hour(9));
  EXPECT_EQ(machine.prices[0].spot, per_hour(3));
  EXPECT_EQ(machine.prices[1].region, "west");
  EXPECT_EQ(machine.prices[1].spot, std::nullopt);
  EXPECT_TRUE(catalog.warnings.empty());
}

TEST(Skypilot, TakesColumnsInAnyOrderAndIgnoresOthers) {
  const auto catalog = import("Generation,Region,Price,InstanceType,vCPUs\n\"V1,V2\",east,1.5,small,2\n");
  const Machine& machine = catalog.machines.get("acme/small");
  EXPECT_EQ(machine.vcpus, 2);
  EXPECT_EQ(find_price(machine, "east")->on_demand, per_hour(1.5));
}

TEST(Skypilot, EmptyNumbersAreNotStated) {
  const auto catalog = import(kHeader + "odd,T4,,,,,,,east,\n");
  const Machine& machine = catalog.machines.get("odd");
  EXPECT_EQ(machine.gpu_count, 1);
  EXPECT_EQ(machine.vcpus, 0);
  EXPECT_EQ(machine.memory, Bytes{0});
  EXPECT_TRUE(machine.prices.empty());
}

TEST(Skypilot, CpuOnlyRowsAreMachinesWithoutGpu) {
  const auto catalog = import(kHeader + "cpu_4x,,,4,16,,0.2,,east,\n");
  const Machine& machine = catalog.machines.get("cpu_4x");
  EXPECT_TRUE(machine.gpu.empty());
  EXPECT_EQ(machine.gpu_count, 0);
}

TEST(Skypilot, UnknownAcceleratorsAreKeptAndReported) {
  const auto catalog = import(
      kHeader +
      "n1,Virtex (VU47P),2,8,32,\"{'Gpus': [{'Name': 'x', 'MemoryInfo': {'SizeInMiB': 8192}}]}\",1,,east,\n"
      "n2,Gaudi,8,8,32,not a dictionary,1,,east,\n");
  EXPECT_FALSE(catalog.machines.get("n1").gpu_known);
  EXPECT_EQ(catalog.machines.get("n1").gpu, "Virtex (VU47P)");
  EXPECT_EQ(catalog.machines.get("n1").gpu_memory, Bytes{8192 * 0x1p20});
  EXPECT_EQ(catalog.machines.get("n2").gpu_memory, std::nullopt);
  EXPECT_THAT(catalog.warnings, ElementsAre(HasSubstr("Gaudi, Virtex (VU47P)")));
}

TEST(Skypilot, MemoryTellsVariantsApart) {
  const std::string info =
      "\"{'Gpus': [{'MemoryInfo': {'SizeInMiB': 32768}}], 'TotalGpuMemoryInMiB': 32768}\"";
  const auto catalog =
      import(kHeader + "m,V100,1,8,32," + info + ",1,,east,\n" + "k,T4,1,8,32," + info + ",1,,east,\n");
  EXPECT_EQ(catalog.machines.get("m").gpu, "v100-sxm2-32gb");
  EXPECT_EQ(catalog.machines.get("k").gpu, "t4") << "there is no T4-32GB";
}

TEST(Skypilot, AKnownMachineKeepsItsHardwareAndGetsThePrices) {
  const auto catalog = import(kHeader + "gpu_1x_h100_pcie,H100,1,26,200,,9.99,,mars,\n", "x/lambda/vms.csv");
  const Machine& machine = catalog.machines.get("gpu_1x_h100_pcie");
  EXPECT_EQ(machine.gpu, "h100-pcie-80gb") << "SkyPilot says only H100";
  ASSERT_EQ(machine.prices.size(), 1U);
  EXPECT_EQ(machine.prices[0].region, "mars");
  EXPECT_THAT(machine.source, HasSubstr("x/lambda/vms.csv"));
}

// As in Google's file: the host without GPUs, and the GPUs without host.
TEST(Skypilot, AddsGpusPricedAloneToTheirHost) {
  const auto catalog = import(kHeader +
                                  "a2-highgpu-8g,,,96,680,,5.9,2.4,us-central1,a\n"
                                  "a2-highgpu-8g,,,96,680,,7,3,asia-south1,a\n"
                                  ",A100,8,,,A100,23.5,13.5,us-central1,a\n"
                                  "a3-megagpu-8g,,,208,1872,,9.5,2,us-central1,a\n"
                                  ",H100,8,,,H100,78,47,us-central1,a\n"
                                  ",H100-MEGA,8,,,H100,82,49,us-central1,a\n",
                              "catalogs/v8/gcp/vms.csv");
  const Machine& machine = catalog.machines.get("a2-highgpu-8g");
  ASSERT_EQ(machine.prices.size(), 1U) << "no A100 are sold in asia-south1";
  EXPECT_NEAR(machine.prices[0].on_demand->value * 3600, 5.9 + 23.5, 1e-9);
  EXPECT_NEAR(machine.prices[0].spot->value * 3600, 2.4 + 13.5, 1e-9);
  EXPECT_NEAR(lowest_on_demand(catalog.machines.get("a3-megagpu-8g"))->value * 3600, 9.5 + 82, 1e-9);
  const Machine& alone = catalog.machines.get("gcp/8xa100");
  EXPECT_TRUE(alone.accelerator_only);
  EXPECT_EQ(alone.gpu, "a100-sxm4-40gb");
  EXPECT_FALSE(machine.accelerator_only);
}

TEST(Skypilot, KeepsTheOldPriceWhereGpusOfAHostHaveNone) {
  const auto catalog = import(kHeader + "a2-highgpu-8g,,,96,680,,5.9,2.4,us-central1,a\n", "gcp.csv");
  EXPECT_EQ(lowest_on_demand(catalog.machines.get("a2-highgpu-8g")),
            lowest_on_demand(builtin().machines.get("a2-highgpu-8g")));
  EXPECT_THAT(catalog.warnings, ElementsAre(HasSubstr("gcp/a2-highgpu-8g")));
}

TEST(Skypilot, OneInstanceTypeWithTwoAccelerators) {
  const auto catalog =
      import(kHeader + "vm,T4,1,4,16,,1,,east,\nvm,L4,2,4,16,,2,,east,\nvm,L4,2,4,16,,3,,west,\n");
  EXPECT_EQ(catalog.machines.get("acme/vm").gpu, "t4");
  EXPECT_EQ(catalog.machines.get("acme/vm-2xl4").gpu, "l4");
  EXPECT_EQ(catalog.machines.get("acme/vm-2xl4").prices.size(), 2U);
}

TEST(Skypilot, KnowsTheUsersGpusWhateverTheOrderOfFiles) {
  const std::vector<CatalogFile> files = {{"acme/vms.csv", kHeader + "vm,NewChip,1,4,16,,1,,east,\n"},
                                          {"mine.toml",
                                           "[[gpu]]\nid = \"newchip\"\nfp32 = \"1 TFLOP/s\"\nmemory = \"1 "
                                           "GiB\"\nmemory_bandwidth = \"1 GB/s\"\n"}};
  const auto catalog = overlay(builtin(), files);
  EXPECT_EQ(catalog.machines.get("vm").gpu, "newchip");
  EXPECT_TRUE(catalog.warnings.empty());
}

TEST(Skypilot, TheCloudIsInThePath) {
  EXPECT_EQ(cloud_of_path("/home/me/.sky/catalogs/v7/aws/vms.csv", builtin()), "aws");
  EXPECT_EQ(cloud_of_path("catalogs/v3/azure.csv", builtin()), "azure");
  EXPECT_EQ(cloud_of_path("runpod/vms.csv", builtin()), "runpod");
  EXPECT_EQ(cloud_of_path("lambda/prices.csv", builtin()), "lambda");
  EXPECT_EQ(cloud_of_path("vms.csv", builtin()), "skypilot");
  EXPECT_EQ(cloud_of_path("./vms.csv", builtin()), "skypilot");
  EXPECT_EQ(cloud_of_path("data/prices.csv", builtin()), "skypilot");
}

struct BadRow {
  std::string name, csv;
  int line, column;
  std::string message;
};

void PrintTo(const BadRow& bad, std::ostream* out) {
  *out << bad.name;
}

class BadSkypilot : public testing::TestWithParam<BadRow> {};

TEST_P(BadSkypilot, IsRefusedAtItsPlace) {
  try {
    (void)import(GetParam().csv);
    FAIL() << "accepted";
  } catch (const InputError& error) {
    EXPECT_EQ(error.where().file, "catalogs/v7/acme/vms.csv");
    EXPECT_EQ(error.where().line, GetParam().line);
    EXPECT_EQ(error.where().column, GetParam().column);
    EXPECT_THAT(error.message(), HasSubstr(GetParam().message));
  }
}

INSTANTIATE_TEST_SUITE_P(
    Skypilot, BadSkypilot,
    testing::Values(
        BadRow{"NotANumber", kHeader + "vm,T4,1,4,16,,cheap,,east,\n", 2, 15, "cheap"},
        BadRow{"NegativePrice", kHeader + "vm,T4,1,4,16,,-1,,east,\n", 2, 15, "'Price' must not be negative"},
        BadRow{"NoGpus", kHeader + "vm,T4,0,4,16,,1,,east,\n", 2, 7, "AcceleratorCount must be positive"},
        BadRow{"NeitherName", kHeader + ",,,4,16,,1,,east,\n", 2, 1, "neither InstanceType"}),
    [](const auto& test) { return test.param.name; });

TEST(Skypilot, AMissingColumnIsNamed) {
  try {
    (void)import("InstanceType,Prices\nvm,1\n");
    FAIL() << "accepted";
  } catch (const InputError& error) {
    EXPECT_THAT(error.message(), HasSubstr("Price"));
  }
}

TEST(Skypilot, ReadsFilesOfManyRows) {
  std::string csv = kHeader;
  for (int i = 0; i < 20000; ++i) {
    csv += "type" + std::to_string(i % 500) + ",T4,1,4,16,,1,0.5,region" + std::to_string(i % 40) + ",a\n";
  }
  EXPECT_EQ(import(csv).machines.all().size(), builtin().machines.all().size() + 500);
}

}  // namespace
}  // namespace sextant::catalog
