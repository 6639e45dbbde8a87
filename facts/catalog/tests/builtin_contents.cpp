// Single facts that others rely on, each from a named source.
#include <gtest/gtest.h>

#include "sextant/catalog/catalog.h"
#include "shipped.h"

namespace sextant::catalog {
namespace {

TEST(BuiltinContents, AmbiguousShortNames) {
  EXPECT_EQ(builtin().gpus.get("v100").id, "v100-sxm2-16gb");
  EXPECT_EQ(builtin().gpus.get("P100").id, "p100-pcie-16gb");
  EXPECT_EQ(builtin().gpus.get("A100").id, "a100-sxm4-40gb");
  EXPECT_EQ(builtin().gpus.get("a100-80gb").id, "a100-sxm4-80gb");
  EXPECT_EQ(builtin().gpus.get("H100").id, "h100-sxm-80gb");
  EXPECT_EQ(builtin().gpus.get("rtx 6000").id, "quadro-rtx-6000");
  EXPECT_EQ(builtin().gpus.get("titan x").id, "titan-x");
}

// V100 SXM2 datasheet: 80 SMs, 15.7 / 125 TFLOP/s, 900 GB/s, NVLink 300 GB/s both ways, 300 W.
TEST(BuiltinContents, V100) {
  const Gpu& gpu = builtin().gpus.get("Tesla V100-SXM2-16GB");
  EXPECT_EQ(gpu.sms, 80);
  EXPECT_DOUBLE_EQ(gpu.fp32.value, 15.7e12);
  EXPECT_DOUBLE_EQ(gpu.tensor_fp16->value, 125e12);
  EXPECT_DOUBLE_EQ(gpu.memory.value, 16 * 0x1p30);
  EXPECT_DOUBLE_EQ(gpu.memory_bandwidth.value, 900e9);
  EXPECT_DOUBLE_EQ(gpu.link_bandwidth->value, 150e9);
  EXPECT_FALSE(gpu.tf32);
}

// Two dies within 300 W: a K80 runs at its base clock unless its owner raises it.
TEST(BuiltinContents, BoardsThatRunBelowBoostSaySo) {
  EXPECT_EQ(builtin().gpus.get("k80").sustained, Hertz{562e6});
  EXPECT_EQ(builtin().gpus.get("v100").sustained, std::nullopt);
}

TEST(BuiltinContents, MemoryKinds) {
  EXPECT_EQ(builtin().gpus.get("v100").memory_kind, "hbm");
  EXPECT_EQ(builtin().gpus.get("rtx-2070").memory_kind, "gddr");
  EXPECT_EQ(builtin().gpus.get("t4").memory_kind, "gddr-ecc");
}

// Table of the capacity-planning note, section 5.
TEST(BuiltinContents, NineMachinesOfTheCapacityPlanningStudy) {
  struct Row {
    const char *name, *gpu;
    double count, dollars;
  };
  for (const Row& row : {Row{"azure/nc6", "k80", 1, 0.56}, Row{"azure/nc12", "k80", 2, 1.13},
                         Row{"azure/nc24", "k80", 4, 2.25}, Row{"azure/nv6", "m60", 1, 0.62},
                         Row{"azure/nv12", "m60", 2, 1.24}, Row{"azure/nv24", "m60", 4, 2.48},
                         Row{"in-house-1", "quadro-p600", 2, 0.11}, Row{"in-house-2", "gtx-1080-ti", 8, 1.13},
                         Row{"in-house-3", "quadro-p600", 8, 0.44}}) {
    const Machine& machine = builtin().machines.get(row.name);
    EXPECT_EQ(machine.gpu, row.gpu);
    EXPECT_EQ(machine.gpu_count, row.count);
    ASSERT_EQ(machine.prices.size(), 1U) << row.name;
    EXPECT_EQ(machine.prices[0].on_demand, per_hour(row.dollars)) << row.name;
  }
}

TEST(BuiltinContents, MachinesHaveTheRightVariantOfTheirGpu) {
  EXPECT_EQ(builtin().machines.get("p3.2xlarge").gpu, "v100-sxm2-16gb");
  EXPECT_EQ(builtin().machines.get("NC6s_v3").gpu, "v100-pcie-16gb");
  EXPECT_EQ(builtin().machines.get("Standard_NC24ads_A100_v4").gpu, "a100-pcie-80gb");
  EXPECT_EQ(builtin().machines.get("gpu_1x_h100_pcie").gpu, "h100-pcie-80gb");
  EXPECT_EQ(builtin().machines.get("Standard_ND96isr_H100_v5").gpu_count, 8);
  EXPECT_DOUBLE_EQ(builtin().machines.get("g6f.xlarge").gpu_count, 0.125);
}

// Google's list price of a2-highgpu-1g in Iowa: 0.73948 for the host and 2.93391 for the GPU.
TEST(BuiltinContents, GooglePricesAreHostAndGpusTogether) {
  const Price* price = find_price(builtin().machines.get("a2-highgpu-1g"), "us-central1");
  ASSERT_NE(price, nullptr);
  EXPECT_NEAR(price->on_demand->value * 3600, 0.73948 + 2.93391, 1e-9);
}

TEST(BuiltinContents, LinkBetweenGpus) {
  const auto bandwidth = [](const char* name) {
    return gpu_link_bandwidth(builtin(), builtin().machines.get(name));
  };
  EXPECT_EQ(bandwidth("p3.2xlarge"), std::nullopt);
  EXPECT_EQ(bandwidth("p3.16xlarge"), Bandwidth{150e9});
  EXPECT_EQ(bandwidth("p4d.24xlarge"), Bandwidth{300e9});
  EXPECT_EQ(bandwidth("g4dn.12xlarge"), Bandwidth{16e9});
  EXPECT_EQ(bandwidth("NC48ads_A100_v4"), Bandwidth{300e9}) << "a bridge, not the board's PCIe";
}

TEST(BuiltinContents, NetworkBetweenMachines) {
  const auto bandwidth = [](const char* name) {
    return node_link_bandwidth(builtin(), builtin().machines.get(name));
  };
  EXPECT_EQ(bandwidth("p4d.24xlarge"), Bandwidth{50e9});          // 400 Gbit/s
  EXPECT_EQ(bandwidth("g4ad.8xlarge"), Bandwidth{15e9 / 8});      // less than its link's 25 Gbit/s
  EXPECT_EQ(bandwidth("Standard_ND96asr_v4"), Bandwidth{200e9});  // eight cards of 200 Gbit/s
  EXPECT_EQ(bandwidth("in-house-1"), std::nullopt);
}

TEST(BuiltinContents, LowestPrices) {
  const Machine& machine = builtin().machines.get("g4dn.xlarge");
  EXPECT_EQ(lowest_on_demand(machine), per_hour(0.526));
  ASSERT_TRUE(lowest_spot(machine));
  for (const auto& price : machine.prices) EXPECT_LE(*lowest_spot(machine), *price.spot);
  EXPECT_EQ(lowest_on_demand(builtin().machines.get("p5e.48xlarge")), std::nullopt);
  EXPECT_EQ(find_price(machine, "the moon"), nullptr);
}

TEST(BuiltinContents, UnknownNamesSuggestTheNearest) {
  try {
    (void)builtin().gpus.get("H10O");
    FAIL() << "accepted";
  } catch (const InputError& error) {
    EXPECT_EQ(error.message(), "unknown GPU 'H10O'");
    EXPECT_EQ(error.hint(), "did you mean 'H100'?");
  }
}

}  // namespace
}  // namespace sextant::catalog
