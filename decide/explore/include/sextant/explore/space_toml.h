// A space as its user writes it: a [[factor]] table for each choice, and constraints. Keys and examples:
// docs/models/search-space.md. Machine types come from outside, through a lookup, since this module knows no
// catalogue.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "sextant/core/toml.h"
#include "sextant/explore/space.h"

namespace sextant::explore {

struct KnownMachine {
  std::string id;
  std::map<std::string, double> numbers = {};     // features that are known of it: "vcpus", "memory_gib"
  std::map<std::string, std::string> texts = {};  // what a filter may ask for as well: "cloud", "gpu"
};

// Empty functions: no machine types are known here.
struct MachineLookup {
  std::function<KnownMachine(const std::string& name, const SourcePos& at)> find =
      {};  // InputError with a hint
  std::function<std::vector<KnownMachine>()> all = {};
};

// Reads `factor` and `constraints` and leaves the other keys, and finish(), to the caller.
SearchSpace read_space(TomlSection& root, const MachineLookup& machines = {});
}  // namespace sextant::explore
