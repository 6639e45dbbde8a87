// Machine types first, by the GPUs that all jobs together want of each kind; then who goes where.
#include <algorithm>
#include <limits>
#include <map>

#include "greedy_build.h"
#include "search.h"
#include "sextant/capacity/method.h"

namespace sextant::capacity::planning_method_hierarchical {
namespace {

struct Demand {
  std::int32_t type = kNone;  // the largest machine of the GPU
  double gpus = 0;
};

std::vector<Demand> demands(const CostModel& model) {
  std::map<std::string, Demand> by_gpu;
  for (const std::int32_t job : jobs_by_pressure(model)) {
    const std::vector<std::int32_t> options = options_in_order(model, job);
    if (options.empty()) continue;
    const OptionCost& option = model.option(job, options.front());
    Demand& demand = by_gpu[model.snapshot().types[static_cast<std::size_t>(option.type)].gpu];
    demand.type = types_like(model.snapshot(), option.type).back();
    demand.gpus += option.gpus;
  }
  std::vector<Demand> all;
  for (const auto& [gpu, demand] : by_gpu) all.push_back(demand);
  return all;
}

// The node goes to the GPU that lacks most machines.
std::int32_t next_type(const CostModel& model, const NodeState& node, std::vector<Demand>& demands) {
  if (node.down) return kNone;
  if (node.only != kNone) return node.only;
  const auto machines = [&](const Demand& demand) {
    return demand.gpus / model.snapshot().types[static_cast<std::size_t>(demand.type)].gpus;
  };
  const auto most = std::ranges::max_element(demands, {}, machines);
  if (most == demands.end() || most->gpus <= 0) return kNone;
  most->gpus -= model.snapshot().types[static_cast<std::size_t>(most->type)].gpus;
  return most->type;
}

class Hierarchical final : public Method {
 public:
  explicit Hierarchical(const MethodSetup& setup)
      : passes_(static_cast<int>(setup.parameters.count("passes"))) {}

  Decision decide(const Snapshot& snapshot) override {
    const CostModel model(snapshot);
    std::vector<Demand> wanted = demands(model);
    std::vector<std::int32_t> types;
    for (const NodeState& node : snapshot.nodes) types.push_back(next_type(model, node, wanted));
    Layout layout(model);
    for (const std::int32_t job : jobs_by_pressure(model)) assign(layout, job, types);
    repair(layout);
    local_search(layout, passes_);
    return layout.decision();
  }

 private:
  static void assign(Layout& layout, std::int32_t job, const std::vector<std::int32_t>& types) {
    const CostModel& model = layout.model();
    double least = std::numeric_limits<double>::infinity();
    std::int32_t best = kNone;
    std::int32_t best_option = kNone;
    for (const std::int32_t option : options_in_order(model, job)) {
      for (std::int32_t node = 0; node < layout.nodes(); ++node) {
        if (types[static_cast<std::size_t>(node)] != model.option(job, option).type) continue;
        const double cost = layout.cost_with(job, option, node);
        if (cost >= least) continue;
        least = cost;
        best = node;
        best_option = option;
      }
    }
    if (best != kNone) layout.place_on(job, best_option, best);
  }

  int passes_;
};

}  // namespace

std::vector<MethodInfo> plugin() {
  return {{{.id = "hierarchical",
            .summary = "machine types by what all jobs want, then who goes where",
            .reference = "Jahani et al., hierarchical scheduling",
            .parameters = {count_parameter("passes", "of local search after it, at most",
                                           {.fallback = 5, .low = 1, .high = 1e6})}},
           {},
           [](const MethodSetup& setup) -> std::unique_ptr<Method> {
             return std::make_unique<Hierarchical>(setup);
           }}};
}

}  // namespace sextant::capacity::planning_method_hierarchical
