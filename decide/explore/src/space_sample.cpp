// Drawing from a space, listing it, and reading configurations of it.
#include <algorithm>
#include <cmath>

#include "sextant/core/text.h"
#include "sextant/explore/configuration_set.h"
#include "sextant/explore/sobol.h"
#include "sextant/explore/space.h"
#include "space_axis.h"
#include "space_enumeration.h"

namespace sextant::explore {
namespace {

constexpr int kMostDraws = 100000;

std::string constraint_texts(const std::vector<Expression>& constraints) {
  std::vector<std::string> texts;
  for (const Expression& constraint : constraints) texts.push_back("'" + constraint.text() + "'");
  return join(texts, ", ");
}

SourcePos first_position(const std::vector<Expression>& constraints) {
  return constraints.empty() ? SourcePos{} : constraints.front().where();
}

std::string level_hint(const SearchFactor& factor, const std::string& text) {
  if (has_levels(factor)) return name_hint(text, factor.levels);
  std::string hint = factor.kind == FactorKind::integer ? "a whole number" : "a number";
  hint += " from " + number_text(factor.low) + " to " + number_text(factor.high);
  if (factor.kind == FactorKind::integer && factor.step != 1) {
    hint += " in steps of " + number_text(factor.step);
  }
  return hint;
}

}  // namespace

std::optional<std::vector<Configuration>> SearchSpace::all(std::size_t most) const {
  if (list_) return list_->size() <= most ? std::optional(*list_) : std::nullopt;
  SpaceEnumeration enumeration(*this, {.most = most});
  if (enumeration.run() != EnumerationEnd::complete) return std::nullopt;
  return enumeration.take();
}

// Where few of the drawn points meet the constraints, the valid ones are kept as a list if they can be
// listed, which also tells contradictory constraints from strict ones.
void SearchSpace::ensure_some_valid() {
  if (constraints_.empty()) return;
  constexpr int kProbes = 200;
  Rng rng = Rng(0).stream("space-probe");
  int met = 0;
  for (int i = 0; i < kProbes; ++i) {
    std::vector<double> point(factors_.size());
    for (double& u : point) u = rng.uniform();
    met += valid(at(point)) ? 1 : 0;
  }
  if (met >= kProbes / 20) return;
  SpaceEnumeration enumeration(*this, {.most = 200000, .steps = 2000000});
  if (enumeration.run() == EnumerationEnd::complete) {
    std::vector<Configuration> found = enumeration.take();
    if (found.empty()) {
      throw InputError(first_position(constraints_),
                       "no configuration meets the constraints " + constraint_texts(constraints_),
                       "they contradict each other or the ranges of the factors");
    }
    list_ = std::make_shared<const std::vector<Configuration>>(std::move(found));
    return;
  }
  if (met == 0) (void)draw(rng);
}

Configuration SearchSpace::draw(Rng& rng) const {
  if (list_) return (*list_)[rng.below(list_->size())];
  std::vector<double> point(factors_.size());
  for (int i = 0; i < kMostDraws; ++i) {
    for (double& u : point) u = rng.uniform();
    Configuration drawn = at(point);
    if (valid(drawn)) return drawn;
  }
  throw InputError(first_position(constraints_),
                   "none of " + std::to_string(kMostDraws) + " drawn configurations meets the constraints " +
                       constraint_texts(constraints_),
                   "narrow the ranges to where they can be met");
}

Configuration SearchSpace::parse(std::span<const std::string> texts, const SourcePos& at) const {
  if (texts.size() != factors_.size()) {
    throw InputError(at, "a configuration has " + std::to_string(factors_.size()) + " values, not " +
                             std::to_string(texts.size()));
  }
  Configuration result;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const std::optional<double> value =
        texts[i].empty() ? std::optional(kAbsent) : parse_value(factors_[i], texts[i]);
    if (!value) {
      throw InputError(at, "'" + texts[i] + "' is no value of factor '" + factors_[i].name + "'",
                       level_hint(factors_[i], texts[i]));
    }
    result.values.push_back(*value);
  }
  if (valid(result)) return result;
  if (is_list_) throw InputError(at, "'" + text(result) + "' is not in the list of configurations");
  for (const std::size_t i : order_) {
    const bool there = !std::isnan(result.values[i]);
    if (present(i, result) == there) continue;
    throw InputError(at,
                     "factor '" + factors_[i].name + "' " + (there ? "has a value" : "has no value") +
                         " in '" + text(result) + "'",
                     there ? "it exists only where " + factors_[i].condition->text() : "give one");
  }
  for (const Expression& constraint : constraints_) {
    if (meets(constraint, result)) continue;
    throw InputError(at, "'" + text(result) + "' breaks the constraint '" + constraint.text() + "'");
  }
  throw std::logic_error("a configuration is invalid for no reason");
}

std::vector<Configuration> candidates(const SearchSpace& space, std::size_t most, Rng& rng) {
  if (std::optional<std::vector<Configuration>> all = space.all(most)) return std::move(*all);
  ConfigurationSet seen;
  std::vector<Configuration> found;
  const SobolSequence sequence(space.factors().size(), rng.bits());
  // Points that break constraints or round to one configuration are skipped, within reason.
  const std::uint64_t tries = 64 * static_cast<std::uint64_t>(most) + 1024;
  for (std::uint64_t i = 0; i < tries && found.size() < most; ++i) {
    Configuration next = space.at(sequence.point(i));
    if (!space.valid(next) || !seen.insert(next)) continue;
    found.push_back(std::move(next));
  }
  // A list, or constraints that hardly any point meets.
  for (std::size_t i = 0; i < 4 * most && found.size() < most; ++i) {
    Configuration next = space.draw(rng);
    if (seen.insert(next)) found.push_back(std::move(next));
  }
  return found;
}

}  // namespace sextant::explore
