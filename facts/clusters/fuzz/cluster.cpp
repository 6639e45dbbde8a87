// Any bytes, as one line and as a file, make either a cluster within its bounds or an InputError.
#include "sextant/clusters/cluster.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

namespace {

void check(const sextant::clusters::Cluster& cluster) {
  if (cluster.pools.empty() || cluster.gpus() < 1 || cluster.nodes() < 1) std::abort();
  for (const sextant::clusters::Pool& pool : cluster.pools) {
    const bool sane = pool.gpus >= 1 && pool.per_node >= 1 && pool.speed > 0 && pool.hour_price.value >= 0 &&
                      pool.idle <= pool.power && pool.across_racks <= pool.across_nodes;
    if (!sane) std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const sextant::catalog::Catalog catalog = sextant::catalog::builtin_catalog();
  const std::string text(reinterpret_cast<const char*>(data), size);
  try {
    // A name of a file would read it: not what is tried here.
    if (text.find(".toml") == std::string::npos) check(sextant::clusters::parse_cluster(text, catalog));
  } catch (const sextant::InputError&) {
  }
  try {
    check(sextant::clusters::parse_cluster_toml(text, "fuzz.toml", catalog));
  } catch (const sextant::InputError&) {
  }
  return 0;
}
