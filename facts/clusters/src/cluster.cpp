#include "sextant/clusters/cluster.h"

#include <algorithm>
#include <map>

#include "pool_checks.h"
#include "sextant/core/text.h"

namespace sextant::clusters {
namespace {

// Where a part of the one line stands in it.
SourcePos inside(const SourcePos& at, std::string_view line, std::string_view part) {
  const auto offset = static_cast<int>(part.data() - line.data());
  return {.file = at.file.empty() ? "cluster" : at.file,
          .line = std::max(at.line, 1),
          .column = std::max(at.column, 1) + offset,
          .field = at.field};
}

std::int64_t read_count(std::string_view text, const char* what, const SourcePos& at) {
  const auto count = to_integer(trim(text));
  if (!count) {
    throw InputError(at, "'" + std::string(trim(text)) + "' is no number of GPUs", kPoolLineHint);
  }
  check_pool_count(*count, what, at);
  return *count;
}

// "p100=36/4"
Pool read_pool(std::string_view part, std::string_view line, const SourcePos& at) {
  const std::size_t equals = part.find('=');
  if (equals == std::string_view::npos) {
    const std::string hint = trim(part).ends_with(".toml") ? "one file is a whole cluster" : kPoolLineHint;
    throw InputError(inside(at, line, part), "'" + std::string(trim(part)) + "' is no pool of GPUs", hint);
  }
  Pool pool;
  pool.type = trim(part.substr(0, equals));
  if (pool.type.empty()) {
    throw InputError(inside(at, line, part), "this pool has no type of GPU", kPoolLineHint);
  }
  const std::string_view size = part.substr(equals + 1);
  const std::size_t slash = size.find('/');
  pool.gpus = read_count(size.substr(0, slash), "GPUs", inside(at, line, size));
  if (slash != std::string_view::npos) {
    const std::string_view per_node = size.substr(slash + 1);
    pool.per_node = read_count(per_node, "GPUs per node", inside(at, line, per_node));
  }
  return pool;
}

Cluster parse_line(const std::string& text, const catalog::Catalog& catalog, const SourcePos& at) {
  Cluster cluster{.name = std::string(trim(text)), .pools = {}};
  if (cluster.name.empty()) throw InputError(at, "no cluster is named", kPoolLineHint);
  PoolNames names;
  const std::string_view line = text;
  for (std::size_t begin = 0; begin <= line.size();) {
    const std::size_t end = std::min(line.find(',', begin), line.size());
    const std::string_view part = line.substr(begin, end - begin);
    Pool pool = read_pool(part, line, at);
    pool.speed_from = SpeedFrom::unknown;
    names.add(pool.type, inside(at, line, part));
    complete_from_catalog(pool, catalog);
    cluster.pools.push_back(std::move(pool));
    begin = end + 1;
  }
  complete_speeds(cluster, catalog);
  check_total(cluster, at);
  return cluster;
}

}  // namespace

std::int64_t Cluster::gpus() const {
  std::int64_t all = 0;
  for (const Pool& pool : pools) all += pool.gpus;
  return all;
}

std::int64_t Cluster::nodes() const {
  std::int64_t all = 0;
  for (const Pool& pool : pools) all += pool.nodes();
  return all;
}

Pool pool_of(const catalog::Machine& machine, std::int64_t machines, const catalog::Catalog& catalog) {
  const auto per_node = static_cast<std::int64_t>(machine.gpu_count);
  Pool pool{.type = machine.gpu, .machine = machine.id, .gpus = machines * per_node, .per_node = per_node};
  complete_from_catalog(pool, catalog);
  return pool;
}

bool names_link(const Pool& pool, const catalog::Catalog& catalog) {
  if (!pool.link.empty()) return true;
  return !pool.machine.empty() && !catalog.machines.get(pool.machine).node_link.empty();
}

Cluster parse_cluster(const std::string& text, const catalog::Catalog& catalog, const SourcePos& at) {
  const std::string path(trim(text));
  const bool is_file = path.ends_with(".toml") && path.find('=') == std::string::npos;
  return is_file ? read_cluster_file(path, catalog) : parse_line(text, catalog, at);
}

}  // namespace sextant::clusters
