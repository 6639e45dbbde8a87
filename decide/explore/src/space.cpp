#include "sextant/explore/space.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <set>

#include "sextant/core/text.h"
#include "space_axis.h"
#include "space_enumeration.h"

namespace sextant::explore {
namespace {

// NaN does not compare, so it is no key.
std::vector<double> key_of(const Configuration& configuration) {
  std::vector<double> key = configuration.values;
  for (double& value : key) {
    if (std::isnan(value)) value = -std::numeric_limits<double>::infinity();
  }
  return key;
}

std::vector<FeatureColumn> columns_of(const SearchFactor& factor, const std::vector<double>& numbers) {
  std::vector<FeatureColumn> columns;
  const bool always = !factor.condition;
  const LevelFeatures& features = factor.features;
  for (std::size_t i = 0; i < features.names.size(); ++i) {
    const bool positive = std::ranges::all_of(features.values.column(i), [](double x) { return x > 0; });
    columns.push_back(
        {.name = factor.name + "." + features.names[i], .positive = always && positive, .log = factor.log});
  }
  if (!columns.empty()) return columns;
  if (factor.kind == FactorKind::categorical) {
    for (const std::string& level : factor.levels) {
      columns.push_back({.name = factor.name + "=" + level, .numeric = false, .positive = false});
    }
    return columns;
  }
  const bool positive = has_levels(factor)
                            ? !numbers.empty() && std::ranges::all_of(numbers, [](double x) { return x > 0; })
                            : factor.low > 0;
  return {{.name = factor.name, .positive = always && positive, .log = factor.log}};
}

struct FactorFeature {
  std::size_t factor = 0;
  std::optional<std::size_t> feature = {};
};

// "vm" or "vm.vcpus".
std::optional<FactorFeature> find_name(const std::vector<SearchFactor>& factors, const std::string& name) {
  for (std::size_t i = 0; i < factors.size(); ++i) {
    const std::string& own = factors[i].name;
    if (name == own) return FactorFeature{.factor = i};
    if (name.size() <= own.size() + 1 || !name.starts_with(own) || name[own.size()] != '.') continue;
    const auto& features = factors[i].features.names;
    const auto found = std::ranges::find(features, name.substr(own.size() + 1));
    if (found != features.end()) {
      return FactorFeature{.factor = i, .feature = static_cast<std::size_t>(found - features.begin())};
    }
  }
  return std::nullopt;
}

std::vector<std::string> known_names(const std::vector<SearchFactor>& factors) {
  std::vector<std::string> names;
  for (const SearchFactor& factor : factors) {
    names.push_back(factor.name);
    for (const std::string& feature : factor.features.names) names.push_back(factor.name + "." + feature);
  }
  return names;
}

void check_factors(const std::vector<SearchFactor>& factors) {
  constexpr std::size_t kMostFactors = 1000;
  if (factors.empty()) throw InputError("there is no factor to choose");
  if (factors.size() > kMostFactors) {
    throw InputError(factors[kMostFactors].at,
                     "there are more than " + std::to_string(kMostFactors) + " factors");
  }
  std::set<std::string> seen;
  for (const SearchFactor& factor : factors) {
    if (!seen.insert(factor.name).second) {
      throw InputError(factor.at, "two factors are called '" + factor.name + "'");
    }
    check_factor(factor);
  }
}

}  // namespace

bool operator==(const Configuration& a, const Configuration& b) {
  // Any NaN is "absent"; 0 and -0 are the same choice of a level but not the same real number.
  return std::ranges::equal(a.values, b.values, [](double x, double y) {
    return (std::isnan(x) && std::isnan(y)) ||
           std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y);
  });
}

SearchSpace::SearchSpace(std::vector<SearchFactor> factors, std::vector<Expression> constraints)
    : factors_(std::move(factors)), constraints_(std::move(constraints)) {
  check_factors(factors_);
  for (const SearchFactor& factor : factors_) {
    level_numbers_.push_back(numbers_of_levels(factor));
    for (FeatureColumn& column : columns_of(factor, level_numbers_.back())) {
      columns_.push_back(std::move(column));
    }
  }
  for (const SearchFactor& factor : factors_) {
    if (factor.condition) bind(*factor.condition, "the condition of '" + factor.name + "'");
  }
  for (const Expression& constraint : constraints_) bind(constraint, "a constraint");
  order_conditions();
  ensure_some_valid();
}

SearchSpace SearchSpace::of_list(std::vector<SearchFactor> factors, std::vector<Configuration> configurations,
                                 std::vector<FeatureColumn> columns, stats::Matrix features) {
  check_factors(factors);
  if (configurations.empty()) throw InputError("the list of configurations is empty");
  if (features.rows() != configurations.size() || features.columns() != columns.size()) {
    throw InputError("there are " + std::to_string(configurations.size()) +
                     " configurations and features of " + std::to_string(features.rows()));
  }
  SearchSpace space;
  space.factors_ = std::move(factors);
  space.columns_ = std::move(columns);
  space.list_features_ = std::move(features);
  space.is_list_ = true;
  for (const SearchFactor& factor : space.factors_) space.level_numbers_.push_back(numbers_of_levels(factor));
  space.order_conditions();
  std::map<std::vector<double>, std::size_t> places;
  for (std::size_t i = 0; i < configurations.size(); ++i) {
    const std::vector<double>& values = configurations[i].values;
    bool known = values.size() == space.factors_.size();
    for (std::size_t f = 0; known && f < values.size(); ++f) {
      known = std::isnan(values[f]) || is_value(space.factors_[f], values[f]);
    }
    if (!known)
      throw InputError("configuration " + std::to_string(i + 1) + " has a value that no factor has");
    if (!places.emplace(key_of(configurations[i]), i).second) {
      throw InputError("configuration '" + space.text(configurations[i]) + "' is in the list twice");
    }
  }
  space.list_ = std::make_shared<const std::vector<Configuration>>(std::move(configurations));
  space.places_ = std::make_shared<const std::map<std::vector<double>, std::size_t>>(std::move(places));
  return space;
}

// Evaluated once with a value of the right type for each name, so that a text in the place of a number is an
// error when the space is made, not in the middle of a study.
void SearchSpace::bind(const Expression& expression, const std::string& what) const {
  (void)expression.holds([&](const std::string& name) -> ExpressionValue {
    const std::optional<FactorFeature> found = find_name(factors_, name);
    if (!found) {
      throw InputError(expression.where(), what + " names '" + name + "', which is no factor",
                       name_hint(name, known_names(factors_)));
    }
    const SearchFactor& factor = factors_[found->factor];
    const bool number = found->feature || !has_levels(factor) || !level_numbers_[found->factor].empty();
    return number ? ExpressionValue(1.0) : ExpressionValue(factor.levels.front());
  });
}

// Repeatedly takes the first factor whose condition names only factors taken before.
void SearchSpace::order_conditions() {
  std::vector<bool> taken(factors_.size(), false);
  const auto ready = [&](std::size_t i) {
    return !taken[i] && (!factors_[i].condition ||
                         std::ranges::all_of(factors_[i].condition->names(), [&](const std::string& name) {
                           const std::optional<FactorFeature> named = find_name(factors_, name);
                           return named && taken[named->factor];
                         }));
  };
  while (order_.size() < factors_.size()) {
    std::size_t next = 0;
    while (next < factors_.size() && !ready(next)) ++next;
    if (next == factors_.size()) break;
    taken[next] = true;
    order_.push_back(next);
  }
  if (order_.size() == factors_.size()) return;
  const auto stuck = static_cast<std::size_t>(std::ranges::find(taken, false) - taken.begin());
  throw InputError(factors_[stuck].at, "the condition of '" + factors_[stuck].name + "' depends on itself",
                   "conditions may not go in a circle: " + factors_[stuck].condition->text());
}

std::optional<ExpressionValue> SearchSpace::named_value(const Configuration& configuration,
                                                        const std::string& name) const {
  const std::optional<FactorFeature> found = find_name(factors_, name);
  if (!found) {
    const auto column = std::ranges::find(columns_, name, &FeatureColumn::name);
    if (!is_list_ || column == columns_.end() || !in_list(configuration)) return std::nullopt;
    return list_features_(*in_list(configuration), static_cast<std::size_t>(column - columns_.begin()));
  }
  const double value = configuration.values[found->factor];
  if (std::isnan(value)) return std::nullopt;
  const SearchFactor& factor = factors_[found->factor];
  if (!has_levels(factor)) return value;
  const auto level = static_cast<std::size_t>(value);
  if (found->feature) return factor.features.values(level, *found->feature);
  const std::vector<double>& numbers = level_numbers_[found->factor];
  if (!numbers.empty()) return numbers[level];
  return factor.levels[level];
}

// Whether it holds; nothing where it names an absent factor.
std::optional<bool> SearchSpace::holds(const Expression& expression,
                                       const Configuration& configuration) const {
  std::vector<ExpressionValue> values;
  for (const std::string& name : expression.names()) {
    std::optional<ExpressionValue> value = named_value(configuration, name);
    if (!value) return std::nullopt;
    values.push_back(std::move(*value));
  }
  return expression.holds([&](const std::string& name) {
    const auto place = std::ranges::find(expression.names(), name) - expression.names().begin();
    return values[static_cast<std::size_t>(place)];
  });
}

bool SearchSpace::present(std::size_t factor, const Configuration& configuration) const {
  const std::optional<Expression>& condition = factors_[factor].condition;
  return !condition || holds(*condition, configuration).value_or(false);
}

bool SearchSpace::meets(const Expression& constraint, const Configuration& configuration) const {
  return holds(constraint, configuration).value_or(true);
}

std::optional<std::size_t> SearchSpace::in_list(const Configuration& configuration) const {
  const auto found = places_->find(key_of(configuration));
  return found == places_->end() ? std::nullopt : std::optional(found->second);
}

bool SearchSpace::valid(const Configuration& configuration) const {
  if (configuration.values.size() != factors_.size()) return false;
  if (is_list_) return in_list(configuration).has_value();
  for (const std::size_t i : order_) {
    const double value = configuration.values[i];
    const bool absent = std::isnan(value);
    if (!absent && !is_value(factors_[i], value)) return false;
  }
  for (const std::size_t i : order_) {
    if (present(i, configuration) == std::isnan(configuration.values[i])) return false;
  }
  return std::ranges::all_of(constraints_, [&](const Expression& e) { return meets(e, configuration); });
}

Configuration SearchSpace::at(std::span<const double> unit) const {
  Configuration result{std::vector<double>(factors_.size(), kAbsent)};
  for (const std::size_t i : order_) {
    if (present(i, result)) result.values[i] = from_unit(factors_[i], unit[i]);
  }
  return result;
}

std::vector<double> SearchSpace::unit(const Configuration& configuration) const {
  std::vector<double> result;
  for (std::size_t i = 0; i < factors_.size(); ++i) {
    const double value = configuration.values[i];
    result.push_back(std::isnan(value) ? 0.5 : to_unit(factors_[i], value));
  }
  return result;
}

std::vector<double> SearchSpace::features(const Configuration& configuration) const {
  if (is_list_) {
    const std::optional<std::size_t> place = in_list(configuration);
    if (!place) throw InputError("'" + text(configuration) + "' is not in the list of configurations");
    const std::span<const double> row = list_features_.row(*place);
    return {row.begin(), row.end()};
  }
  std::vector<double> result;
  result.reserve(columns_.size());
  for (std::size_t i = 0; i < factors_.size(); ++i) {
    const SearchFactor& factor = factors_[i];
    const double value = configuration.values[i];
    const bool absent = std::isnan(value);
    const std::size_t level = absent || !has_levels(factor) ? 0 : static_cast<std::size_t>(value);
    if (!factor.features.names.empty()) {
      for (const double x : factor.features.values.row(level)) result.push_back(absent ? 0 : x);
    } else if (factor.kind == FactorKind::categorical) {
      for (std::size_t l = 0; l < factor.levels.size(); ++l) result.push_back(!absent && l == level ? 1 : 0);
    } else if (absent) {
      result.push_back(0);
    } else {
      result.push_back(level_numbers_[i].empty() ? value : level_numbers_[i][level]);
    }
  }
  return result;
}

std::string SearchSpace::text(const Configuration& configuration, std::size_t factor) const {
  const double value = configuration.values[factor];
  return std::isnan(value) ? "" : value_text(factors_[factor], value);
}

std::string SearchSpace::text(const Configuration& configuration) const {
  std::string result;
  for (std::size_t i = 0; i < factors_.size(); ++i) {
    if (std::isnan(configuration.values[i])) continue;
    result += (result.empty() ? "" : " ") + factors_[i].name + "=" + text(configuration, i);
  }
  return result;
}

}  // namespace sextant::explore
