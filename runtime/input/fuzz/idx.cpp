// Whatever the bytes, plain or packed, an array of the size that its dimensions say is read, or refused.
#include "sextant/input/idx.h"

#include <cstdint>
#include <cstdlib>

#include "sextant/core/error.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const sextant::input::IdxArray array = sextant::input::parse_idx({data, size}, "fuzz");
    std::size_t total = 1;
    for (const std::int64_t dim : array.dims) total *= static_cast<std::size_t>(dim);
    if (total != array.values.size()) std::abort();
  } catch (const sextant::InputError&) {
  }
  return 0;
}
