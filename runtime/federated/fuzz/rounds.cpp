// The rounds that a server goes on from.
#include <cstdint>
#include <string>

#include "sextant/core/error.h"
#include "sextant/federated/round.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  try {
    const auto rounds = sextant::federated::rounds_from_json(text, "input");
    const std::string written = sextant::federated::rounds_text(rounds);
    if (sextant::federated::rounds_text(sextant::federated::rounds_from_json(written, "written")) !=
        written) {
      __builtin_trap();
    }
  } catch (const sextant::InputError&) {
    return 0;
  }
  return 0;
}
