// Whatever the bytes, a table of throughputs is read or refused with a place; every speed in it is sound.
#include "sextant/jobs/throughputs.h"

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "sextant/core/error.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const auto table = sextant::jobs::ThroughputTable::parse(
        std::string(reinterpret_cast<const char*>(data), size), "fuzz.json");
    for (std::size_t type = 0; type < table.types().size(); ++type) {
      for (std::size_t key = 0; key < table.keys().size(); ++key) {
        const double speed = table.alone(type, key);
        if (!std::isfinite(speed) || speed < 0) std::abort();
      }
    }
  } catch (const sextant::InputError&) {
  }
  return 0;
}
