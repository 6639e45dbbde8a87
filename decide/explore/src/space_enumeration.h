// All valid configurations of a finite space, depth first: factor by factor in the order of their conditions,
// each constraint tested as soon as the last factor that it names is set.
#pragma once

#include <vector>

#include "sextant/explore/space.h"

namespace sextant::explore {

enum class EnumerationEnd { complete, too_many, too_long, infinite };

class SpaceEnumeration {
 public:
  struct Limits {
    std::size_t most = 0;          // valid ones
    std::size_t steps = 10000000;  // values tried
  };

  SpaceEnumeration(const SearchSpace& space, const Limits& limits);
  EnumerationEnd run();
  [[nodiscard]] std::vector<Configuration> take();  // in lexicographic order, absent first

 private:
  bool descend(std::size_t depth);  // false: the end is known
  bool try_value(std::size_t depth, double value);

  const SearchSpace& space_;
  Limits limits_;
  std::vector<std::vector<const Expression*>> due_;  // constraints, by depth
  Configuration current_;
  std::vector<Configuration> found_;
  std::size_t steps_ = 0;
  EnumerationEnd end_ = EnumerationEnd::complete;
};

}  // namespace sextant::explore
