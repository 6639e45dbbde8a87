#include "traits.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sextant/stats/quantiles.h"

namespace sextant::scaling {
namespace {

using Key = std::pair<std::string, std::string>;  // network, cluster
using Levels = std::map<std::string, double>;

constexpr int kRounds = 30;

// These are traits, not times: two digits of a logarithm are as much as the law can use of them.
double rounded(double level) {
  return std::round(level * 100) / 100;
}

struct Polished {
  Levels nets;
  Levels clusters;
};

double middle(const std::vector<double>& values) {
  return stats::sample_quantile(values, 0.5);
}

// Levels of one side: the median over the other side of what is left.
Levels levels(const std::map<Key, double>& cells, const Levels& other, bool of_nets) {
  std::map<std::string, std::vector<double>> left;
  for (const auto& [key, value] : cells) {
    const auto found = other.find(of_nets ? key.second : key.first);
    left[of_nets ? key.first : key.second].push_back(value - (found == other.end() ? 0 : found->second));
  }
  Levels out;
  for (const auto& [name, values] : left) out[name] = middle(values);
  return out;
}

Polished polish(const std::map<Key, double>& cells) {
  Polished out;
  for (int n = 0; n < kRounds; ++n) {
    out.clusters = levels(cells, out.nets, false);
    out.nets = levels(cells, out.clusters, true);
  }
  std::vector<double> values;
  for (const auto& [name, value] : out.nets) values.push_back(value);
  if (values.empty()) return out;
  const double centre = middle(values);
  for (auto& [name, value] : out.nets) value -= centre;
  for (auto& [name, value] : out.clusters) value += centre;
  return out;
}

struct Shortest {
  std::int64_t gpus = std::numeric_limits<std::int64_t>::max();
  double step = 0;
  std::vector<double> sync = {};
};

// Of the steps on the fewest GPUs: one, wherever that was timed.
std::map<Key, Shortest> shortest_steps(std::span<const ScalingRow> rows) {
  std::map<Key, Shortest> cells;
  for (const auto& row : rows) {
    Shortest& cell = cells[{row.at.net, row.at.cluster}];
    const std::int64_t gpus = row.at.placement.total();
    const double step = std::log(row.step.value);
    if (gpus < cell.gpus || (gpus == cell.gpus && step < cell.step)) cell.step = step;
    cell.gpus = std::min(cell.gpus, gpus);
    if (gpus == 1 && row.sync) cell.sync.push_back(std::log(row.sync->value));
  }
  return cells;
}

// Levels of the networks against clusters that are known.
Levels against(const std::map<Key, double>& cells, const Levels& clusters) {
  std::map<Key, double> on_known;
  for (const auto& [key, value] : cells) {
    if (clusters.contains(key.second)) on_known[key] = value;
  }
  return levels(on_known, clusters, true);
}

// A cluster that the model has not met is taken for a middling one.
void add_clusters(ScalingModel& model, std::span<const ScalingRow> rows) {
  std::vector<double> fixed;
  for (const auto& [name, cluster] : model.clusters) fixed.push_back(cluster.log_fixed);
  ScalingCluster usual;
  if (!fixed.empty()) usual.log_fixed = middle(fixed);
  for (const auto& row : rows) model.clusters.emplace(row.at.cluster, usual);
}

double slope_of(const Levels& sync, const Levels& fixed) {
  double both = 0;
  double own = 0;
  for (const auto& [name, value] : sync) {
    both += value * fixed.at(name);
    own += fixed.at(name) * fixed.at(name);
  }
  return own > 0 ? both / own : 0;
}

struct NetLevels {
  Levels fixed;
  Levels sync;
};

NetLevels first_levels(ScalingModel& model, const std::map<Key, double>& fixed,
                       const std::map<Key, double>& sync) {
  const Polished by_fixed = polish(fixed);
  const Polished by_sync = polish(sync);
  for (const auto& [name, value] : by_fixed.clusters) model.clusters[name].log_fixed = rounded(value);
  for (const auto& [name, value] : by_sync.clusters) model.clusters[name].log_sync = rounded(value);
  model.sync_per_fixed = slope_of(by_sync.nets, by_fixed.nets);
  return {by_fixed.nets, by_sync.nets};
}

NetLevels later_levels(const ScalingModel& model, const std::map<Key, double>& fixed,
                       const std::map<Key, double>& sync) {
  Levels fixed_at;
  Levels sync_at;
  for (const auto& [name, cluster] : model.clusters) {
    fixed_at[name] = cluster.log_fixed;
    if (cluster.log_sync) sync_at[name] = *cluster.log_sync;
  }
  return {against(fixed, fixed_at), against(sync, sync_at)};
}

}  // namespace

void set_traits(ScalingModel& model, std::span<const ScalingRow> rows, bool new_model) {
  add_clusters(model, rows);
  std::map<Key, double> fixed;
  std::map<Key, double> sync;
  for (const auto& [key, cell] : shortest_steps(rows)) {
    fixed[key] = cell.step;
    if (!cell.sync.empty()) sync[key] = middle(cell.sync);
  }
  const NetLevels of = new_model ? first_levels(model, fixed, sync) : later_levels(model, fixed, sync);
  for (const auto& [name, value] : of.fixed) {
    const auto found = of.sync.find(name);
    model.nets[name].fixed = rounded(value);
    model.nets[name].sync = rounded(found == of.sync.end() ? model.sync_per_fixed * value : found->second);
  }
  for (const auto& [key, value] : fixed) {
    model.cells[key].fixed_here =
        rounded(value - of.fixed.at(key.first) - model.clusters[key.second].log_fixed);
  }
}

}  // namespace sextant::scaling
