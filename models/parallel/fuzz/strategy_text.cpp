// Any bytes as a strategy: a choice comes out or an InputError does; what comes out is written and read
// again unchanged, and answers for some devices.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "sextant/parallel/parallel_strategy.h"

namespace {

void check(const sextant::parallel::ParallelChoice& choice) noexcept {
  const sextant::parallel::ParallelChoice again = sextant::parallel::parse_strategy(to_string(choice));
  if (again.strategy != choice.strategy || !(again.parameters == choice.parameters)) std::abort();
  sextant::parallel::LayerLoad layer;
  layer.name = "layer";
  layer.weights = layer.input = layer.output = 1e6;
  layer.forward = layer.backward = layer.update = sextant::Seconds{1e-3};
  layer.filters = layer.channels = layer.heads = 8;
  layer.height = layer.width = 8;
  layer.halo = 1;
  layer.tensor = sextant::parallel::TensorRole::reduced;
  const sextant::parallel::Workload load(std::vector<sextant::parallel::LayerLoad>(8, layer));
  const sextant::collectives::Path path{sextant::Seconds{1e-5}, sextant::Bandwidth{1e10}};
  const sextant::parallel::ParallelQuery query{
      {{&load, sextant::Bytes{1e9}}}, sextant::jobs::Placement::packed(8, 4), {path, path}, 32};
  const sextant::parallel::ParallelResult result = sextant::parallel::strategy_cost(choice, query);
  if (result && !(result->step().value > 0)) std::abort();
  if (!result && result.why().reason.empty()) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    check(sextant::parallel::parse_strategy(std::string(reinterpret_cast<const char*>(data), size)));
  } catch (const sextant::InputError&) {
  }
  return 0;
}
