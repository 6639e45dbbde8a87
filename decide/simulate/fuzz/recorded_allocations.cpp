// Recorded shares of Gavel's policies: any text is read, or refused with a position.
#include <cstddef>
#include <cstdint>
#include <string>

#include "sextant/core/error.h"
#include "sextant/simulate/gavel.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const sextant::clusters::Cluster cluster{
      .name = "fuzz", .pools = {{.type = "v100", .gpus = 2}, {.type = "k80", .gpus = 4}}};
  const std::string text(reinterpret_cast<const char*>(data), size);
  try {
    for (const auto& record : sextant::simulate::parse_recorded_allocations(text, "fuzz.allocs", cluster)) {
      for (const auto& share : record.shares) {
        if (share.share.size() != cluster.pools.size() || share.first < 0) __builtin_trap();
      }
    }
  } catch (const sextant::InputError&) {
  }
  return 0;
}
