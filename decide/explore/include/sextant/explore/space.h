// What can be chosen: factors with their levels or ranges, conditions under which a factor exists, and
// constraints that a configuration must meet. A configuration is a number per factor; models see features:
// what a level stands for (a machine type: cores, memory, price), not its name. Page:
// docs/models/search-space.md.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sextant/core/error.h"
#include "sextant/core/infinity.h"
#include "sextant/core/rng.h"
#include "sextant/explore/expression.h"
#include "sextant/stats/matrix.h"

namespace sextant::explore {

enum class FactorKind { integer, real, ordinal, categorical };

// Features of the levels of a factor: a row per level. Without any, a categorical factor is one dummy per
// level and every other factor is its own number; of an ordinal one with texts, the place in its order.
struct LevelFeatures {
  std::vector<std::string> names;
  stats::Matrix values;
};

struct SearchFactor {
  std::string name;
  FactorKind kind = FactorKind::categorical;
  double low = 0;  // integer, real: range, both ends allowed
  double high = 0;
  double step = 1;                       // integer: low, low + step, … up to high
  bool log = false;                      // steps are ratios
  std::vector<std::string> levels = {};  // ordinal: in order; categorical: in any
  LevelFeatures features = {};
  std::optional<Expression> condition = {};  // the factor exists only where this holds
  SourcePos at = {};
};

// Value of each factor: a number, or the index of a level; NaN where the factor does not exist.
struct Configuration {
  std::vector<double> values;
};
// Equal to the bit, absent factors included.
bool operator==(const Configuration& a, const Configuration& b);
inline constexpr double kAbsent = kNan;

struct FeatureColumn {
  std::string name;
  bool numeric = true;   // false: a dummy, 0 or 1
  bool positive = true;  // all values are: its logarithm makes sense
  bool log = false;      // the factor asks for it
};

class SearchSpace {
 public:
  // InputError for no factor, two of one name, an empty range, a level given twice, an expression that names
  // an unknown factor or compares texts with numbers, conditions in a circle, and constraints that nothing
  // meets. Expressions name factors and features of their levels ("vm.vcpus"). A condition that names an
  // absent factor fails; a constraint that names one does not apply.
  SearchSpace(std::vector<SearchFactor> factors, std::vector<Expression> constraints);
  // A list of configurations is all there is, each with features of its own (a row each): recorded tables.
  static SearchSpace of_list(std::vector<SearchFactor> factors, std::vector<Configuration> configurations,
                             std::vector<FeatureColumn> columns, stats::Matrix features);

  [[nodiscard]] const std::vector<SearchFactor>& factors() const { return factors_; }
  [[nodiscard]] const std::vector<FeatureColumn>& columns() const { return columns_; }

  // Within ranges, absent exactly where conditions fail, all constraints met.
  [[nodiscard]] bool valid(const Configuration& configuration) const;
  // All valid ones in lexicographic order (absent first; a list as it was given), or nothing where there are
  // more than `most`, infinitely many, or too many combinations to go through (ten million and more).
  [[nodiscard]] std::optional<std::vector<Configuration>> all(std::size_t most) const;
  // Of a point of the unit cube, a coordinate per factor; the result may break constraints. Equal parts of an
  // axis for levels and integers, absent where the condition fails.
  [[nodiscard]] Configuration at(std::span<const double> unit) const;
  // Middle of the part that at() maps to this configuration; 0.5 where absent.
  [[nodiscard]] std::vector<double> unit(const Configuration& configuration) const;
  // at() of a uniform point that meets the constraints: factors are independent but for those, and of two
  // branches of a condition neither is likelier for having more factors. Of a list: each alike. InputError
  // that names the constraints where 100,000 draws find none.
  [[nodiscard]] Configuration draw(Rng& rng) const;

  // A number per column, raw; 0 for what belongs to an absent factor. Columns are called as the factor, as
  // "factor.feature", or as "factor=level" (dummies).
  [[nodiscard]] std::vector<double> features(const Configuration& configuration) const;
  // What an expression sees under a name: a factor's number or text, or a feature of its level; nothing where
  // the factor is absent, or no factor or feature is called so.
  [[nodiscard]] std::optional<ExpressionValue> named_value(const Configuration& configuration,
                                                           const std::string& name) const;

  [[nodiscard]] std::string text(const Configuration& configuration, std::size_t factor) const;  // "" absent
  [[nodiscard]] std::string text(const Configuration& configuration) const;  // "batch=32 workers=2"
  // From a text per factor, "" for absent. InputError for what is no value of the factor, or not valid.
  [[nodiscard]] Configuration parse(std::span<const std::string> texts, const SourcePos& at = {}) const;

 private:
  SearchSpace() = default;
  void bind(const Expression& expression, const std::string& what) const;  // InputError: unknown name, types
  void order_conditions();
  void ensure_some_valid();
  [[nodiscard]] std::optional<bool> holds(const Expression& expression,
                                          const Configuration& configuration) const;
  [[nodiscard]] bool present(std::size_t factor, const Configuration& configuration) const;
  [[nodiscard]] bool meets(const Expression& constraint, const Configuration& configuration) const;
  [[nodiscard]] std::optional<std::size_t> in_list(const Configuration& configuration) const;

  std::vector<SearchFactor> factors_;
  std::vector<Expression> constraints_;
  std::vector<FeatureColumn> columns_;
  std::vector<std::vector<double>> level_numbers_;  // by factor; empty where a level is no number
  std::vector<std::size_t> order_;                  // of factors, each behind those its condition names
  // The only valid ones: a list, or a product whose constraints leave few; null: see the factors.
  std::shared_ptr<const std::vector<Configuration>> list_;
  std::shared_ptr<const std::map<std::vector<double>, std::size_t>> places_;  // in the list, absent as -inf
  bool is_list_ = false;
  stats::Matrix list_features_;

  friend class SpaceEnumeration;
};

// What strategies choose from: everything that is valid, or where that is more than `most`, a scrambled Sobol
// sample of valid ones, drawn anew from `rng`.
std::vector<Configuration> candidates(const SearchSpace& space, std::size_t most, Rng& rng);

}  // namespace sextant::explore
