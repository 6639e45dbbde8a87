#include "space_enumeration.h"

#include <algorithm>
#include <cmath>

#include "space_axis.h"

namespace sextant::explore {
namespace {

// Absent before every number.
bool absent_first(const Configuration& a, const Configuration& b) {
  return std::ranges::lexicographical_compare(
      a.values, b.values, [](double x, double y) { return std::isnan(x) ? !std::isnan(y) : x < y; });
}

// "vm" of "vm.vcpus"; features belong to the factor of the longest name that fits.
bool names_factor(const std::string& name, const SearchFactor& factor) {
  return name == factor.name || name.starts_with(factor.name + ".");
}

}  // namespace

SpaceEnumeration::SpaceEnumeration(const SearchSpace& space, const Limits& limits)
    : space_(space), limits_(limits), due_(space.factors_.size()) {
  current_.values.assign(space.factors_.size(), kAbsent);
  for (const Expression& constraint : space.constraints_) {
    std::size_t last = 0;
    for (std::size_t depth = 0; depth < space.order_.size(); ++depth) {
      const SearchFactor& factor = space.factors_[space.order_[depth]];
      const bool named = std::ranges::any_of(
          constraint.names(), [&](const std::string& name) { return names_factor(name, factor); });
      if (named) last = depth;
    }
    due_[last].push_back(&constraint);
  }
}

EnumerationEnd SpaceEnumeration::run() {
  descend(0);
  return end_;
}

std::vector<Configuration> SpaceEnumeration::take() {
  std::ranges::sort(found_, absent_first);
  return std::move(found_);
}

bool SpaceEnumeration::descend(std::size_t depth) {
  if (depth == space_.order_.size()) {
    if (found_.size() == limits_.most) {
      end_ = EnumerationEnd::too_many;
      return false;
    }
    found_.push_back(current_);
    return true;
  }
  const std::size_t factor = space_.order_[depth];
  if (!space_.present(factor, current_)) return try_value(depth, kAbsent);
  const double count = value_count(space_.factors_[factor]);
  if (std::isinf(count)) {
    end_ = EnumerationEnd::infinite;
    return false;
  }
  for (double place = 0; place < count; ++place) {
    if (!try_value(depth, value_at(space_.factors_[factor], place))) return false;
  }
  current_.values[factor] = kAbsent;
  return true;
}

bool SpaceEnumeration::try_value(std::size_t depth, double value) {
  if (++steps_ > limits_.steps) {
    end_ = EnumerationEnd::too_long;
    return false;
  }
  current_.values[space_.order_[depth]] = value;
  const bool fits = std::ranges::all_of(
      due_[depth], [&](const Expression* constraint) { return space_.meets(*constraint, current_); });
  return !fits || descend(depth + 1);
}

}  // namespace sextant::explore
