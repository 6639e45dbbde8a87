#include "spatial_split.h"

#include <algorithm>

#include "groups.h"
#include "parts.h"

namespace sextant::parallel {
namespace {

struct Grid {
  std::int64_t rows = 1;
  std::int64_t columns = 1;
};

bool has_map(const LayerLoad& layer) {
  return layer.height * layer.width > 1;
}

const LayerLoad* smallest_map(const Workload& load) {
  const LayerLoad* smallest = nullptr;
  for (const LayerLoad& layer : load.layers()) {
    if (!has_map(layer)) continue;
    if (smallest == nullptr || layer.height * layer.width < smallest->height * smallest->width) {
      smallest = &layer;
    }
  }
  return smallest;
}

// As many strips as the lowest map has rows, then columns: strips have the fewest neighbours.
std::optional<Grid> grid_of(const LayerLoad& smallest, std::int64_t tiles) {
  for (std::int64_t rows = std::min(tiles, smallest.height); rows >= 1; --rows) {
    if (tiles % rows == 0 && tiles / rows <= smallest.width) return Grid{rows, tiles / rows};
  }
  return std::nullopt;
}

double largest_tile(const LayerLoad& layer, const Grid& grid) {
  const std::int64_t rows = (layer.height + grid.rows - 1) / grid.rows;
  const std::int64_t columns = (layer.width + grid.columns - 1) / grid.columns;
  return static_cast<double>(rows * columns) / static_cast<double>(layer.height * layer.width);
}

class Halos {
 public:
  Halos(const ParallelQuery& query, const Grid& grid, const collectives::Group& group)
      : fabric_(query.fabric), grid_(grid), pair_{2, group.nodes > 1 ? 2 : 1, group.flows} {}

  // Rows from the neighbours above and below, columns from those at the sides.
  [[nodiscard]] Seconds exchange(const LayerLoad& layer, Bytes map) const {
    const auto height = static_cast<double>(layer.input_height > 0 ? layer.input_height : layer.height);
    const double width = height * static_cast<double>(layer.width) / static_cast<double>(layer.height);
    const double reach = static_cast<double>(layer.halo);
    return side(grid_.rows, reach / height / static_cast<double>(grid_.columns) * map) +
           side(grid_.columns, reach / width / static_cast<double>(grid_.rows) * map);
  }

 private:
  [[nodiscard]] Seconds side(std::int64_t tiles, Bytes message) const {
    if (tiles < 2) return {};
    const auto neighbours = static_cast<double>(std::min(std::int64_t{2}, tiles - 1));
    return neighbours * collective_cost(fabric_, collectives::Collective::p2p, message, pair_).total();
  }

  const collectives::Fabric& fabric_;
  Grid grid_;
  collectives::Group pair_;
};

// A pooled map is summed from the tiles; anything else without a map needs all of the one before it.
Seconds leave_map(const ParallelQuery& query, const LayerLoad& layer, Bytes each,
                  const collectives::Group& group) {
  if (layer.height == 1) {
    return collective_cost(query.fabric, collectives::Collective::all_reduce, layer.output * each, group)
        .total();
  }
  return collective_cost(query.fabric, collectives::Collective::all_gather, layer.input * each, group)
      .total();
}

void split_maps(const ParallelQuery& query, const Grid& grid, ShardedStep& step) {
  const Workload& load = slowest_load(query);
  const collectives::Group inner = split_groups(query.placement, step.degrees.shards).inner;
  const Halos halos(query, grid, inner);
  const Bytes each = step.samples * load.terms().element;
  bool tiled = true;  // the input is
  for (std::size_t i = 0; i < load.layers().size(); ++i) {
    const LayerLoad& layer = load.layers()[i];
    LayerShare& share = step.shares[i];
    if (has_map(layer)) {
      share.time = share.kept = largest_tile(layer, grid);
      if (layer.halo > 0) {
        share.forward = halos.exchange(layer, layer.input * each);
        share.backward = halos.exchange(layer, layer.output * each);
      }
    } else if (tiled) {
      share.forward = leave_map(query, layer, each, inner);
    }
    tiled = has_map(layer);
  }
}

}  // namespace

ParallelResult spatial_cost(const ParallelQuery& query, const ShardRequest& request) {
  auto start = start_sharded(query, request);
  if (const auto* why = std::get_if<Infeasible>(&start)) return *why;
  auto& step = std::get<ShardedStep>(start);
  const LayerLoad* smallest = smallest_map(slowest_load(query));
  const std::string name = request.strategy;
  if (smallest == nullptr) return Infeasible{Limit::shape, name + ": no layer has a map to divide"};
  const auto grid = grid_of(*smallest, request.shards);
  if (!grid) {
    return Infeasible{Limit::shape, name + ": " + std::to_string(request.shards) + " devices, but layer '" +
                                        smallest->name + "' has a map of " +
                                        std::to_string(smallest->height) + " by " +
                                        std::to_string(smallest->width)};
  }
  split_maps(query, *grid, step);
  step.gradients.group = whole_group(query.placement);  // every device has all weights
  return sharded_cost(query, step);
}

}  // namespace sextant::parallel
