// When clients are there: whatever the file, the answers of a trace that was read go together.
#include "sextant/federated/availability_trace.h"

#include <algorithm>
#include <cstdint>
#include <string>

#include "sextant/core/error.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using sextant::events::Nanos;
  try {
    const auto trace = sextant::federated::AvailabilityTrace::parse(
        std::string(reinterpret_cast<const char*>(data), size), "input");
    for (std::int64_t client = 0; client < std::min<std::int64_t>(trace.clients(), 8); ++client) {
      for (Nanos at = 0; at < 4'000'000'000; at += 333'333'333) {
        const Nanos next = trace.next(client, at);
        if (next < at || trace.there(client, at) != (next == at)) __builtin_trap();
        if (next == sextant::events::kEndless) continue;
        if (!trace.there(client, next) || trace.until(client, next) <= next) __builtin_trap();
      }
    }
  } catch (const sextant::InputError&) {
    return 0;
  }
  return 0;
}
