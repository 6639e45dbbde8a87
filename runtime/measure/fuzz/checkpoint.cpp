// Checkpoints of any bytes: refused with an InputError, or read and written back to the same bytes.
#include "sextant/measure/checkpoint.h"

#include <cstdint>
#include <cstdlib>
#include <string>

#include "sextant/core/error.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  try {
    if (sextant::measure::checkpoint_bytes(sextant::measure::parse_checkpoint(bytes, "fuzz")) != bytes)
      std::abort();
  } catch (const sextant::InputError&) {
  }
  return 0;
}
