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

// Where the speed of a pool comes from.
enum class SpeedFrom {
  stated,
  reference,  // the first pool, where nothing is stated: others are relative to it
  catalogue,  // see relative_speed()
  unknown     // the catalogue does not have the type, or not that of the first pool: taken as 1
};

// Power of an idle GPU as a fraction of its busy power, where nobody says it; docs/models/cluster-metrics.md.
inline constexpr double kIdleFraction = 0.15;

struct Pool {
  std::string type;          // as throughput tables and traces name it
  std::string machine = {};  // type of the nodes, by its id; empty: GPUs of which only the kind is known
  std::string link = {};     // between nodes, by its id; empty: the machine's own
  std::int64_t gpus = 0;
  std::int64_t per_node = 8;        // the last node may have fewer
  std::int64_t nodes_per_rack = 0;  // 0: all in one rack
  double speed = 1;                 // relative to the reference type, for traces that have durations only
  SpeedFrom speed_from = SpeedFrom::stated;
  double across_nodes = 1;  // speed of a gang on several nodes of a rack, relative to one node
  double across_racks = 1;  // the same on several racks
  Dollars hour_price{};     // of one GPU for an hour, as it is quoted; 0: not known
  Watts power{};            // of one busy GPU; 0: not known
  Watts idle{};

  [[nodiscard]] std::int64_t nodes() const { return (gpus + per_node - 1) / per_node; }
};

struct Cluster {
  std::string name;  // the text it was made from, or the name in the file
  std::vector<Pool> pools;

  [[nodiscard]] std::int64_t gpus() const;
  [[nodiscard]] std::int64_t nodes() const;
};

// How fast a GPU trains relative to another, for a network that nobody names: the geometric mean of the
// ratios of their fp32 peaks and of their memory bandwidths. Single networks lie a factor of two and more
// off.
double relative_speed(const catalog::Gpu& gpu, const catalog::Gpu& reference);

// One line or the path of a TOML file (it ends in .toml). Power, prices and, of every pool but the first,
// speeds that are not said come from the catalogue where it knows the type. InputError with position and
// hint.
Cluster parse_cluster(const std::string& text, const catalog::Catalog& catalog, const SourcePos& at = {});
Cluster parse_cluster_toml(const std::string& text, const std::string& file, const catalog::Catalog& catalog);

// So many machines of a type, of at least one GPU each, at the lowest price on demand.
Pool pool_of(const catalog::Machine& machine, std::int64_t machines, const catalog::Catalog& catalog);

// Whether it is said what joins the nodes: by the pool, or by its machine type.
bool names_link(const Pool& pool, const catalog::Catalog& catalog);

}  // namespace sextant::clusters
