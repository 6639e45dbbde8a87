// Configurations seen so far, absent factors included.
#pragma once

#include <span>
#include <unordered_set>

#include "sextant/explore/problem.h"

namespace sextant::explore {

struct ConfigurationHash {
  std::size_t operator()(const Configuration& configuration) const;
};

class ConfigurationSet {
 public:
  ConfigurationSet() = default;
  explicit ConfigurationSet(std::span<const Trial> trials) {
    for (const Trial& trial : trials) insert(trial.configuration);
  }
  bool insert(const Configuration& configuration) { return seen_.insert(configuration).second; }  // new
  [[nodiscard]] bool contains(const Configuration& configuration) const {
    return seen_.contains(configuration);
  }
  [[nodiscard]] std::size_t size() const { return seen_.size(); }

 private:
  std::unordered_set<Configuration, ConfigurationHash> seen_;
};

}  // namespace sextant::explore
