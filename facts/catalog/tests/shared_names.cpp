// The names that the measured data use for GPUs resolve, and the specifications there are the
// catalogue's. Skipped where the data are absent.
#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <map>

#include "sextant/catalog/catalog.h"
#include "sextant/core/csv.h"
#include "sextant/core/gzip.h"
#include "shared_data.h"
#include "shipped.h"

namespace sextant::catalog {
namespace {

// Values of GPU columns that are no GPU of the catalogue, and why.
const std::map<std::string, std::string>& exceptions() {
  static const std::map<std::string, std::string> reasons = {
      {"", "no accelerator, or not stated"},
      {"N/A", "not stated"},
      {"G2", "anonymised by Alibaba"},
      {"G3", "anonymised by Alibaba"},
      {"GPU-series-1", "anonymised by Alibaba"},
      {"GPU-series-2", "anonymised by Alibaba"},
      {"Qualcomm AI100", "inference accelerator, not a GPU"},
      {"Virtex UltraScale+ (VU47P)", "FPGA"},
      {"TPU", "Google TPU"},
      {"TPUv2", "Google TPU"},
      {"Ascend 910 Premium A", "Huawei NPU"},
      {"Ascend 910 Pro A", "Huawei NPU"},
      {"Graphcore IPU GC200", "IPU"},
      {"Habana Gaudi", "Habana HPU"},
  };
  return reasons;
}

// Alibaba's node lists write the GPU's name under `model` and a number under `gpu`.
std::vector<std::string> gpu_columns(const CsvTable& table) {
  const bool node_list = table.find_column("cpu_milli").has_value();
  std::vector<std::string> columns;
  for (const auto& name : table.header()) {
    const bool gpu = name == "gpu" || name == "gpu_model" || name == "gpu_spec" || name == "accelerator";
    if (node_list ? name == "model" || name == "gpu_spec" : gpu) columns.push_back(name);
  }
  return columns;
}

void check_file(const std::string& path, std::map<std::string, std::string>& unresolved, int& resolved) {
  const auto table = CsvTable::read_file(path);
  for (const auto& column : gpu_columns(table)) {
    for (const auto& name : table.texts(column)) {
      if (builtin().gpus.find(name) != nullptr) {
        ++resolved;
      } else if (!exceptions().contains(name)) {
        unresolved.emplace(name, path);
      }
    }
  }
}

// The sets whose devices the catalogue covers; others name accelerators that it does not know yet.
constexpr std::array kCovered = {"cloud-config", "cluster-traces", "cnn-training-times", "collectives",
                                 "dawnbench",    "gavel",          "neusight",           "scaling"};

TEST(SharedNames, EveryGpuNameInTheDataResolves) {
  SEXTANT_NEEDS_DATA(specs, "gpu-specs.csv");
  std::map<std::string, std::string> unresolved;  // name, file
  int resolved = 0;
  const auto root = std::filesystem::path(specs).parent_path();
  for (const char* set : kCovered) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root / set)) {
      if (entry.path().extension() == ".csv") check_file(entry.path().string(), unresolved, resolved);
    }
  }
  for (const auto& [name, file] : unresolved)
    ADD_FAILURE() << "'" << name << "' in " << file << " is unknown";
  EXPECT_GT(resolved, 1000);
}

// Sets of large language models, by their column `gpu`.
TEST(SharedNames, EveryGpuOfLanguageModelsResolves) {
  SEXTANT_NEEDS_DATA(first, "llm-training/steps.csv");
  const auto root = std::filesystem::path(first).parent_path().parent_path();
  int files = 0;
  for (const char* name :
       {"llm-training/steps.csv", "llm-training/steps_vtrain.csv", "llm-training/mlperf.csv",
        "llm-training/memory_megatron.csv", "llm-training/finetune_memory.csv", "llm-kernels/gemm.csv.gz",
        "llm-kernels/attention_prefill.csv.gz", "llm-kernels/moe.csv.gz", "llm-kernels/nccl.csv.gz"}) {
    if (!std::filesystem::exists(root / name)) continue;
    const auto table = CsvTable::parse(read_maybe_packed_file((root / name).string()), name);
    for (const auto& gpu : table.texts("gpu")) {
      ASSERT_NE(builtin().gpus.find(gpu), nullptr) << gpu << " in " << name;
      EXPECT_TRUE(builtin().gpus.get(gpu).tensor_bf16) << gpu;
    }
    ++files;
  }
  EXPECT_GE(files, 5);
}

TEST(SharedNames, ExceptionsAreStillExceptions) {
  for (const auto& [name, reason] : exceptions()) EXPECT_EQ(builtin().gpus.find(name), nullptr) << name;
}

void expect_cell(const CsvTable& table, std::size_t row, const char* column, std::optional<double> ours) {
  const auto theirs = table.maybe_number(row, table.column(column));
  ASSERT_EQ(theirs.has_value(), ours.has_value()) << table.text(row, 0) << " " << column;
  if (theirs) {
    EXPECT_NEAR(*ours / *theirs, 1, 1e-5) << table.text(row, 0) << " " << column;
  }
}

std::optional<double> tera(std::optional<FlopRate> rate) {
  return rate ? std::optional(rate->value / 1e12) : std::nullopt;
}

TEST(SharedNames, SpecificationsAgree) {
  SEXTANT_NEEDS_DATA(specs, "gpu-specs.csv");
  const auto table = CsvTable::read_file(specs);
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const Gpu& gpu = builtin().gpus.get(table.text(row, table.column("gpu")));
    EXPECT_EQ(gpu.vendor, table.text(row, table.column("vendor")));
    expect_cell(table, row, "release_year", gpu.year);
    expect_cell(table, row, "sms", gpu.sms);
    expect_cell(table, row, "fp32_cores", gpu.cores);
    expect_cell(table, row, "boost_mhz", gpu.boost->value / 1e6);
    expect_cell(table, row, "fp32_tflops", tera(gpu.fp32));
    expect_cell(table, row, "fp16_tflops", tera(gpu.fp16));
    expect_cell(table, row, "tensor_fp16_tflops", tera(gpu.tensor_fp16));
    expect_cell(table, row, "tf32_tflops", tera(gpu.tf32));
    expect_cell(table, row, "fp64_tflops", tera(gpu.fp64));
    expect_cell(table, row, "memory_gb", gpu.memory.value / 0x1p30);  // "GB" of chips are GiB
    expect_cell(table, row, "mem_bw_gb_per_s", gpu.memory_bandwidth.value / 1e9);
    expect_cell(table, row, "l2_mb", gpu.l2->value / 0x1p20);
    expect_cell(table, row, "interconnect_gb_per_s", 2 * gpu.link_bandwidth->value / 1e9);  // both ways there
    expect_cell(table, row, "tdp_w", gpu.tdp->value);
  }
}

TEST(SharedNames, PricesAreThoseOfTheData) {
  SEXTANT_NEEDS_DATA(prices, "cloud-config/gpu_vm_prices.csv");
  const auto table = CsvTable::read_file(prices);
  int compared = 0;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const auto cell = [&](const char* column) { return table.text(row, table.column(column)); };
    const Machine* machine = builtin().machines.find(cell("cloud") + "/" + cell("instance_type"));
    if (machine == nullptr || cell("catalog_version") == "v3-historic") continue;
    const Price* price = find_price(*machine, cell("region"));
    if (price == nullptr) continue;
    EXPECT_NEAR(price->on_demand->value * 3600, table.number(row, table.column("price_usd_per_hour")), 1e-4)
        << machine->id << " " << price->region;
    ++compared;
  }
  EXPECT_GT(compared, 250);
}

}  // namespace
}  // namespace sextant::catalog
