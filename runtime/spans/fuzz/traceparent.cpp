// Whatever the bytes, a traceparent is read or refused; what was read is written as the same.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "sextant/spans/span.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sextant;
  using namespace sextant::spans;
  try {
    const auto context = parse_traceparent({reinterpret_cast<const char*>(data), size}, {"fuzz", 1, 1});
    if (parse_traceparent(traceparent(context)).span != context.span) std::abort();
  } catch (const InputError&) {
  }
  return 0;
}
