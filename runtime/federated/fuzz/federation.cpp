// A federation as its processes read it.
#include "sextant/federated/federation.h"

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "sextant/core/error.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  try {
    const auto federation = sextant::federated::federation_from_json(text, "input");
    const std::string written = to_json(federation).dump();
    if (to_json(sextant::federated::federation_from_json(written, "written")).dump() != written)
      __builtin_trap();
  } catch (const sextant::InputError&) {
    return 0;
  }
  return 0;
}
