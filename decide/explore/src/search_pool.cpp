#include "search_pool.h"

#include <algorithm>
#include <cmath>

#include "untried.h"

namespace sextant::explore {
namespace {

constexpr std::size_t kSample = 1024;  // for ranges of features, where the space is too large to list
constexpr std::size_t kMovesPerTrial = 64;

// One factor or two moved, half of the moves by little.
Configuration moved(const SearchSpace& space, const Configuration& from, Rng& rng) {
  std::vector<double> unit = space.unit(from);
  const std::uint64_t changes = 1 + rng.below(2);
  for (std::uint64_t i = 0; i < changes; ++i) {
    double& u = unit[rng.below(unit.size())];
    const double reach = rng.uniform() < 0.5 ? 0.02 : 0.15;
    u = std::clamp(u + reach * rng.normal(), 0.0, std::nextafter(1.0, 0.0));
  }
  return space.at(unit);
}

void add_moves(const SearchView& view, std::span<const Configuration> good, Rng& rng,
               std::vector<Configuration>& pool) {
  const TriedConfigurations tried(view);
  ConfigurationSet seen;
  for (const Configuration& each : pool) seen.insert(each);
  for (const Configuration& from : good) {
    for (std::size_t i = 0; i < kMovesPerTrial; ++i) {
      Configuration next = moved(view.problem.space, from, rng);
      if (!view.problem.space.valid(next) || tried.contains(next)) continue;
      if (seen.insert(next)) pool.push_back(std::move(next));
    }
  }
}

// A sample hardly ever has the smallest and the largest of everything.
void add_corners(const SearchSpace& space, std::vector<Configuration>& sample) {
  for (const double u : {0.0, std::nextafter(1.0, 0.0)}) {
    Configuration corner = space.at(std::vector<double>(space.factors().size(), u));
    if (space.valid(corner) && std::ranges::find(sample, corner) == sample.end()) {
      sample.push_back(std::move(corner));
    }
  }
}

}  // namespace

SearchPool search_pool(const SearchView& view, const PoolRequest& request) {
  const SearchSpace& space = view.problem.space;
  if (std::optional<std::vector<Configuration>> all = space.all(request.most)) {
    SearchPool pool{FeatureMap(space, *all, request.totals), std::move(*all), {}};
    const TriedConfigurations tried(view);
    std::ranges::copy_if(pool.sample, std::back_inserter(pool.untried),
                         [&](const Configuration& each) { return !tried.contains(each); });
    return pool;
  }
  Rng fixed = Rng(view.seed).stream("pool-sample");
  std::vector<Configuration> sample = candidates(space, kSample, fixed);
  add_corners(space, sample);
  FeatureMap features(space, sample, request.totals);
  Rng rng = Rng(view.seed).stream("pool", view.trials.size());
  std::vector<Configuration> untried = untried_candidates(view, request.most, rng);
  add_moves(view, request.good, rng, untried);
  return {std::move(features), std::move(sample), std::move(untried)};
}

}  // namespace sextant::explore
