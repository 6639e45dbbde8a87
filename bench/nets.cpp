// Costing a network, relative to building its graph; and a deep network relative to a shallow one,
// which grows with the number of nodes when nothing is quadratic.
#include "ratio.h"
#include "sextant/nets/cost.h"
#include "sextant/nets/network.h"

namespace sextant::bench {
namespace {

void cost_against_build(benchmark::State& state) {
  const nets::Network network = nets::find_network("resnet50");
  const nets::Graph graph = build(network, {.batch = 32});
  report_ratio(
      state, [&] { return cost(graph).total.macs; },
      [&] { return build(network, {.batch = 32}).nodes.size(); });
}
BENCHMARK(cost_against_build)->UseManualTime()->Unit(benchmark::kMicrosecond);

void deep_against_shallow(benchmark::State& state) {
  const nets::Graph deep = build(nets::find_network("resnet152"), {});
  const nets::Graph shallow = build(nets::find_network("resnet18"), {});
  report_ratio(
      state, [&] { return cost(deep).total.macs; }, [&] { return cost(shallow).total.macs; });
  state.counters["nodes_ratio"] =
      static_cast<double>(deep.nodes.size()) / static_cast<double>(shallow.nodes.size());
}
BENCHMARK(deep_against_shallow)->UseManualTime()->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace sextant::bench
