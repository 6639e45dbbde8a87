// Whatever the bytes, a calibrated device is read or refused, and what was read predicts a time that is no
// NaN.
#include "sextant/predict/calibrated_device.h"

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "sextant/nets/network.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sextant;
  using namespace sextant::predict;
  static const nets::Graph graph = build(nets::zoo().get("lenet5"), {});
  static const nets::GraphCost counted = cost(graph);
  const jobs::Job job;
  try {
    const std::string text(reinterpret_cast<const char*>(data), size);
    for (const auto& [id, device] : calibrated_devices_from_json(text, "fuzz")) {
      if (std::isnan(device_step(device, graph, counted, job).total_s())) std::abort();
    }
  } catch (const InputError&) {
  }
  return 0;
}
