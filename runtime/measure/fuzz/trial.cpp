// Whatever the bytes, a trial is read, and then written and read again to the same text, or refused.
#include "sextant/measure/trial.h"

#include <cstdint>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>

#include "sextant/core/error.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const sextant::measure::Trial trial = sextant::measure::trial_from_json(
        std::string(reinterpret_cast<const char*>(data), size), "fuzz.json");
    if (trial.workers < 1 || trial.servers < 0 || !(trial.timeout_s > 0)) std::abort();
    const std::string text = sextant::measure::to_json(trial).dump();
    if (sextant::measure::to_json(sextant::measure::trial_from_json(text, "again.json")).dump() != text)
      std::abort();
  } catch (const sextant::InputError&) {
  }
  return 0;
}
