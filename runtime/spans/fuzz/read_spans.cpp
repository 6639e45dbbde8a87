// Whatever the bytes, spans are read or refused with a position; what was read can be written and read again.
#include <cstdint>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>

#include "sextant/spans/analysis.h"
#include "sextant/spans/span.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sextant;
  using namespace sextant::spans;
  try {
    const SpanSet set = read_spans(std::string(reinterpret_cast<const char*>(data), size), "fuzz.json");
    if (read_spans(to_otlp(set).dump(), "again.json").spans.size() != set.spans.size()) std::abort();
    (void)analyze_spans(set);
  } catch (const InputError&) {
  }
  return 0;
}
