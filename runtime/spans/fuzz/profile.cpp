// Whatever the bytes, a recording of PyTorch's profiler is read and analysed, or refused; what was read can
// be converted and read again.
#include "sextant/spans/profile.h"

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sextant;
  using namespace sextant::spans;
  try {
    const SpanSet set = read_spans(std::string(reinterpret_cast<const char*>(data), size), "fuzz.json");
    if (!is_profile(set)) return 0;
    if (read_spans(to_otlp(set).dump(), "again.json").spans.size() != set.spans.size()) std::abort();
    double shares = 0;
    for (const StepPart& part : analyze_profile(set).parts) shares += part.share;
    if (!(std::abs(shares - 1) < 1e-6)) std::abort();
  } catch (const InputError&) {
  }
  return 0;
}
