// The file of a cluster: a [[pool]] for each type.
#include <optional>

#include "pool_checks.h"
#include "sextant/core/csv.h"
#include "sextant/core/text.h"
#include "sextant/core/toml.h"
#include "sextant/core/unit_text.h"

namespace sextant::clusters {
namespace {

// Prices, powers and speeds above this are slips of a unit, and would overflow sums.
constexpr double kLargestValue = 1e9;

struct NumberBounds {
  double above = 0;  // the number is larger
  double high = 0;
};

std::optional<double> bounded(TomlSection& section, std::string_view key, const NumberBounds& bounds) {
  const auto value = section.maybe_number(key);
  if (!value || (*value > bounds.above && *value <= bounds.high)) return value;
  throw InputError(section.where(key), "'" + std::string(key) + "' is " + number_text(*value) +
                                           ", and must be above " + number_text(bounds.above) +
                                           " and at most " + number_text(bounds.high));
}

std::int64_t count(TomlSection& section, std::string_view key, std::int64_t value, std::int64_t least) {
  if (value >= least && value <= kLargestPool) return value;
  throw InputError(section.where(key), "'" + std::string(key) + "' is " + std::to_string(value) +
                                           ", and must be from " + std::to_string(least) + " to ten million");
}

double at_most(TomlSection& section, std::string_view key, double value) {
  if (value <= kLargestValue) return value;
  throw InputError(section.where(key), "'" + std::string(key) + "' is too large");
}

bool has_key(TomlSection& section, std::string_view key) {
  section.expect(key);  // a hint for a misspelt key may then offer it
  return section.has(key);
}

void read_price(TomlSection& section, Pool& pool, PoolStatements& said) {
  const bool number = has_key(section, "price_usd_h");
  const bool text = has_key(section, "price");
  if (number && text) {
    throw InputError(section.where("price"), "the price is given twice", "keep 'price' or 'price_usd_h'");
  }
  said.price = number || text;
  if (text) {
    const DollarRate rate = parse_dollar_rate(section.scalar("price"), section.where("price"));
    pool.hour_price = Dollars{at_most(section, "price", (rate * kHour).value)};
  }
  if (!number) return;
  pool.hour_price = Dollars{at_most(section, "price_usd_h", section.number("price_usd_h"))};
  if (pool.hour_price < Dollars{0})
    throw InputError(section.where("price_usd_h"), "a price cannot be negative");
}

void read_power(TomlSection& section, Pool& pool, PoolStatements& said) {
  said.power = has_key(section, "power");
  said.idle = has_key(section, "idle");
  if (said.power) {
    const Watts power = parse_watts(section.scalar("power"), section.where("power"));
    pool.power = Watts{at_most(section, "power", power.value)};
  }
  if (said.idle) {
    const Watts idle = parse_watts(section.scalar("idle"), section.where("idle"));
    pool.idle = Watts{at_most(section, "idle", idle.value)};
  }
}

void read_spread(TomlSection& section, Pool& pool) {
  const auto nodes = bounded(section, "across_nodes", {.above = 0, .high = 1});
  const auto racks = bounded(section, "across_racks", {.above = 0, .high = 1});
  pool.across_nodes = nodes.value_or(1);
  // Racks are further apart than nodes of one rack: at best as fast.
  pool.across_racks = racks.value_or(pool.across_nodes);
  if (pool.across_racks <= pool.across_nodes) return;
  throw InputError(section.where("across_racks"),
                   "a job on several racks would be faster than on several nodes of one rack",
                   "both are speeds relative to one node; across_racks is at most across_nodes");
}

// A machine type has GPUs of the pool's type; its nodes are then as large as it is, unless the file says.
void read_machine(TomlSection& section, const catalog::Catalog& catalog, Pool& pool) {
  if (const auto name = section.maybe_text("machine")) {
    const catalog::Machine& machine = catalog.machines.get(*name, section.where("machine"));
    const catalog::Gpu* gpu = catalog.gpus.find(pool.type);
    if (gpu == nullptr || machine.gpu != gpu->id) {
      throw InputError(section.where("machine"),
                       "'" + machine.id + "' has no GPUs of type '" + pool.type + "'",
                       machine.gpu.empty() ? "" : "its GPUs are of type '" + machine.gpu + "'");
    }
    pool.machine = machine.id;
    if (machine.gpu_count >= 1) pool.per_node = static_cast<std::int64_t>(machine.gpu_count);
  }
  if (const auto name = section.maybe_text("network")) {
    pool.link = network_link(catalog, *name, section.where("network")).id;
  }
}

Pool read_pool(TomlSection& section, const catalog::Catalog& catalog) {
  Pool pool;
  pool.type = trim(section.text("type"));
  if (pool.type.empty()) throw InputError(section.where("type"), "the type is empty");
  read_machine(section, catalog, pool);
  pool.gpus = count(section, "gpus", section.integer("gpus"), 1);
  pool.per_node = count(section, "per_node", section.maybe_integer("per_node").value_or(pool.per_node), 1);
  pool.nodes_per_rack =
      count(section, "nodes_per_rack", section.maybe_integer("nodes_per_rack").value_or(0), 0);
  const auto speed = bounded(section, "speed", {.above = 0, .high = kLargestValue});
  pool.speed = speed.value_or(1);
  pool.speed_from = speed ? SpeedFrom::stated : SpeedFrom::unknown;
  PoolStatements said;
  read_spread(section, pool);
  read_price(section, pool, said);
  read_power(section, pool, said);
  section.finish();
  complete_from_catalog(pool, catalog, said);
  if (said.idle && pool.idle > pool.power) {
    const bool known = pool.power > Watts{0};
    throw InputError(
        section.where("idle"),
        known ? "an idle GPU takes more power than a busy one" : "the power of a busy GPU is not known",
        known ? "busy is " + number_text(pool.power.value) + " W" : "state 'power' too");
  }
  return pool;
}

}  // namespace

Cluster parse_cluster_toml(const std::string& text, const std::string& file,
                           const catalog::Catalog& catalog) {
  TomlSection document = parse_toml(text, file);
  Cluster cluster{.name = document.maybe_text("name").value_or(file), .pools = {}};
  PoolNames names;
  for (TomlSection& section : document.sections("pool")) {
    cluster.pools.push_back(read_pool(section, catalog));
    names.add(cluster.pools.back().type, section.where("type"));
  }
  document.finish();
  if (cluster.pools.empty()) {
    throw InputError({file, 1, 1}, "the file has no pool", "begin one with [[pool]], type = and gpus =");
  }
  complete_speeds(cluster, catalog);
  check_total(cluster, {file, 1, 1});
  return cluster;
}

Cluster read_cluster_file(const std::string& path, const catalog::Catalog& catalog) {
  return parse_cluster_toml(read_text_file(path), path, catalog);
}

}  // namespace sextant::clusters
