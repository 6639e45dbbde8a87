// What the one line and the file of a cluster share: bounds of a pool, one pool per type, and what the
// catalogue knows of a type.
#pragma once

#include <map>
#include <string>

#include "sextant/clusters/cluster.h"

namespace sextant::clusters {

inline constexpr const char* kPoolLineHint = "write type=GPUs or type=GPUs/per-node: v100=36,p100=36/4";

// Counts of GPUs and nodes must fit 32 bits with room; no cluster comes near it.
inline constexpr std::int64_t kLargestPool = 10'000'000;

void check_pool_count(std::int64_t count, const char* what, const SourcePos& at);
void check_total(const Cluster& cluster, const SourcePos& at);

// Each type once, whatever its spelling.
class PoolNames {
 public:
  void add(const std::string& type, const SourcePos& at);

 private:
  std::map<std::string, std::string> seen_;  // folded -> as first written
};

// What was said of a pool; the rest comes from the catalogue.
struct PoolStatements {
  bool price = false;
  bool power = false;
  bool idle = false;
};
void complete_from_catalog(Pool& pool, const catalog::Catalog& catalog, const PoolStatements& said = {});

// Speeds of pools that state none, `unknown` until then.
void complete_speeds(Cluster& cluster, const catalog::Catalog& catalog);

Cluster read_cluster_file(const std::string& path, const catalog::Catalog& catalog);

}  // namespace sextant::clusters
