// Ways to decide, one file each in decide/capacity/methods: a snapshot in, a decision out. A method keeps
// nothing that matters between two calls: it may remember what makes the next call faster, never what changes
// its answer.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sextant/capacity/decision.h"
#include "sextant/core/registry.h"

namespace sextant::capacity {

class Method {
 public:
  virtual ~Method() = default;
  virtual Decision decide(const Snapshot& snapshot) = 0;
};

struct MethodSetup {
  Parameters parameters = {};
  std::uint64_t seed = 0;
};

struct MethodInfo : PluginInfo {
  static constexpr PluginKind kKind = {"planning-method", "planning-methods",
                                       "ways to decide what to rent and who runs", "planning-method"};
  std::vector<std::string> aliases = {};
  std::unique_ptr<Method> (*make)(const MethodSetup&) = nullptr;
};

// All files of decide/capacity/methods, sorted by id.
const Registry<MethodInfo>& methods();

// A method and its parameters, as people write it: "random-greedy:restarts=200".
struct MethodChoice {
  const MethodInfo* method = nullptr;
  Parameters parameters = {};
  std::string text = {};
};
MethodChoice parse_method(std::string_view text, const SourcePos& at = {});

}  // namespace sextant::capacity
