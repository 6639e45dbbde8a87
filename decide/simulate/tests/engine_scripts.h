// Policies and faults that do what a test says, to bring an engine into any state.
#pragma once

#include <functional>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "engine.h"

namespace sextant::simulate {

class ScriptedPolicy final : public schedule::QueuePolicy {
 public:
  using Script = std::function<void(const schedule::ClusterView&, schedule::Decision&)>;
  explicit ScriptedPolicy(Script script) : script_(std::move(script)) {}
  void decide(const schedule::ClusterView& view, schedule::Decision& out) override { script_(view, out); }

 private:
  Script script_;
};

// Outages of node 0, in order; other nodes stay up.
class ScriptedFault final : public FaultProcess {
 public:
  explicit ScriptedFault(std::vector<Outage> outages, std::int64_t node = 0)
      : outages_(std::move(outages)), node_(node) {}
  Outage next(std::int64_t node, double now_s) override {
    for (const Outage& outage : outages_) {
      if (node == node_ && outage.at_s > now_s) return outage;
    }
    return {.at_s = std::numeric_limits<double>::infinity(), .until_s = 0};
  }
  [[nodiscard]] double mean_time_between_s() const override { return 1000; }

 private:
  std::vector<Outage> outages_;
  std::int64_t node_;
};

struct ScriptedRun {
  RunOptions options = {.policy = {}};
  ScriptedPolicy::Script script = {};  // none: the policy of the options
  std::vector<Outage> outages = {};    // of node 0
};

inline RunResult run_script(const JobSet& jobs, const clusters::Cluster& cluster, const ScriptedRun& script) {
  std::unique_ptr<schedule::QueuePolicy> policy;
  if (script.script)
    policy = std::make_unique<ScriptedPolicy>(script.script);
  else
    policy = script.options.policy.policy->queue({.parameters = script.options.policy.parameters});
  EngineParts parts{.policy = RunPolicy(std::move(policy))};
  if (!script.outages.empty()) parts.faults.push_back(std::make_unique<ScriptedFault>(script.outages));
  return Engine(jobs, cluster, script.options, std::move(parts)).run();
}

}  // namespace sextant::simulate
