#include "layout_options.h"

#include "kinds.h"

namespace sextant::cli {
namespace {

constexpr double kMostGpus = 100'000;

}  // namespace

std::vector<Option> layout_options(ask::LayoutFields& a) {
  return {
      {.name = "count",
       .summary = "GPUs that share the job, each with --batch samples of a step",
       .target = &a.counts,
       .value_name = "LIST",
       .low = 1,
       .high = kMostGpus},
      {.name = "nodes",
       .summary =
           "nodes that the GPUs are spread over; with --machine and without --count, all GPUs of N machines",
       .target = &a.nodes,
       .value_name = "LIST",
       .low = 1,
       .high = kMostGpus},
      {.name = "placement",
       .summary = "GPUs on each node: 44 = two nodes with 4 each; 134 = 1, 3 and 4; 16+16 for larger numbers",
       .target = &a.placements,
       .value_name = "LIST"},
      {.name = "strategy",
       .summary = "how the GPUs share the job; 'auto' takes the fastest strategy that fits; parameters as in "
                  "pipeline:micro=8",
       .target = &a.strategies,
       .value_name = "LIST",
       .names = strategy_names},
      {.name = "network",
       .summary = "link between nodes; the machine's own otherwise",
       .target = &a.link,
       .value_name = "LINK",
       .names = link_names}};
}

}  // namespace sextant::cli
