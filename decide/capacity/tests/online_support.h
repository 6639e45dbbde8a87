// Workloads of a line each, and methods that do what a test says.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "sextant/capacity/online.h"

namespace sextant::capacity::test {

// 0.001 USD a second, so that costs are read off times.
inline MachineType cheap_machine(std::int32_t gpus = 1) {
  return {.name = "m", .gpu = "g", .gpus = gpus, .hour_price = Dollars{3.6}};
}

// 100 s on one GPU, due after `due`, 0.01 USD for each second of lateness.
inline WorkloadJob job_of(const std::string& id, double submit, double due, double time = 100) {
  return {.id = id,
          .submit = Seconds{submit},
          .due = Seconds{due},
          .tardiness = DollarRate{0.01},
          .options = {{.type = 0, .gpus = 1, .time = Seconds{time}}}};
}

inline Workload workload_of(std::vector<WorkloadJob> jobs, std::size_t nodes = 1,
                            const MachineType& type = cheap_machine()) {
  return {.name = "test", .types = {type}, .nodes = std::vector<NodeState>(nodes), .jobs = std::move(jobs)};
}

using Script = std::function<Decision(const Snapshot&)>;

// The script stays where it is while the choice is used.
inline MethodChoice scripted(const Script& script) {
  class Scripted final : public Method {
   public:
    explicit Scripted(const Script& script) : script_(script) {}
    Decision decide(const Snapshot& snapshot) override { return script_(snapshot); }

   private:
    const Script& script_;
  };
  static thread_local const Script* current = nullptr;
  static const MethodInfo info{
      {.id = "scripted", .summary = "", .reference = ""}, {}, [](const MethodSetup&) {
        return std::unique_ptr<Method>(std::make_unique<Scripted>(*current));
      }};
  current = &script;
  return {.method = &info, .text = "scripted"};
}

// Job 0 on this node of type 0.
inline Decision on_node(const Snapshot& snapshot, std::int32_t node,
                        double wake = std::numeric_limits<double>::infinity()) {
  Decision decision{.nodes = std::vector<std::int32_t>(snapshot.nodes.size(), kNone), .wake = Seconds{wake}};
  decision.nodes[static_cast<std::size_t>(node)] = 0;
  decision.run = {{.job = 0, .option = 0, .shares = {{node, 1}}}};
  return decision;
}

}  // namespace sextant::capacity::test
