// A cluster as it is described: pools of GPUs of one type, on nodes, in racks, with their prices and power.
// The same value is simulated, and offered for rent. Written on one line, "v100=36,p100=36/4" (36 GPUs in
// nodes of 4), or as a TOML file with a [[pool]] each.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sextant/catalog/catalog.h"
#include "sextant/core/error.h"
#include "sextant/core/units.h"

namespace sextant::clusters {

struct Pool {
  std::string type;          // as throughput tables and traces name it
  std::string machine = {};  // type of the nodes, by its id; empty: GPUs of which only the kind is known
  std::string link = {};     // between nodes, by its id; empty: the machine's own
  std::int64_t gpus = 0;
  std::int64_t per_node = 8;        // the last node may have fewer
  std::int64_t nodes_per_rack = 0;  // 0: all in one rack
  double speed = 1;                 // relative to the reference type, for traces that have durations only
  double across_nodes = 1;          // speed of a gang on several nodes of a rack, relative to one node
  double across_racks = 1;          // the same on several racks
  Dollars hour_price{};             // of one GPU for an hour, as it is quoted; 0: not known
  Watts power{};                    // of one busy GPU; 0: not known
  Watts idle{};

  [[nodiscard]] std::int64_t nodes() const { return (gpus + per_node - 1) / per_node; }
};

struct Cluster {
  std::string name;  // the text it was made from, or the name in the file
  std::vector<Pool> pools;

  [[nodiscard]] std::int64_t gpus() const;
  [[nodiscard]] std::int64_t nodes() const;
};

// One line or the path of a TOML file (it ends in .toml). Power and prices that are not said come from the
// catalogue where it knows the type. InputError with position and hint.
Cluster parse_cluster(const std::string& text, const catalog::Catalog& catalog, const SourcePos& at = {});
Cluster parse_cluster_toml(const std::string& text, const std::string& file, const catalog::Catalog& catalog);

// So many machines of a type, of at least one GPU each, at the lowest price on demand.
Pool pool_of(const catalog::Machine& machine, std::int64_t machines, const catalog::Catalog& catalog);

// Whether it is said what joins the nodes: by the pool, or by its machine type.
bool names_link(const Pool& pool, const catalog::Catalog& catalog);

}  // namespace sextant::clusters
