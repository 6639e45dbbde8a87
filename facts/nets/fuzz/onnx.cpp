// Any bytes: an ONNX model that builds and can be costed, or an InputError.
#include "sextant/nets/onnx.h"

#include <cstddef>
#include <cstdint>
#include <string>

#include "sextant/core/error.h"
#include "sextant/nets/cost.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sextant;
  using namespace sextant::nets;
  try {
    const Network network = parse_onnx_network(std::string(data, data + size), "fuzz.onnx");
    const Defaults& d = network.defaults;
    for (const std::int64_t batch : {1, 3}) {
      const Graph graph =
          network.build({.batch = batch, .image = d.image, .seq = d.seq, .classes = d.classes});
      unknown_operators(graph);
      cost(graph);
    }
  } catch (const InputError&) {
    // bad input is answered with a message
  }
  return 0;
}
