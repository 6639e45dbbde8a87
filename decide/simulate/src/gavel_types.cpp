#include "gavel_types.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "sextant/core/text.h"

namespace sextant::simulate {
namespace {

// Gavel names its three types in the code that fills a round; other clusters say theirs fastest first.
std::size_t speed_rank(std::string_view type) {
  constexpr std::array<std::string_view, 3> kFastestFirst = {"v100", "p100", "k80"};
  const auto* const it = std::ranges::find(kFastestFirst, to_lower(type));
  return static_cast<std::size_t>(it - kFastestFirst.begin());
}

}  // namespace

GavelTypes gavel_types(const clusters::Cluster& cluster) {
  GavelTypes types;
  types.pool.resize(cluster.pools.size());
  std::iota(types.pool.begin(), types.pool.end(), std::size_t{0});
  std::ranges::stable_sort(types.pool, {}, [&](std::size_t p) { return cluster.pools[p].type; });
  for (const std::size_t p : types.pool) {
    types.names.emplace_back(cluster.pools[p].type);
    types.gpus.push_back(cluster.pools[p].gpus);
  }
  types.fastest_first.resize(types.size());
  std::iota(types.fastest_first.begin(), types.fastest_first.end(), std::size_t{0});
  std::ranges::sort(types.fastest_first, {},
                    [&](std::size_t t) { return std::pair(speed_rank(types.names[t]), types.pool[t]); });
  return types;
}

}  // namespace sextant::simulate
