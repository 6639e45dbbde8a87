// Any text: a configuration whose counts and graph agree, or an InputError.
#include "sextant/nets/decoder_config.h"

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>

#include "decoder_graph.h"
#include "sextant/core/error.h"
#include "sextant/nets/cost.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sextant;
  using namespace sextant::nets;
  constexpr std::int64_t kMostLayers = 64;  // graphs of thousands of layers take their time
  try {
    const Decoder decoder = parse_decoder_config(std::string(data, data + size), "fuzz/config.json");
    const std::int64_t total = parameters(decoder).total();
    if (active_parameters(decoder).total() > total) throw std::logic_error("more active than there are");
    forward_flops(decoder, 64);
    cache_of_sequence(decoder, 64, Bytes{2});
    if (decoder.layers + decoder.encoder_layers > kMostLayers) return 0;
    const Network network = decoder_network(decoder, 4);
    const Graph graph = build(network, {});
    if (cost(graph).total.parameters < total) throw std::logic_error("the graph lacks parameters");
  } catch (const InputError&) {
    // bad input is answered with a message
  }
  return 0;
}
