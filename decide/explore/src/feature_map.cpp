#include "feature_map.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

namespace sextant::explore {
namespace {

constexpr std::size_t kMostTotals = 16;  // of spaces with very many features

const SearchFactor* factor_called(const SearchSpace& space, const std::string& name) {
  const auto found = std::ranges::find(space.factors(), name, &SearchFactor::name);
  return found == space.factors().end() ? nullptr : &*found;
}

bool whole_numbers(const stats::Matrix& sample, std::size_t column) {
  for (std::size_t i = 0; i < sample.rows(); ++i) {
    if (sample(i, column) < 1 || sample(i, column) != std::floor(sample(i, column))) return false;
  }
  return true;
}

bool positive(const SearchSpace& space, const stats::Matrix& sample, std::size_t column) {
  if (!space.columns()[column].numeric || !space.columns()[column].positive) return false;
  for (std::size_t i = 0; i < sample.rows(); ++i) {
    if (!(sample(i, column) > 0)) return false;
  }
  return true;
}

// A factor's own number that counts something: machines, workers, servers.
bool count(const SearchSpace& space, const stats::Matrix& sample, std::size_t column) {
  const SearchFactor* factor = factor_called(space, space.columns()[column].name);
  return factor != nullptr && factor->kind != FactorKind::real && whole_numbers(sample, column);
}

stats::Matrix raw_features(const SearchSpace& space, std::span<const Configuration> sample) {
  stats::Matrix raw(sample.size(), space.columns().size());
  for (std::size_t i = 0; i < sample.size(); ++i) {
    const std::vector<double> row = space.features(sample[i]);
    for (std::size_t c = 0; c < row.size(); ++c) raw(i, c) = row[c];
  }
  return raw;
}

}  // namespace

double FeatureMap::value(const Row& row, std::span<const double> features) {
  double value = features[row.column];
  if (row.times) value *= features[*row.times];
  // Outside the sample, a feature that was positive within it may not be.
  if (row.log) value = std::log(std::max(value, std::numeric_limits<double>::min()));
  return (value - row.low) / row.width;
}

void FeatureMap::add_numeric(Row row, const stats::Matrix& sample, bool amount) {
  double low = std::numeric_limits<double>::infinity();
  double high = -low;
  for (std::size_t i = 0; i < sample.rows(); ++i) {
    const double x = value(row, sample.row(i));
    low = std::min(low, x);
    high = std::max(high, x);
  }
  if (!(high - low > 0) || !std::isfinite(high - low)) return;
  row.low = low;
  row.width = high - low;
  row.group = groups_++;
  numeric_.push_back(rows());
  if (amount) amounts_.push_back(rows());
  rows_.push_back(row);
}

void FeatureMap::add_dummies(const SearchSpace& space, const stats::Matrix& sample) {
  std::map<std::string, Eigen::Index> groups;  // by the name before '='
  for (std::size_t c = 0; c < space.columns().size(); ++c) {
    const FeatureColumn& column = space.columns()[c];
    if (column.numeric) continue;
    const std::vector<double> values = sample.column(c);
    if (std::ranges::all_of(values, [&](double x) { return x == values.front(); })) continue;
    const auto [group, fresh] = groups.emplace(column.name.substr(0, column.name.find('=')), groups_);
    if (fresh) ++groups_;
    // Two levels differ in two dummies.
    rows_.push_back({.column = c, .width = std::numbers::sqrt2, .group = group->second});
  }
}

void FeatureMap::add_totals(const std::vector<std::size_t>& amounts, const stats::Matrix& sample) {
  std::size_t totals = 0;
  for (std::size_t i = 0; i < amounts.size(); ++i) {
    if (!count(*space_, sample, amounts[i])) continue;
    for (std::size_t j = 0; j < amounts.size() && totals < kMostTotals; ++j) {
      // Two counts make one total.
      if (i == j || (j < i && count(*space_, sample, amounts[j]))) continue;
      add_numeric({.column = amounts[j], .times = amounts[i], .log = true}, sample, true);
      ++totals;
    }
  }
}

FeatureMap::FeatureMap(const SearchSpace& space, std::span<const Configuration> sample, Totals totals)
    : space_(&space) {
  const stats::Matrix raw = raw_features(space, sample);
  std::vector<std::size_t> amounts;
  for (std::size_t c = 0; c < space.columns().size(); ++c) {
    const FeatureColumn& column = space.columns()[c];
    if (!column.numeric) continue;
    const SearchFactor* own = factor_called(space, column.name);
    const bool real = own != nullptr && own->kind == FactorKind::real;
    const bool ratios = positive(space, raw, c) && (column.log || !real);
    const bool amount = ratios && !real;
    if (amount) amounts.push_back(c);
    add_numeric({.column = c, .log = ratios}, raw, amount);
  }
  if (totals == Totals::added) add_totals(amounts, raw);
  add_dummies(space, raw);
}

GpPoints FeatureMap::points(std::span<const Configuration> configurations) const {
  GpPoints points(rows(), static_cast<Eigen::Index>(configurations.size()));
  for (std::size_t i = 0; i < configurations.size(); ++i) {
    const std::vector<double> features = space_->features(configurations[i]);
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      points(static_cast<Eigen::Index>(r), static_cast<Eigen::Index>(i)) = value(rows_[r], features);
    }
  }
  return points;
}

}  // namespace sextant::explore
