// A catalogue of a few entries: laying over it takes microseconds, so the fuzzer tries thousands a second.
#pragma once

#include <span>

#include "sextant/catalog/catalog.h"

namespace sextant::catalog {

inline Catalog small_catalog() {
  const Catalog empty{{"GPU", {}}, {"CPU", {}}, {"link", {}}, {"machine", {}}, {}};
  const CatalogFile file{"small.toml", R"(
cloud = "gcp"
[[link]]
id = "pcie3"
kind = "intra-node"
bandwidth = "16 GB/s"
latency = "5 us"
[[gpu]]
id = "t4"
aliases = ["v100", "a100"]
fp32 = "8 TFLOP/s"
memory = "16 GiB"
memory_bandwidth = "300 GB/s"
link = "pcie3"
[[gpu]]
id = "v100-32gb"
fp32 = "15 TFLOP/s"
memory = "32 GiB"
memory_bandwidth = "900 GB/s"
[[machine]]
name = "a2-highgpu-1g"
gpu = "a100"
accelerator = "A100"
prices = [{ region = "r1", on_demand = "3 USD/h" }]
)"};
  return overlay(empty, std::span(&file, 1));
}

}  // namespace sextant::catalog
