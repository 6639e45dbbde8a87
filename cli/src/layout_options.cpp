#include "layout_options.h"

#include <algorithm>

#include "kinds.h"
#include "sextant/core/text.h"

namespace sextant {
namespace {

constexpr double kMostGpus = 100'000;

// A list, or one place for "nothing was said".
template <class Item>
std::vector<std::optional<Item>> or_nothing(const std::vector<Item>& items) {
  std::vector<std::optional<Item>> all(items.begin(), items.end());
  if (all.empty()) all.emplace_back();
  return all;
}

std::vector<Placement> placements(const LayoutArgs& args, const Machine* machine) {
  PlacementRequest request;
  if (machine != nullptr) {
    request.per_node = std::max<std::int64_t>(1, static_cast<std::int64_t>(machine->gpu_count));
    request.on_each_node = request.per_node;
  }
  const auto counts = or_nothing(args.counts);
  const auto node_counts = or_nothing(args.nodes);
  const auto texts = or_nothing(args.placements);
  std::vector<Placement> all;
  for (const auto& count : counts) {
    for (const auto& nodes : node_counts) {
      for (const auto& text : texts) {
        request.count = count;
        request.nodes = nodes;
        request.placement = text ? std::optional(parse_placement(*text, {"--placement"})) : std::nullopt;
        all.push_back(place(request));
      }
    }
  }
  return all;
}

void check_machine(const Placement& placement, const Machine& machine) {
  const auto has = static_cast<std::int64_t>(machine.gpu_count);
  if (placement.fullest() <= has) return;
  throw InputError({"--placement"}, std::to_string(placement.fullest()) + " GPUs on a node, but " +
                                        machine.id + " has " + std::to_string(has));
}

}  // namespace

std::vector<Option> layout_options(LayoutArgs& a) {
  return {{.name = "count",
           .summary = "GPUs that share the job, each with --batch samples of a step",
           .target = &a.counts,
           .value_name = "LIST",
           .low = 1,
           .high = kMostGpus},
          {.name = "nodes",
           .summary = "nodes that they are spread over; without --count all GPUs of so many machines",
           .target = &a.nodes,
           .value_name = "LIST",
           .low = 1,
           .high = kMostGpus},
          {.name = "placement",
           .summary = "GPUs used on each node: 44 or 134, and 16+16 where a node has ten or more",
           .target = &a.placements,
           .value_name = "LIST"},
          {.name = "strategy",
           .summary = "how they share it, or 'auto' for the fastest that fits; parameters as in "
                      "pipeline:micro=8",
           .target = &a.strategies,
           .value_name = "LIST",
           .names = strategy_names},
          {.name = "network",
           .summary = "link between nodes, instead of the machine's own",
           .target = &a.network,
           .value_name = "LINK",
           .names = link_names}};
}

std::vector<Layout> layouts(const LayoutArgs& args, const Machine* machine) {
  std::vector<Layout> all;
  for (const Placement& placement : placements(args, machine)) {
    if (machine != nullptr) check_machine(placement, *machine);
    for (const std::string& strategy : args.strategies) {
      all.push_back({.placement = placement,
                     .strategy = strategy,
                     .machine = machine == nullptr ? "" : machine->id,
                     .network = args.network.value_or("")});
      if (placement.total() == 1) break;  // one device has no strategy
    }
  }
  return all;
}

Layout only_layout(const LayoutArgs& args) {
  const auto all = layouts(args, nullptr);
  if (all.size() == 1) return all.front();
  throw InputError({"--count"}, "with --cases one layout at most: the default of rows that name none");
}

}  // namespace sextant
