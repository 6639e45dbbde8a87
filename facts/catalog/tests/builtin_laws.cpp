// What every entry of facts/catalog/data must satisfy; a new entry is checked here without new code.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>

#include "sextant/catalog/catalog.h"
#include "sextant/core/text.h"
#include "shipped.h"

namespace sextant::catalog {
namespace {

template <class Item>
void expect_origin(const Item& item) {
  EXPECT_FALSE(item.source.empty()) << item.id;
  EXPECT_TRUE(std::regex_match(item.date, std::regex(R"(20\d\d-\d\d-\d\d)"))) << item.id << ": " << item.date;
}

template <class Item>
void expect_identity(const Registry<Item>& registry) {
  static const std::regex kebab("[a-z0-9]+([.-][a-z0-9]+)*");
  for (const auto& item : registry.all()) {
    expect_origin(item);
    EXPECT_TRUE(std::regex_match(item.id, kebab)) << item.id;
    EXPECT_EQ(registry.find(item.id), &item);
    EXPECT_EQ(registry.find(item.name), &item)
        << "the name '" << item.name << "' must resolve: add it as an alias";
  }
}

TEST(BuiltinLaws, IdsAreKebabAndUniqueAndNamesResolve) {
  expect_identity(builtin().gpus);
  expect_identity(builtin().cpus);
  expect_identity(builtin().links);
  expect_identity(builtin().providers);
}

// Advice rounds the hours of a job up as its provider does.
TEST(BuiltinLaws, EveryCloudThatRentsMachinesIsAKnownProvider) {
  for (const auto& machine : builtin().machines.all()) {
    if (!machine.listed) continue;
    EXPECT_NE(builtin().providers.find(machine.cloud), nullptr) << machine.id;
  }
  for (const auto& provider : builtin().providers.all()) {
    EXPECT_GT(provider.increment, Seconds{}) << provider.id;
    EXPECT_GE(provider.minimum, Seconds{}) << provider.id;
  }
}

TEST(BuiltinLaws, NothingIsLeftOut) {
  EXPECT_GE(builtin().gpus.all().size(), 90U);
  EXPECT_GE(builtin().cpus.all().size(), 20U);
  EXPECT_GE(builtin().links.all().size(), 25U);
  EXPECT_GE(builtin().machines.all().size(), 190U);
  EXPECT_TRUE(builtin().warnings.empty());
}

TEST(BuiltinLaws, EveryDataFileIsEmbedded) {
  std::size_t entries = 0;
  const std::regex entry(R"(\[\[(gpu|cpu|link|machine|provider)\]\])");
  for (const auto& file : std::filesystem::directory_iterator(SEXTANT_SOURCE_DIR "/facts/catalog/data")) {
    std::ifstream in(file.path());
    const std::string text((std::istreambuf_iterator<char>(in)), {});
    entries += static_cast<std::size_t>(
        std::distance(std::sregex_iterator(text.begin(), text.end(), entry), std::sregex_iterator()));
  }
  EXPECT_EQ(entries, builtin().gpus.all().size() + builtin().cpus.all().size() +
                         builtin().links.all().size() + builtin().machines.all().size() +
                         builtin().providers.all().size());
}

// They state neither lanes nor clocks, and TPUs neither caches nor watts.
bool is_no_gpu(const Gpu& gpu) {
  return gpu.architecture == "TPU" || gpu.architecture == "Gaudi";
}

// Compute per core and cycle: a fused multiply-add counts two. Boost clocks are rounded and vendors
// quote rates at other clocks, hence the margin. H20 is known not to fit (see its notes).
TEST(BuiltinLaws, Fp32IsTwoOperationsPerCoreAndCycle) {
  for (const auto& gpu : builtin().gpus.all()) {
    if (is_no_gpu(gpu)) continue;
    ASSERT_TRUE(gpu.boost) << gpu.id;
    const double ratio = gpu.fp32.value / (2.0 * gpu.cores * gpu.boost->value);
    if (gpu.id == "h20") continue;
    // Two operations of two a cycle.
    const bool dual_issue = gpu.architecture == "CDNA3" || gpu.architecture == "CDNA4";
    EXPECT_NEAR(ratio, dual_issue ? 2 : 1, 0.06) << gpu.id;
  }
}

TEST(BuiltinLaws, MatrixUnitsAreNotSlowerThanVectorUnits) {
  for (const auto& gpu : builtin().gpus.all()) {
    if (gpu.tensor_fp16) {
      EXPECT_GE(*gpu.tensor_fp16, gpu.fp32) << gpu.id;
    }
    if (gpu.matrix_fp32) {
      EXPECT_GE(*gpu.matrix_fp32, gpu.fp32) << gpu.id;
    }
    if (gpu.tf32) {
      EXPECT_GE(*gpu.tf32, gpu.fp32) << gpu.id;
      ASSERT_TRUE(gpu.tensor_fp16) << gpu.id;
      EXPECT_NEAR(*gpu.tensor_fp16 / *gpu.tf32, 2, 0.03) << gpu.id << ": tf32 runs at half the rate of fp16";
    }
    if (gpu.fp64) {
      EXPECT_LE(*gpu.fp64, gpu.fp32) << gpu.id;
    }
  }
}

// Half the bits, twice the rate: of NVIDIA and AMD; Gaudi 3 multiplies fp8 no faster than bf16, and Blackwell
// Ultra has three times the fp4 units.
TEST(BuiltinLaws, NarrowerFormatsMultiplyFaster) {
  int with_fp8 = 0;
  for (const auto& gpu : builtin().gpus.all()) {
    if (!gpu.tensor_fp8) continue;
    ASSERT_TRUE(gpu.tensor_bf16) << gpu.id;
    EXPECT_NEAR(*gpu.tensor_fp8 / *gpu.tensor_bf16, gpu.id == "gaudi3" ? 1 : 2, 0.03) << gpu.id;
    ++with_fp8;
    if (!gpu.tensor_fp4) continue;
    const double ratio = *gpu.tensor_fp4 / *gpu.tensor_fp8;
    EXPECT_TRUE(ratio > 1.99 && ratio < 4.01) << gpu.id << " " << ratio;
  }
  EXPECT_GE(with_fp8, 20);
}

TEST(BuiltinLaws, GpusSinceAmpereMultiplyBf16) {
  for (const auto& gpu : builtin().gpus.all()) {
    const bool newer = gpu.architecture == "Ampere" || gpu.architecture == "Ada" ||
                       gpu.architecture == "Hopper" || gpu.architecture == "Blackwell";
    EXPECT_EQ(gpu.vendor == "NVIDIA" && gpu.tensor_bf16.has_value(), newer) << gpu.id;
  }
}

TEST(BuiltinLaws, GpuFiguresAreOfTheRightMagnitude) {
  for (const auto& gpu : builtin().gpus.all()) {
    EXPECT_FALSE(gpu.vendor.empty() || gpu.architecture.empty() || gpu.link.empty()) << gpu.id;
    EXPECT_GE(gpu.year, 2012) << gpu.id;
    EXPECT_LE(gpu.year, 2030) << gpu.id;
    if (!is_no_gpu(gpu)) {
      EXPECT_EQ(gpu.cores % gpu.sms, 0) << gpu.id;
    }
    EXPECT_GE(gpu.memory, Bytes{1e9}) << gpu.id;
    EXPECT_LE(gpu.memory, Bytes{1e12}) << gpu.id;
    EXPECT_GE(gpu.memory_bandwidth, Bandwidth{10e9}) << gpu.id;
    EXPECT_LE(gpu.memory_bandwidth, Bandwidth{20e12}) << gpu.id;
    ASSERT_TRUE(gpu.link_bandwidth) << gpu.id;
    EXPECT_LT(*gpu.link_bandwidth, gpu.memory_bandwidth) << gpu.id;
    if (gpu.architecture == "TPU") continue;
    ASSERT_TRUE(gpu.l2 && gpu.tdp) << gpu.id;
    EXPECT_LT(*gpu.l2, gpu.memory) << gpu.id;
    EXPECT_GE(*gpu.tdp, Watts{5}) << gpu.id;
    EXPECT_LE(*gpu.tdp, Watts{2000}) << gpu.id;
  }
}

// A stack of HBM moves 128 GB/s or more and boards have at least two; the fastest GDDR7 boards move 1.8 TB/s.
TEST(BuiltinLaws, MemoryKindIsStatedAndAgreesWithTheBandwidth) {
  for (const auto& gpu : builtin().gpus.all()) {
    EXPECT_FALSE(gpu.memory_kind.empty()) << gpu.id;
    if (gpu.memory_kind == "hbm") {
      EXPECT_GE(gpu.memory_bandwidth, Bandwidth{200e9}) << gpu.id;
    } else {
      EXPECT_LE(gpu.memory_bandwidth, Bandwidth{2e12}) << gpu.id;
    }
  }
}

TEST(BuiltinLaws, SustainedClocksAreBelowBoost) {
  for (const auto& gpu : builtin().gpus.all()) {
    if (!gpu.sustained) continue;
    ASSERT_TRUE(gpu.boost) << gpu.id;
    EXPECT_LT(*gpu.sustained, *gpu.boost) << gpu.id;
  }
}

// 16, 32 or 64 operations per core and cycle: two vector units of 128, 256 or 512 bits.
TEST(BuiltinLaws, CpuRateIsCoresTimesClockTimesWidth) {
  for (const auto& cpu : builtin().cpus.all()) {
    const double width = cpu.fp32.value / (cpu.cores * cpu.clock.value);
    const double nearest = width < 24 ? 16 : width < 48 ? 32 : 64;
    EXPECT_NEAR(width / nearest, 1, 0.01) << cpu.id;
    EXPECT_GE(cpu.threads, cpu.cores) << cpu.id;
    EXPECT_LE(cpu.threads, 2 * cpu.cores) << cpu.id;
  }
}

TEST(BuiltinLaws, NetworksAreSlowerToAnswerThanNothing) {
  for (const auto& link : builtin().links.all()) {
    EXPECT_GE(link.latency, Seconds{0.1e-6}) << link.id;
    EXPECT_LE(link.latency, Seconds{1e-3}) << link.id;
    EXPECT_GE(link.bandwidth, Bandwidth{1e8}) << link.id;
    EXPECT_LE(link.bandwidth, Bandwidth{2e12}) << link.id;
  }
}

TEST(BuiltinLaws, MachinesNameTheirCloudAndRefersToTheRightKindOfLink) {
  static const std::regex form("[a-z0-9-]+/[a-z0-9.-]+");
  for (const auto& machine : builtin().machines.all()) {
    expect_origin(machine);
    EXPECT_TRUE(std::regex_match(machine.id, form)) << machine.id;
    EXPECT_TRUE(machine.id.starts_with(machine.cloud + "/")) << machine.id;
    EXPECT_EQ(builtin().machines.find(machine.cloud + "/" + machine.name), &machine) << machine.id;
    EXPECT_TRUE(machine.gpu_known && builtin().gpus.find(machine.gpu)) << machine.id;
    EXPECT_EQ(machine.gpu_link.empty(), machine.gpu_count <= 1) << machine.id;
    if (!machine.gpu_link.empty()) {
      EXPECT_EQ(builtin().links.get(machine.gpu_link).kind, LinkKind::intra_node) << machine.id;
    }
    if (!machine.node_link.empty()) {
      EXPECT_EQ(builtin().links.get(machine.node_link).kind, LinkKind::network) << machine.id;
    }
    EXPECT_GT(machine.gpu_count, 0) << machine.id;
    EXPECT_LE(machine.gpu_count, 16) << machine.id;
  }
}

TEST(BuiltinLaws, BareMachineNamesResolve) {
  for (const auto& machine : builtin().machines.all())
    EXPECT_EQ(builtin().machines.find(machine.name), &machine) << machine.id;
}

TEST(BuiltinLaws, SpotIsNotDearerThanOnDemandAndRegionsAreNotRepeated) {
  for (const auto& machine : builtin().machines.all()) {
    std::set<std::string> regions;
    for (const auto& price : machine.prices) {
      EXPECT_TRUE(regions.insert(price.region).second) << machine.id << " " << price.region;
      ASSERT_TRUE(price.on_demand) << machine.id;
      EXPECT_GT(*price.on_demand, DollarRate{0.01 / 3600}) << machine.id;
      EXPECT_LT(*price.on_demand, DollarRate{500.0 / 3600}) << machine.id;
      if (price.spot) {
        EXPECT_LE(*price.spot, *price.on_demand) << machine.id;
      }
    }
    if (machine.prices.empty()) {
      EXPECT_THAT(machine.notes, testing::HasSubstr("no ")) << machine.id;
    }
  }
}

}  // namespace
}  // namespace sextant::catalog
